"""Starts a bot's process, with pipes, a clean environment and its own session."""

import contextlib
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence

from arena.isolation.child import Child, Origin
from arena.isolation.memory_use import out_of_memory_kills
from arena.isolation.orphans import MARK, Mark, adopt_orphans, end_abandoned
from arena.isolation.program import Program, environment
from arena.isolation.signals import ENDING, held_back
from arena.isolation.slots import Slot


def spawn(  # noqa: PLR0913 - one parameter for each way in which levels differ
    argv: Sequence[str],
    program: Program,
    *,
    confine: Callable[[], None] | None = None,
    slot: Slot | None = None,
    box: Sequence[int] | None = None,
    memory_mb: int | None = None,
) -> Child:
    """Start a program with pipes, a clean environment and its own session.

    Args:
        argv: The program's command, or one that wraps it.
        program: What is started.
        confine: Called in the new process just before exec. Only safe in a process with one
            thread, which is why single-threaded workers start the bots.
        slot: The bot's own uid; it is released when the child is killed.
        box: The descriptors that the box reads, if the command is a box.
        memory_mb: How much memory its processes may use together; any amount if None.

    Raises:
        OSError: If the program cannot be started.
    """
    end_abandoned()
    adopt_orphans()
    mark = str(Mark.new())
    origin = Origin(
        mark, slot, box is not None, out_of_memory_kills(), memory_mb, program.processes
    )
    try:
        with _signals_held(confine) as prepare:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # A box changes into the folder inside; outside, it may not be accessible.
                cwd=program.folder if box is None else "/",
                env={**environment(program), MARK: mark},
                start_new_session=True,
                pass_fds=box or (),
                preexec_fn=prepare,  # noqa: PLW1509 - see above
            )
    except subprocess.SubprocessError as error:
        raise OSError(f"the bot's process could not be confined: {error}") from error
    return Child(process, origin)


@contextlib.contextmanager
def _signals_held(confine: Callable[[], None] | None) -> Iterator[Callable[[], None] | None]:
    """Hold back the signals that end the arena while Python forks for ``confine``.

    Handlers that raise are not heard while Python's own callbacks of a fork run. The new process
    takes signals again before it is confined, and ends by them.
    """
    if confine is None:
        yield None
        return
    with held_back() as before:

        def prepare() -> None:
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            confine()

        yield prepare
