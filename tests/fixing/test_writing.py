"""Files while they are written: whatever happens, each is as it was or as it should be."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from rlhflint.fixing.writing import NotWritten, Writing, write_together

from .command import fix, run, write

OLD = "deepspeed --module openrlhf.cli.train_sft --pretrain a --zero_stage 3\n"
NEW = "deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path a --ds.zero_stage 3\n"
MOVE = ("--to", "openrlhf=0.11.2")


def one(path: Path, before: str = OLD, after: str = NEW) -> Writing:
    return Writing(str(path), before, after)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "train.sh"
    path.write_text(OLD)
    return path


def left_over(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if ".rlhflint-" in path.name]


def test_mode_and_owner_are_kept(script: Path) -> None:
    script.chmod(0o751)
    if os.geteuid() == 0:
        os.chown(script, 12345, 23456)
    before = script.stat()
    write_together([one(script)], str(script.parent))
    after = script.stat()
    assert script.read_text() == NEW
    assert stat.S_IMODE(after.st_mode) == 0o751
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    assert left_over(script.parent) == []


def test_a_read_only_file_is_refused(script: Path) -> None:
    script.chmod(0o444)
    with pytest.raises(NotWritten, match="it is read-only"):
        write_together([one(script)], str(script.parent))
    assert script.read_text() == OLD


def test_a_file_in_a_read_only_folder_is_refused(script: Path) -> None:
    script.parent.chmod(0o555)
    try:
        with pytest.raises(NotWritten, match="its folder is read-only"):
            write_together([one(script)], str(script.parent))
    finally:
        script.parent.chmod(0o755)
    assert script.read_text() == OLD


def test_a_file_that_changed_meanwhile_is_left_alone(script: Path) -> None:
    script.write_text(OLD + "# a note\n")
    with pytest.raises(NotWritten, match="it changed while it was being fixed"):
        write_together([one(script)], str(script.parent))
    assert script.read_text() == OLD + "# a note\n"


def test_all_files_of_a_group_or_none(script: Path) -> None:
    other = script.with_name("common.sh")
    other.write_text("changed\n")
    with pytest.raises(NotWritten, match=r"common\.sh"):
        write_together([one(script), one(other, "as it was\n", "as it should be\n")], str(script.parent))
    assert script.read_text() == OLD
    assert left_over(script.parent) == []


def test_a_link_within_the_tree_leads_to_its_file(script: Path) -> None:
    link = script.with_name("link.sh")
    link.symlink_to("train.sh")
    write_together([one(link)], str(script.parent))
    assert link.is_symlink()
    assert script.read_text() == NEW


def test_a_link_out_of_the_tree_is_refused(tmp_path: Path) -> None:
    outside, tree = tmp_path / "outside.sh", tmp_path / "tree"
    outside.write_text(OLD)
    tree.mkdir()
    (tree / "train.sh").symlink_to(outside)
    with pytest.raises(NotWritten, match="which lies outside of"):
        write_together([one(tree / "train.sh")], str(tree))
    assert outside.read_text() == OLD


def test_links_that_lead_in_circles(tmp_path: Path) -> None:
    (tmp_path / "a.sh").symlink_to("b.sh")
    (tmp_path / "b.sh").symlink_to("a.sh")
    (tmp_path / "folder").symlink_to(".")
    with pytest.raises(NotWritten):
        write_together([one(tmp_path / "a.sh")], str(tmp_path))
    ran = fix(tmp_path, {"train.sh": OLD}, *MOVE)
    assert ran.files["train.sh"] == NEW
    assert run(tmp_path, "fix", *MOVE, "a.sh").exit_code == 2


def test_what_a_killed_run_left_behind_is_cleared(script: Path) -> None:
    stale = script.with_name(".train.sh.rlhflint-0123456789ab")
    stale.write_text("half a fi")
    write_together([one(script)], str(script.parent))
    assert left_over(script.parent) == []


def test_the_new_text_is_on_the_disk_before_it_takes_the_place_of_the_old_one(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, put = os.fsync, os.replace

    def synced(descriptor: int) -> None:
        done.append(f"synced {os.fstat(descriptor).st_size}")
        sync(descriptor)

    def replaced(temporary: Path, target: Path) -> None:
        done.append(re.sub("[0-9a-f]{12}$", "…", temporary.name))
        put(temporary, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    write_together([one(script)], str(script.parent))
    assert done[:2] == [f"synced {len(NEW)}", ".train.sh.rlhflint-…"]


def test_what_the_system_refuses_is_told_in_its_words(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(NotWritten, match=r"train\.sh: No space left on device$"):
        write_together([one(script)], str(script.parent))
    assert script.read_text() == OLD
    assert left_over(script.parent) == []


def test_the_command_says_why_nothing_was_written(tmp_path: Path) -> None:
    write(tmp_path, {"train.sh": OLD})
    (tmp_path / "train.sh").chmod(0o444)
    ran = run(tmp_path, "fix", *MOVE)
    assert ran.exit_code == 2
    assert "not written: train.sh: it is read-only" in ran.errors
    assert ran.files["train.sh"] == OLD


def test_what_stays_in_a_file_that_is_not_written_is_told(tmp_path: Path) -> None:
    old = NEW.replace("--ds.zero_stage", "--zero_stage")
    locked = {"locked.sh": f". ./common.sh\n{old}", "common.sh": "set -e\n"}
    write(tmp_path, {**locked, "open.sh": old})
    (tmp_path / "locked.sh").chmod(0o444)
    ran = run(tmp_path, "fix", "--select", "OR601", "--output-format", "concise", "--verbose")
    assert ran.exit_code == 2
    assert ran.files == {**locked, "open.sh": NEW}
    assert "locked.sh:2:72: error[OR601] --zero_stage ended " in ran.output
    assert "1 error in 2 launches" in ran.output
    assert "changed open.sh\n  OR601: Write --ds.zero_stage\n" in ran.errors


def test_what_stays_in_a_file_that_is_not_moved_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"train.sh": OLD})
    (tmp_path / "train.sh").chmod(0o444)
    ran = run(tmp_path, "fix", *MOVE, "--select", "OR601", "--output-format", "concise")
    assert ran.files == {"train.sh": OLD}
    assert ran.output.count("error[OR601]") == 2


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if (
        shutil.which("mount") is None
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_the_old_file(small_disk: Path) -> None:
    script = small_disk / "train.sh"
    script.write_text(OLD)
    before, after = script.read_bytes(), NEW * 1000
    with pytest.raises(NotWritten, match="No space left"):
        write_together([one(script, OLD, after)], str(small_disk))
    assert script.read_bytes() == before
    assert left_over(small_disk) == []


_LIMITED = textwrap.dedent(
    """
    import resource, signal, sys
    sys.dont_write_bytecode = True  # compiled modules would be cut short, and stay so
    from rlhflint.__main__ import main
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))
    sys.argv = ["rlhflint", "fix", *sys.argv[1:]]
    main()
    """
)


def test_where_no_file_may_grow_the_command_leaves_the_old_ones(tmp_path: Path) -> None:
    """A disk that is full half way through the new text, without a file system of its own."""
    write(tmp_path, {"one.sh": OLD, "two.sh": OLD})
    command = [sys.executable, "-c", _LIMITED, *MOVE]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "not written: one.sh: File too large" in done.stderr
    assert [path.read_text() for path in sorted(tmp_path.glob("*.sh"))] == [OLD, OLD]
    assert left_over(tmp_path) == []


def test_a_file_that_changes_while_the_command_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rlhflint.fixing import fixer

    real = fixer.Fixer.fix

    def disturbed(self: fixer.Fixer, paths: Iterable[str]) -> fixer.Outcome:
        outcome = real(self, paths)
        (tmp_path / "one.sh").write_text(OLD + "# mine\n")
        (tmp_path / "three.sh").unlink()
        return outcome

    write(tmp_path, {"one.sh": OLD, "two.sh": OLD, "three.sh": OLD})
    monkeypatch.setattr(fixer.Fixer, "fix", disturbed)
    ran = run(tmp_path, "fix", *MOVE)
    assert ran.exit_code == 2
    assert ran.files == {"one.sh": OLD + "# mine\n", "two.sh": NEW}
    assert "one.sh: it changed while it was being fixed" in ran.errors
    assert "three.sh: No such file" in ran.errors


_WRITER = textwrap.dedent(
    """
    import sys
    from rlhflint.fixing.writing import NotWritten, Writing, write_together
    path, texts = sys.argv[1], [sys.argv[2] * 4000, sys.argv[3] * 4000]
    print("ready", flush=True)
    for round in range(100_000):
        try:
            write_together([Writing(path, texts[round % 2], texts[1 - round % 2])], sys.argv[4])
        except NotWritten:
            pass
    """
)


def writer(script: Path) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", _WRITER, str(script), OLD, NEW, str(script.parent)]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_killed_at_any_moment(script: Path) -> None:
    script.write_text(OLD * 4000)
    for seed in range(25):
        process = writer(script)
        time.sleep(random.Random(seed).random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert script.read_text() in (OLD * 4000, NEW * 4000)
        script.write_text(OLD * 4000)


def test_read_while_others_write(script: Path) -> None:
    """Two runs at once: whoever reads sees one text or the other, whole."""
    script.write_text(OLD * 4000)
    seen: set[str] = set()
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            seen.add(script.read_text())

    reader = threading.Thread(target=look)
    reader.start()
    processes = [writer(script), writer(script)]
    time.sleep(1)
    for process in processes:
        process.kill()
        process.wait()
    stop.set()
    reader.join()
    assert seen <= {OLD * 4000, NEW * 4000}


def test_two_runs_of_the_command_at_once(tmp_path: Path) -> None:
    write(tmp_path, {f"run{number}.sh": OLD for number in range(8)})
    command = [sys.executable, "-m", "rlhflint", "fix", *MOVE, "--quiet"]
    processes = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) for _ in range(2)]
    for process in processes:
        assert process.wait() in (0, 1, 2)
    assert {path.read_text() for path in tmp_path.glob("*.sh")} == {NEW}
    assert left_over(tmp_path) == []


def test_the_command_killed_at_any_moment(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rlhflint", "fix", *MOVE, "--quiet"]
    for seed in range(12):
        write(tmp_path, {f"run{number}.sh": OLD for number in range(6)})
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
        time.sleep(0.3 + random.Random(seed).random())
        process.kill()
        process.wait()
        assert {path.read_text() for path in tmp_path.glob("*.sh")} <= {OLD, NEW}
