#!/bin/bash
# Eight GPUs, rollouts and training side by side. Four of its settings do not do what they look like.
set -x

python3 -m openrlhf.cli.train_ppo_ray \
   --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct \
   --reward.remote_url http://localhost:5000/get_reward \
   --data.prompt_dataset data/prompts.jsonl \
   --data.input_key prompt \
   --data.apply_chat_template \
   --ckpt.output_dir out/ppo \
   --actor.num_nodes 1 --actor.num_gpus_per_node 8 \
   --ref.num_nodes 1 --ref.num_gpus_per_node 8 \
   --vllm.num_engines 8 \
   --vllm.gpu_memory_utilization 0.5 \
   --train.async_enable \
   --train.colocate_all \
   --algo.advantage.estimator reinforce_baseline \
   --rollout.n_samples_per_prompt 1 \
   --rollout.batch_size 128 \
   --train.batch_size 128 \
   --train.micro_bacth_size 4 \
   --ds.zero_stage 3 \
   --ds.ring_attn_size 3 \
   --actor.adam.lr 5e-7
