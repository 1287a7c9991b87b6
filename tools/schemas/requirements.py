"""What a released wheel asks of Python and of the packages that training stands on."""

from __future__ import annotations

import zipfile
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

_COMPANIONS = {"accelerate", "deepspeed", "flash-attn", "peft", "ray", "torch", "transformers", "vllm"}


def requirements(wheel: Path) -> dict[str, Any]:
    """`{"python": …, "requires": {package: specifier}, "extras": {extra: {package: specifier}}}` of the metadata."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(archive.read(name).decode("utf-8"))
    extras: dict[str, dict[str, str]] = {
        str(extra).replace("-", "_"): {} for extra in metadata.get_all("Provides-Extra", [])
    }
    requires: dict[str, str] = {}
    for line in metadata.get_all("Requires-Dist", []):
        requirement = Requirement(str(line))
        needing = [
            extra
            for extra in extras
            if requirement.marker and requirement.marker.evaluate({"extra": extra.replace("_", "-")})
        ]
        if requirement.marker and "extra" in str(requirement.marker):
            for extra in needing:
                extras[extra][requirement.name] = str(requirement.specifier)
        elif requirement.name in _COMPANIONS and "python_version" not in str(requirement.marker):
            requires[requirement.name] = str(requirement.specifier)
    return {
        "python": str(metadata["Requires-Python"]),
        "requires": dict(sorted(requires.items())),
        "extras": dict(sorted(extras.items())),
    }
