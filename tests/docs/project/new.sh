deepspeed --num_gpus 8 --module openrlhf.cli.train_sft \
   --model.model_name_or_path meta-llama/Meta-Llama-3-8B --data.dataset data/pairs.jsonl \
   --data.input_key question --data.output_key response --data.max_len 4096 \
   --train.batch_size 256 --train.micro_batch_size 2 \
   --ds.zero_stage 3 --ckpt.output_dir out/sft
