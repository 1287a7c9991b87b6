trl grpo --config recipes/grpo.yaml --num_processes 4
