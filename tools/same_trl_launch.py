"""Move made-up configurations of TRL to another release, and ask both releases whether they have the same values.

    python -m tools.same_trl_launch [--to 1.16.0] [--releases 0.14.0,…] [--each 12] [--seed 0] [--verbose]

Needs the environments that `python -m tests.oracle.trl_environments` makes. Each class is tried with its defaults and
with some options chosen at random; what its own release refuses is left out. The configuration has to be built at the
other release, with the same value for every option that still exists, unless a message names the option. The exit
status is 1 if one is not the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rlhflint.catalog.fields import Field, Missing
from rlhflint.frameworks.trl.catalog.changes import accepted
from rlhflint.frameworks.trl.catalog.imports import ClassRef, Shim, class_at
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.frameworks.trl.catalog.store import releases
from tests.oracle.same_trl_launch import compared, environment_for
from tools.schemas.packages import wheel

RELEASES = "0.14.0,0.17.0,0.19.1,0.22.2,0.24.0,0.28.0,1.0.0,1.9.2,1.15.0"
CLASSES = ("SFT", "DPO", "GRPO", "KTO", "Reward", "RLOO", "ORPO", "CPO", "OnlineDPO", "GKD")
_LEFT_OUT = (
    *("output_dir", "use_cpu", "no_cuda", "use_mps_device", "bf16", "fp16", "tf32", "deepspeed", "fsdp", "push_to_hub"),
    *("bf16_full_eval", "fp16_full_eval", "local_rank", "torch_compile", "use_ipex", "jit_mode_eval", "tpu_num_cores"),
    *("use_liger", "use_liger_kernel", "use_liger_loss", "auto_find_batch_size", "debug", "torchdynamo", "optim"),
    *(
        "load_best_model_at_end",
        "tp_size",
        "tpu_metrics_debug",
        "half_precision_backend",
        "fp16_backend",
        "ddp_backend",
        "parallelism_config",
    ),
    *("log_completions_hub_repo", "fsdp_min_num_params", "per_gpu_train_batch_size", "per_gpu_eval_batch_size"),
)
_WORDS = {
    "eval_strategy": ["steps", "epoch"],
    "evaluation_strategy": ["steps"],
    "save_strategy": ["epoch", "no"],
    "logging_strategy": ["epoch"],
    "lr_scheduler_type": ["cosine", "constant"],
    "report_to": ["none", "tensorboard"],
    "run_name": ["mine"],
    "dataset_text_field": ["body"],
    "log_level": ["info"],
}


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", default=releases().newest)
    parser.add_argument("--releases", default=RELEASES)
    parser.add_argument("--each", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for release in options.releases.split(","):
        chance = random.Random(f"{options.seed} {release}")
        texts = [text for name in CLASSES for text in configurations(f"{name}Config", release, options, chance)]
        for one in compared(texts, release, options.to, wheel):
            counts["asked about"] += 1
            counts["same" if one.same else "not the same"] += 1
            if not one.same:
                print(f"{release}: {one.refusal} {one.different}\n{one.before}{one.after}", flush=True)
        print(release, f"{len(texts)} made;", dict(counts), flush=True)
    return int(bool(counts["not the same"]))


def configurations(name: str, release: str, options: argparse.Namespace, chance: random.Random) -> list[str]:
    """Texts that make a configuration, the first with defaults alone; none where an end has no such class."""
    home = next((path for path in (f"trl.{name}",) if isinstance(class_at(path, release), (ClassRef, Shim))), None)
    key = key_at(name, release)
    if home is None or key is None or key_at(name, options.to) is None:
        return []
    fields = config_fields(key, release, environment_for(release).transformers)
    chosen = [(one, values) for one in fields.values() if (values := _values(one, name, release))]
    texts = []
    for number in range(options.each):
        some = chance.sample(chosen, 0 if number == 0 else chance.randint(1, 6))
        given = "".join(f", {one.name}={chance.choice(values)!r}" for one, values in some)
        texts.append(f"from trl import {name}\n\nargs = {name}(output_dir='out'{given})\n")
    return texts


def _values(one: Field, owner: str, release: str) -> list[object]:
    """Values other than the default that an option may have; none where it is left alone."""
    if one.name in _LEFT_OUT or one.name.startswith(("hub_", "push_", "vllm_server", "_")) or not one.init:
        return []
    if one.name in _WORDS:
        return [*_WORDS[one.name]]
    known = accepted(owner, one.name, release)
    if known is not None:
        return [value for value in known.values if value != one.default]
    if one.choices or isinstance(one.default, Missing):
        return []
    if one.type.startswith("bool"):
        return [not one.default]
    if one.type.startswith("int"):
        return [(one.default or 2) * 2] if isinstance(one.default, int | None) else []
    if one.type.startswith("float"):
        return [(one.default or 0.5) / 2] if isinstance(one.default, float | int | None) else []
    return []


if __name__ == "__main__":
    sys.exit(main())
