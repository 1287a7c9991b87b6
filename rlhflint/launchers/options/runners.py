"""Programs that run another command as it stands: `nohup`, `timeout 2h`, `conda run -n env`, `docker exec box`.

Their options are few and hardly change; each table is written out here, with the manual it was taken from.
"""

from __future__ import annotations

from functools import cache

from rlhflint.launchers.options.table import Style, Table, extended_table, launcher_table, written_table
from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Runner:
    """How a program that runs a command is called.

    `subcommand` are the words behind its name that make it run something (`exec`, `run`). `operands` is how many words
    stand between its options and the command. `assignments`: `NAME=value` words in front of the command set variables.
    """

    name: str
    options: str = ""
    style: Style = Style.GETOPT
    subcommand: tuple[str, ...] = ()
    operands: int = 0
    assignments: bool = False
    interspersed: bool = False
    """Options may stand behind the operands too, up to `--`."""
    data: str = ""
    """Name of the data file that holds its options; `options` then adds to it."""

    def table(self) -> Table:
        """Its options."""
        if self.data:
            return extended_table(launcher_table(self.data), self.options)
        return written_table(self.name, self.options, self.style)


_PYXIS = (
    "--container-image= --container-mounts= --container-workdir= --container-name= --container-save= "
    "--container-mount-home --no-container-mount-home --container-remap-root --no-container-remap-root "
    "--container-entrypoint --no-container-entrypoint --container-entrypoint-log --container-writable "
    "--container-readonly --container-env= --mpi= --nv --jobid="
)
"""Options that the Pyxis plugin of Slurm adds to srun and sbatch (pyxis README@0.20)."""
_ENVIRONMENT_OPTIONS = "-n|--name= -p|--prefix= -r|--root-prefix= -v|--verbose -q|--quiet --cwd="
_CONTAINER_RUNS = (("run",), ("container", "run"))
_CONTAINER_EXECS = (("exec",), ("container", "exec"))
_APPTAINER = ("apptainer", "singularity")
_DOCKER = ("docker", "podman", "nvidia-docker")

_RUNNERS: tuple[Runner, ...] = (
    # GNU coreutils 9.1, util-linux 2.38, numactl 2.0.16, sudo 1.9: their manual pages
    Runner(
        "env",
        "-i|--ignore-environment -0|--null -u|--unset= -C|--chdir= -S|--split-string= -v|--debug "
        "--block-signal=? --default-signal=? --ignore-signal=? --list-signal-handling",
        assignments=True,
    ),
    Runner("nohup", "--help --version"),
    Runner("nice", "-n|--adjustment="),
    Runner("time", "-p|--portability -a|--append -v|--verbose -q|--quiet -f|--format= -o|--output="),
    Runner("timeout", "-k|--kill-after= -s|--signal= -v|--verbose --foreground --preserve-status", operands=1),
    Runner("stdbuf", "-i|--input= -o|--output= -e|--error="),
    Runner("setsid", "-c|--ctty -f|--fork -w|--wait"),
    Runner("ionice", "-c|--class= -n|--classdata= -t|--ignore"),
    Runner("chrt", "-b|--batch -d|--deadline -f|--fifo -i|--idle -o|--other -r|--rr -a|--all-tasks", operands=1),
    Runner("taskset", "-a|--all-tasks -c|--cpu-list -p|--pid", operands=1),
    Runner(
        "numactl",
        "-a|--all -i|--interleave= -p|--preferred= -P|--preferred-many= -N|--cpunodebind= -C|--physcpubind= "
        "-m|--membind= -b|--balancing -l|--localalloc -H|--hardware -s|--show --touch --strict",
    ),
    Runner(
        "sudo",
        "-E|--preserve-env=? -H|--set-home -i|--login -n|--non-interactive -S|--stdin -s|--shell -b|--background "
        "-k|--reset-timestamp -P|--preserve-groups -A|--askpass -u|--user= -g|--group= -h|--host= -p|--prompt= "
        "-C|--close-from= -D|--chdir= -R|--chroot= -T|--command-timeout= -r|--role= -t|--type=",
        assignments=True,
    ),
    # The shell's own
    Runner("exec", "-c -l -a="),
    Runner("command", "-p"),
    Runner("builtin"),
    # Debuggers, profilers, terminals
    Runner("unbuffer", "-p"),
    Runner("caffeinate", "-d -i -m -s -u -t= -w="),
    Runner("xvfb-run", "-a|--auto-servernum -n|--server-num= -s|--server-args= -e|--error-file= -w|--wait="),
    Runner(
        "nsys",
        "-t|--trace= -o|--output= -f|--force-overwrite= -s|--sample= -w|--show-output= -c|--capture-range= -x|"
        "--stop-on-exit= -y|--delay= -d|--duration= --stats= --export= --cuda-memory-usage= --capture-range-end= "
        "--trace-fork-before-exec= --cpuctxsw= --cudabacktrace= --gpu-metrics-device= --python-backtrace= --env-var=",
        subcommand=("profile",),
    ),
    Runner(
        "py-spy",
        "-o|--output= -f|--format= -r|--rate= -d|--duration= -s|--subprocesses -n|--native -i|--idle "
        "-g|--gil -t|--threads",
        subcommand=("record",),
    ),
    # Python environments: conda 25 conda run, micromamba 2 run, and the `run` of each project manager
    Runner(
        "conda run",
        f"{_ENVIRONMENT_OPTIONS} -s|--no-capture-output|--live-stream --dev --debug-wrapper-scripts",
        Style.ARGPARSE,
        ("run",),
    ),
    Runner("mamba run", f"{_ENVIRONMENT_OPTIONS} -s|--no-capture-output|--live-stream --dev", Style.ARGPARSE, ("run",)),
    Runner(
        "micromamba run",
        f"{_ENVIRONMENT_OPTIONS} -e|--env= -a|--attach= -d|--detach --clean-env --label= --no-rc --no-env --rc-file=",
        Style.CLAP,
        ("run",),
    ),
    Runner(
        "uv run",
        "--no-env --with-requirement= --verify-hashes --no-verify-hashes --native-tls --preview",
        Style.CLAP,
        ("run",),
        data="uv_run",
    ),
    Runner(
        "poetry run",
        "-q|--quiet -v|-vv|-vvv|--verbose -n|--no-interaction -C|--directory= -P|--project=",
        Style.CLAP,
        ("run",),
    ),
    Runner(
        "pdm run",
        "-s|--site-packages -p|--project= -g|--global -v|--verbose -q|--quiet --venv= --no-isolation -r|--recreate",
        Style.ARGPARSE,
        ("run",),
    ),
    Runner("pipenv run", "", Style.CLICK, ("run",)),
    Runner("hatch run", "", Style.CLICK, ("run",)),
    Runner("rye run", "-l|--list --pyproject=", Style.CLAP, ("run",)),
    Runner(
        "pixi run",
        "-e|--environment= --manifest-path= --frozen --locked -x|--executable --clean-env --no-install",
        Style.CLAP,
        ("run",),
    ),
    Runner(
        "pipx run",
        "--spec= --python= --pip-args= --index-url=|-i= --no-cache --path --pypackages "
        "--system-site-packages -e|--editable -v|--verbose -q|--quiet",
        Style.ARGPARSE,
        ("run",),
    ),
    # Containers and machines
    *(
        Runner(
            f"{name} run",
            "--rm --init -i -t -d --device= --userns= --hooks-dir= --security-opt=",
            Style.PFLAG,
            words,
            operands=1,
            data="docker_run",
        )
        for name in _DOCKER
        for words in _CONTAINER_RUNS
    ),
    *(
        Runner(f"{name} exec", "", Style.PFLAG, words, operands=1, data="docker_exec")
        for name in _DOCKER
        for words in _CONTAINER_EXECS
    ),
    *(Runner(f"{name} exec", "", Style.PFLAG, ("exec",), operands=1, data="apptainer") for name in _APPTAINER),
    Runner(
        "enroot start", "-r|--root -w|--rw -c|--conf= -m|--mount= -e|--env= --rc=", subcommand=("start",), operands=1
    ),
    Runner(
        "kubectl exec",
        "-i|--stdin -t|--tty -n|--namespace= -c|--container= --context= --kubeconfig=",
        Style.PFLAG,
        ("exec",),
        operands=1,
        interspersed=True,
    ),
    Runner(
        "ssh",
        "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B= -b= -c= -D= -E= -e= -F= "
        "-I= -i= -J= -L= -l= -m= -O= -o= -P= -p= -Q= -R= -S= -W= -w=",
        operands=1,
    ),
    # Slurm and MPI
    Runner("srun", _PYXIS, data="srun"),
    Runner("sbatch", _PYXIS, data="sbatch"),
    Runner(
        "mpirun",
        "-n|--n|-np|--np|-c= -N|-npernode|--npernode= -ppn= -perhost= -hostfile|--hostfile|-machinefile|--machinefile"
        "|-f= -host|--host|-H|-hosts= -x= -mca|--mca|-gmca|--gmca== -genv|-env== -genvlist|-envlist= -map-by|--map-by= "
        "-bind-to|--bind-to= -rank-by|--rank-by= -wdir|--wdir|-wd= -path= -app= -output-filename|--output-filename= "
        "-timeout|--timeout= -prefix|--prefix= -npersocket|--npersocket= -report-uri= -stdin|--stdin= -launcher= "
        "-launcher-exec= -bootstrap= -iface= -cpus-per-proc|--cpus-per-proc= -tag-output|--tag-output "
        "-allow-run-as-root|--allow-run-as-root -oversubscribe|--oversubscribe -nooversubscribe|--nooversubscribe "
        "-bynode|--bynode -byslot|--byslot -report-bindings|--report-bindings -v|--verbose -q|--quiet "
        "-use-hwthread-cpus|--use-hwthread-cpus -bind-to-core|--bind-to-core -bind-to-none|--bind-to-none "
        "-genvall -genvnone -l|-prepend-rank -d|--debug-devel -xterm=",
        Style.SINGLE_DASH,
    ),
)
"""Open MPI 4.1 and MPICH 4 for mpirun; `-genv NAME value` and `--mca key value` take two words."""

_ALIASES = {
    "mpiexec": "mpirun",
    "orterun": "mpirun",
    "mpiexec.hydra": "mpirun",
    "prterun": "mpirun",
    "doas": "sudo",
    "gtimeout": "timeout",
    "oarsh": "ssh",
}


@cache
def _by_program() -> dict[str, tuple[Runner, ...]]:
    programs: dict[str, tuple[Runner, ...]] = {}
    for runner in _RUNNERS:
        program = runner.name.partition(" ")[0]
        programs[program] = (*programs.get(program, ()), runner)
    for alias, program in _ALIASES.items():
        programs[alias] = programs[program]
    return programs


def runners_of(program: str) -> tuple[Runner, ...]:
    """The ways in which a program of this name runs another command; none if it does not."""
    return _by_program().get(program, ())


@cache
def runner_table(runner: Runner) -> Table:
    """The options of a runner, read once."""
    return runner.table()
