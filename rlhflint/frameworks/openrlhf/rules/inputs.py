"""Models, data sets and paths: what has to be given, and in which form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO, TRAINING
from rlhflint.rule import ERROR, LATE, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.training import Living

_SCHEMES = ("s3://", "gs://", "hdfs://", "az://", "abfs://", "abfss://", "oss://", "http://", "https://", "hf://")


@rule("OR112", "model-or-data-missing", severity=ERROR, stage=STARTUP, programs=TRAINING)
def model_or_data_missing(launch: Living) -> Iterator[Draft]:
    """A model and a data set have to be given.

    What happens: the launch ends with a TypeError or an error of the hub once its processes are up.

    Why: no option is required by the parsers; the defaults are None since 0.3.6 (cli/train_sft.py@0.3.6, @0.11.2).

    Example:
        # train_sft, without data.dataset
        --ds.zero_stage 2

    Use instead:
        # train_sft
        --data.dataset data/chat.jsonl
    """
    needed = (
        ("actor.model_name_or_path", "data.prompt_dataset")
        if launch.program == PPO
        else ("model.model_name_or_path", "data.dataset")
    )
    for name in needed:
        if not launch.held(name) and not launch.given(name):
            launch.session.as_upstream(name)
            spelt = launch.session.spelling(name)
            yield launch.finding(
                name,
                message=f"{spelt} is not given: the launch fails when it looks for "
                f"{'a model' if 'model' in name else 'its data'}, after its processes have started",
                help=f"give {spelt}",
            )


@rule("OR124", "dataset-probs-count", severity=ERROR, stage=STARTUP, programs=TRAINING)
def dataset_probs_count(launch: Living) -> Iterator[Draft]:
    """There have to be as many sampling probabilities as data sets.

    What happens: an assertion without a message ends the launch after the tokenizer has been loaded.

    Why: both are comma-separated lists and are counted against each other (datasets/utils.py@0.11.2).

    Example:
        # train_sft
        --data.dataset data/a.jsonl,data/b.jsonl --data.dataset_probs 0.5,0.3,0.2

    Use instead:
        # train_sft
        --data.dataset data/a.jsonl,data/b.jsonl --data.dataset_probs 0.7,0.3
    """
    data, probs = _data_names(launch)
    given = getattr(launch.data, probs)
    if not given or not launch.given(f"data.{probs}"):
        return
    names, shares = getattr(launch.data, data), str(given).split(",")
    if names and len(names.split(",")) != len(shares):
        yield launch.finding(
            f"data.{probs}",
            f"data.{data}",
            message=f"{launch.session.spelling(f'data.{probs}')} has {len(shares)} numbers for "
            f"{len(names.split(','))} data sets",
            help="give one number for each data set, in the same order",
        )


@rule("OR125", "dataset-split-missing", severity=ERROR, stage=STARTUP, programs=TRAINING)
def dataset_split_missing(launch: Living) -> Iterator[Draft]:
    """The split that is trained on has to be in the data set.

    What happens: "DatasetDict has no attribute select", once the data is loaded.

    Why: a split that is not there falls through to the whole collection (datasets/utils.py@0.11.2). Reported where
    the data set lies in the project and lists its splits in `dataset_dict.json`.

    Example:
        --- train.sh
        deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset data/set \\
            --data.dataset_split validation
        --- data/set/dataset_dict.json
        {"splits": ["train", "test"]}

    Use instead:
        # train_sft
        --data.dataset data/set --data.dataset_split train
    """
    data, _ = _data_names(launch)
    split = "prompt_split" if launch.program == PPO else "dataset_split"
    if not launch.given(f"data.{split}"):
        return
    wanted, names = getattr(launch.data, split), getattr(launch.data, data)
    for name in (names or "").split(","):
        text = launch.session.file(f"{name.strip()}/dataset_dict.json")
        splits = _splits(text) if text is not None else None
        if splits is not None and wanted not in splits:
            yield launch.finding(
                f"data.{split}",
                f"data.{data}",
                message=f"the data set {name.strip()} has no split {wanted!r}",
                help=f"it has {', '.join(splits)}",
            )


def _splits(text: str) -> list[str] | None:
    try:
        content = json.loads(text)
    except ValueError:
        return None
    splits = content.get("splits") if isinstance(content, dict) else None
    return [str(one) for one in splits] if isinstance(splits, list) and splits else None


@rule("OR126", "modelscope-path", severity=ERROR, stage=STARTUP, programs=TRAINING, applies=">=0.5.9.post1")
def modelscope_path(launch: Living) -> Iterator[Draft]:
    """With ModelScope a data set is named by owner and name.

    What happens: "not enough values to unpack" or "too many values to unpack", when the data is loaded.

    Why: with `--use_ms` the path is split at its one slash (datasets/utils.py@0.5.9.post1, @0.11.2).

    Example:
        # train_sft
        --use_ms --data.dataset chat

    Use instead:
        # train_sft
        --use_ms --data.dataset owner/chat
    """
    if not launch.use_ms:
        return
    data, _ = _data_names(launch)
    for name in (getattr(launch.data, data) or "").split(","):
        if name.strip().count("/") != 1:
            yield launch.finding(
                f"data.{data}",
                "use_ms",
                message=f"with --use_ms the data set {name.strip()!r} has to be OWNER/NAME",
                help="write it with exactly one slash, or leave --use_ms out for files and for the Hugging Face hub",
            )


@rule("OR127", "url-as-path", severity=WARNING, stage=LATE, programs=TRAINING)
def url_as_path(launch: Living) -> Iterator[Draft]:
    """Checkpoints and models are written to folders of the machine, not to URLs.

    What happens: `s3://bucket/run` becomes a folder named `s3:` in the working directory of a worker, and is lost with
    the machine.

    Why: paths go to local file calls (utils/deepspeed/deepspeed.py@0.11.2).

    Example:
        --ckpt.output_dir s3://bucket/run

    Use instead:
        --ckpt.output_dir /mnt/bucket/run
    """
    for name in ("ckpt.output_dir", "ckpt.path"):
        path = str(launch.held(name))
        scheme = next((one for one in _SCHEMES if path.lower().startswith(one)), None)
        if scheme is not None:
            yield launch.finding(
                name,
                message=f"{launch.session.spelling(name)} is taken as a folder: {scheme} means nothing to OpenRLHF, "
                "and what is saved is lost with the machine",
                help="mount the storage and give the folder, or copy the result afterwards",
            )


def _data_names(launch: Living) -> tuple[str, str]:
    """The fields of the data sets and of their probabilities, below `data`."""
    return ("prompt_dataset", "prompt_probs") if launch.program == PPO else ("dataset", "dataset_probs")
