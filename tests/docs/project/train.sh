#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gres=gpu:a100-80gb:8
python3 -m openrlhf.cli.train_ppo_ray \
   --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct \
   --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4 \
   --vllm.num_engines 4 --vllm.gpu_memory_utilization 0.5 \
   --train.async_enable --train.colocate_all \
   --reward.remote_url http://localhost:5000/get_reward \
   --algo.advantage.estimator reinforce_baseline \
   --rollout.n_samples_per_prompt 8 --rollout.batch_size 128 \
   --train.batch_size 1024 --train.micro_bacth_size 4 \
   --data.prompt_dataset data/prompts.jsonl --data.max_len 4096 \
   --ckpt.output_dir out/ppo
