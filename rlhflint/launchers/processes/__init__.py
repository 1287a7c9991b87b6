"""How many processes a command starts: deepspeed, torchrun, accelerate, and a program without a launcher."""
