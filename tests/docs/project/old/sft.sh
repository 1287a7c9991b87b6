deepspeed --num_gpus 8 --module openrlhf.cli.train_sft \
   --pretrain meta-llama/Meta-Llama-3-8B --dataset data/pairs.jsonl \
   --input_key question --output_key response --max_len 2048 \
   --train_batch_size 256 --micro_train_batch_size 2 \
   --zero_stage 2 --bf16 --save_path out/sft
