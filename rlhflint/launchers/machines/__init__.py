"""The machines and GPUs that a launch is offered: what Slurm, Ray and variables say of them."""
