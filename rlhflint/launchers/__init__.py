"""The layer between shells and frameworks: launchers, what they start, with how many processes and on which machines.

It knows launchers, no framework and no shell. `start_of` takes the launchers off a command (`unwrapping/`, by the
options in `options/`); `processes.counting` counts its processes; `machines.offer` reads the machines a script asks
for; `ray/` are Ray's own command lines; `environment` are the variables in force.
"""

from rlhflint.launchers.options.reading import LauncherOption
from rlhflint.launchers.unwrapping.start import PROCESS_LAUNCHERS, Fault, FaultKind, Start, Wrapper
from rlhflint.launchers.unwrapping.unwrap import start_of

__all__ = ["PROCESS_LAUNCHERS", "Fault", "FaultKind", "LauncherOption", "Start", "Wrapper", "start_of"]
