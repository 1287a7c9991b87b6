"""`cd`, `pushd` and `popd`: the working directory, as far as it is known."""

from __future__ import annotations

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.run.call import Call
from rlhflint.readers.shell.run.result import Result
from rlhflint.readers.shell.state import DIRECTORY
from rlhflint.text import Traced


def change_folder(call: Call) -> Result:
    """`cd`, `pushd`. It is taken to succeed."""
    words = [word for word in call.words[1:] if word.text not in ("-P", "-L", "--", "-e")]
    here = call.state.directory
    target: Traced | None
    if not words:
        target = Traced.hole(unknown.environment("HOME"), call.node.span)
    elif words[0].text == "-" or (words[0].text[:1] in "+-" and call.words[0].text == "pushd"):
        target = Traced.hole("the folder before the last `cd`", call.node.span)
    else:
        target = within_folder(here, words[0])
    if call.words[0].text == "pushd" or not words or words[0].text != ".":
        call.state.values[DIRECTORY] = target
    return Result(status=True, output=Traced())


def within_folder(folder: Traced | None, path: Traced) -> Traced:
    """A path seen from a folder; from the folder the script is started in if that is None."""
    if folder is None or path.text[:1] in ("/", "~") or (path.pieces and path.pieces[0].because is not None):
        return path
    return folder + Traced.made("/", None) + path


def leave_folder(call: Call) -> Result:
    """`popd`: back in a folder that is not known here."""
    call.state.values[DIRECTORY] = Traced.hole("the folder before the last `pushd`", call.node.span)
    return Result(status=True, output=Traced())
