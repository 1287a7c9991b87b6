"""The layer between shells and frameworks: launchers, what they start, with how many processes and on which machines.

It knows launchers, no framework and no shell. `unwrap.start_of` takes the launchers off a command;
`processes.processes` counts its processes; `offer.offered` reads the machines a script asks for;
`environment.environment_of` collects the variables in force; `ray_job.ray_job_of` reads a submission to Ray.
"""

from rlhflint.launchers.reading import LauncherOption
from rlhflint.launchers.start import PROCESS_LAUNCHERS, Fault, FaultKind, Start, Wrapper
from rlhflint.launchers.unwrap import start_of

__all__ = ["PROCESS_LAUNCHERS", "Fault", "FaultKind", "LauncherOption", "Start", "Wrapper", "start_of"]
