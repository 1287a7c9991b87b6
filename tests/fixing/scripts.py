"""Scripts made up for properties: launches of any release, written in the ways people write them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from rlhflint.catalog.option import Option
from rlhflint.frameworks.openrlhf.catalog import openrlhf

PROGRAMS = ("train_sft", "train_rm", "train_dpo", "train_ppo_ray")
_SKIPPED = {"help", "local_rank", "use_ms"}
_WORDS = st.text("abcdefghijklmnop/-._0123456789", min_size=1, max_size=12).filter(lambda word: word[0] not in "-.")


@dataclass(frozen=True)
class Made:
    """A script with one launch, the release it is written for, and its flags with their words."""

    program: str
    release: str
    text: str
    flags: tuple[tuple[str, ...], ...]


@st.composite
def launches(draw: st.DrawFn, since: str = "0.5.0") -> Made:
    """A launch of a release from `since` on, in one of the usual idioms."""
    catalog = openrlhf()
    program = catalog.program(draw(st.sampled_from(PROGRAMS)))
    releases = [one for one in catalog.releases[catalog.releases.position(since) :] if program.exists(one)]
    release = draw(st.sampled_from(releases))
    options = [
        option
        for flag, option in sorted(program.options(release).items())
        if flag == option.flag and option.dest not in _SKIPPED and option.action in ("store", "store_true", None)
    ]
    chosen = draw(st.lists(st.sampled_from(options), min_size=1, max_size=12, unique_by=lambda option: option.flag))
    flags = tuple((option.flag, *draw(words(option))) for option in chosen)
    return Made(program.name, release, draw(written(program.name, flags)), flags)


def words(option: Option) -> st.SearchStrategy[tuple[str, ...]]:
    """Words that an option takes."""
    if option.switch:
        return st.just(())
    one = _word(option)
    if isinstance(option.nargs, int):
        return st.tuples(*[one] * option.nargs)
    if option.nargs in ("*", "+"):
        return st.lists(one, min_size=1, max_size=2).map(tuple)
    return st.tuples(one)


def _word(option: Option) -> st.SearchStrategy[str]:
    if option.choices:
        return st.sampled_from([str(choice) for choice in option.choices])
    if option.type == "int":
        return st.integers(0, 5000).map(str)
    if option.type == "float":
        return st.sampled_from(["0.1", "1", "2.5", "1e-6", "0.95"])
    return _WORDS


def written(program: str, flags: tuple[tuple[str, ...], ...]) -> st.SearchStrategy[str]:
    """The launch as a script."""
    start = f"python3 -m openrlhf.cli.{program}"
    groups = [" ".join(flag) for flag in flags]
    return st.sampled_from(
        [
            f"{start} {' '.join(groups)}\n",
            f"{start} \\\n   " + " \\\n   ".join(groups) + "\n",
            f"{start} \\\n\t" + " \\\n\t".join(groups) + " &> train.log\n# --bf16\n",
            f"{start} \\\r\n  " + " \\\r\n  ".join(groups),
            "ARGS=(\n"
            + "".join(f"    {group}   # {group}\n" for group in groups)
            + f')\n{start} "${{ARGS[@]}}" "$@"\n',
            f'cmd="{start}"\n' + "".join(f'cmd+=" {group}"\n' for group in groups) + 'echo "$cmd"\neval "$cmd"\n',
            f"read -r -d '' run <<END\n{start}\n" + "".join(f"  {group}\n" for group in groups) + "END\n$run\n",
            f'srun bash -c "cd /job && {start} \\\n  ' + " \\\n  ".join(groups) + '" &> log\n',
            f"FLAGS='{' '.join(groups[:2])}'\n{start} $FLAGS{''.join(f' {group}' for group in groups[2:])}\n",
        ]
    )
