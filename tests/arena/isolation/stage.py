"""The stage of the attacks: plays the arena, with an opponent, a record and canaries of all kinds.

    python stage.py LEVEL ATTACK...

It starts each attack as a bot, and prints a line of JSON before each, and one after it that says
what it reached, if anything. After an attack that changed the world it builds another; after one
that changed the arena's own process it ends, to be started again for the rest. An attack may end or
stop it, which its caller sees.
"""

import contextlib
import ctypes
import hashlib
import json
import os
import resource
import secrets
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from arena.isolation import Child, Level, Program, start

HERE = Path(__file__).parent
PATIENCE_S = 5.0
ANSWER_S = 1.0
ATTACKERS_MB = 256
TEMPORARY_MB = 8
LOOK_S = 0.1
SEEMS_KILLED = {"pretend_to_be_abandoned", "kill_group_with_processes"}
ANOTHER_ARENA = """
from arena.isolation import Level, Program, start
start(Level.NONE, Program(("true",), "/", ())).kill()
"""
PUBLIC_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - they are what is watched
OPPONENT = """
import ctypes, hashlib, sys
from pathlib import Path
kept = Path(sys.argv[1]).open("rb")
secret = bytearray(kept.read())
address = ctypes.addressof((ctypes.c_char * len(secret)).from_buffer(secret))
print(address, kept.fileno(), flush=True)
for _ in sys.stdin:
    print(hashlib.sha256(secret).hexdigest(), flush=True)
"""


def call(number: int, *arguments: object) -> int:
    """Make a system call; return a negative number if it fails."""
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result: int = ctypes.CDLL(None).syscall(ctypes.c_long(number), *given)
    return result


class Stage:
    """Everything that an attack might reach, and how to see whether it did."""

    def __init__(self, level: Level, folder: Path) -> None:
        self.level = level
        folder.chmod(0o755)
        self.token = f"salvo-{secrets.token_hex(6)}"
        self.key = secrets.randbelow(2**30) + 2**20
        self.secrets = {name: f"secret-{secrets.token_hex(8)}" for name in ("arena", "opponent")}
        self.secrets["environment"] = os.environ["SALVO_SECRET"]
        self.home, self.attacker, self.opponent_folder, self.room = (
            folder / name for name in ("home", "attacker", "opponent", "arena")
        )
        shutil.copytree(
            HERE / "attacks", self.attacker, ignore=shutil.ignore_patterns("__pycache__")
        )
        for place in (self.home, self.opponent_folder, self.room):
            place.mkdir()
        (self.home / "diary").write_text(self.secrets["arena"], encoding="ascii")
        self.database = self.room / "salvo.sqlite3"
        self.database.write_text(self.secrets["arena"], encoding="ascii")
        self.descriptor = os.open(self.database, os.O_RDONLY)
        self.memory = bytearray(self.secrets["arena"].encode())
        self.listeners = self._listen()
        self.notes = self.opponent_folder / "notes"
        self.notes.write_text(self.secrets["opponent"], encoding="ascii")
        self.opponent = self._start_opponent()
        self.targets = self._targets()

    def _listen(self) -> dict[str, socket.socket]:
        listeners = {
            "tcp": socket.create_server(("127.0.0.1", 0)),
            "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
            "socket_file": socket.socket(socket.AF_UNIX),
            "datagram_file": socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
            "abstract": socket.socket(socket.AF_UNIX),
        }
        listeners["udp"].bind(("127.0.0.1", 0))
        for name in ("socket_file", "datagram_file"):
            listeners[name].bind(str(self.room / name))
        listeners["abstract"].bind(f"\0{self.token}")
        with contextlib.suppress(OSError):
            listeners["vsock"] = socket.socket(socket.AF_VSOCK)
            listeners["vsock"].bind((1, 0xFFFFFFFF))
        for listener in listeners.values():
            listener.settimeout(0)
            if listener.type == socket.SOCK_STREAM:
                with contextlib.suppress(OSError):
                    listener.listen()
        return listeners

    def _start_opponent(self) -> Child:
        script = self.opponent_folder / "opponent.py"
        script.write_text(OPPONENT, encoding="ascii")
        options = (str(self.notes), self.secrets["opponent"])
        return start(
            self.level,
            Program(
                argv=(sys.executable, "-P", str(script), *options),
                folder=str(self.opponent_folder),
                files=(str(self.opponent_folder),),
            ),
        )

    def _targets(self) -> dict[str, Any]:
        address, descriptor = map(int, self._hear(PATIENCE_S).split())
        own_address = ctypes.addressof((ctypes.c_char * len(self.memory)).from_buffer(self.memory))
        vsock = self.listeners.get("vsock")
        return {
            "arena_pid": os.getpid(),
            "arena_address": own_address,
            "arena_descriptor": self.descriptor,
            "opponent_pid": self.opponent.bot_pid,
            "opponent_group": self.opponent.pid,
            "opponent_address": address,
            "opponent_descriptor": descriptor,
            "opponent_file": str(self.notes),
            "secret_size": len(self.memory),
            "database": str(self.database),
            "home": str(self.home),
            "tcp": self.listeners["tcp"].getsockname()[1],
            "udp": self.listeners["udp"].getsockname()[1],
            "vsock": vsock.getsockname()[1] if vsock else 0,
            "socket_file": str(self.room / "socket_file"),
            "datagram_file": str(self.room / "datagram_file"),
            "abstract": self.token,
            "token": self.token,
            "key": self.key,
            "too_much_memory": 2 * ATTACKERS_MB << 20,
            "temporary_bytes": TEMPORARY_MB << 20,
        }

    def _hear(self, patience_s: float) -> str:
        """Return the opponent's next line, or nothing."""
        deadline = time.monotonic() + patience_s
        said = b""
        while not said.endswith(b"\n") and time.monotonic() < deadline:
            with contextlib.suppress(BlockingIOError):
                character = os.read(self.opponent.stdout, 1)
                if not character:
                    return ""
                said += character
                continue
            time.sleep(0.002)
        return said.decode()

    def _ask_opponent(self) -> str:
        """Return what the opponent answers to a question, or that it does not."""
        try:
            os.write(self.opponent.stdin, b"?\n")
        except OSError as error:
            return str(error)
        return self._hear(ANSWER_S) or "silence"

    def _heard(self) -> list[str]:
        """Return which sockets of the arena's were reached."""
        heard = []
        for name, listener in self.listeners.items():
            with contextlib.suppress(OSError):
                if listener.type == socket.SOCK_STREAM:
                    listener.accept()[0].close()
                else:
                    listener.recv(1000)
                heard.append(name)
        return heard

    def world(self) -> dict[str, Any]:
        """Return all that an attack must leave as it is."""
        pid = self.opponent.bot_pid or 0
        return {
            "database": _file(self.database),
            "own files": [_file(path) for path in sorted(self.attacker.glob("*.py*"))],
            "opponent's file": _file(self.notes),
            "left behind": self._left(),
            "arena's memory": bytes(self.memory).hex(),
            "arena": _process(os.getpid()),
            "opponent": _process(pid),
            "opponent's answer": self._ask_opponent(),
            "reached": self._heard(),
        }

    def _left(self) -> list[str]:
        """Return what of the attack's outlives it."""
        folders = (*PUBLIC_FOLDERS, str(self.home), str(self.attacker))
        left = [folder for folder in folders if Path(folder, self.token).exists()]
        for kind in ("shm", "msg", "sem"):
            table = Path("/proc/sysvipc", kind)
            if table.exists() and f" {self.key} " in f" {table.read_text(encoding='ascii')} ":
                left.append(kind)
        x86 = os.uname().machine == "x86_64"
        if call(240 if x86 else 180, self.token.encode(), os.O_RDONLY, 0, None) >= 0:
            left.append("queue")
            call(241 if x86 else 181, self.token.encode())
        if call(250 if x86 else 219, 10, -4, b"user", self.token.encode(), 0) >= 0:
            left.append("key")
        return left + [f"process {pid}" for pid in self._strays()]

    def _strays(self) -> list[str]:
        found = []
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                with contextlib.suppress(OSError):
                    if f"4.{self.key}".encode() in (process / "cmdline").read_bytes():
                        found.append(process.name)
        return found

    def attack(self, name: str) -> str:
        """Run an attack and return what it says it reached, or whose secret it printed."""
        script = str(self.attacker / f"{name}.py")
        program = Program(
            argv=(sys.executable, "-P", script, json.dumps(self.targets)),
            folder=str(self.attacker),
            files=(str(self.attacker),),
            import_folder=str(self.attacker),
            memory_mb=ATTACKERS_MB,
            temporary_mb=TEMPORARY_MB if "temporary" in name else 0,
            processes=name.endswith("_with_processes"),
        )
        child = start(self.level, program)
        said = b""
        deadline = time.monotonic() + PATIENCE_S
        looks_at = 0.0
        while child.status() is None and (now := time.monotonic()) < deadline:
            if now >= looks_at:
                # As the arena does while it waits for an answer.
                if child.exceeded_mb() is not None:
                    break
                looks_at = now + LOOK_S
            child.wait(0.02)
            said += _available(child.stdout)
            if said.endswith(b"START ANOTHER ARENA\n"):
                said = b""
                subprocess.run([sys.executable, "-c", ANOTHER_ARENA], check=True, cwd="/")
                child.close_stdin()
        said += _available(child.stdout)
        if "SALVO_SHOW" in os.environ:
            sys.stderr.write(f"{name}: {_available(child.stderr)[-300:]!r}\n")
        killed = child.status() is not None and child.was_killed()
        child.kill()
        if killed and name in SEEMS_KILLED:
            return "REACHED its end looks like a kill from outside"
        for line in said.decode("utf-8", "replace").split("\n"):
            if line.startswith("REACHED"):
                return line
        told = [place for place, secret in self.secrets.items() if secret.encode() in said]
        return f"tells the secret of {told[0]}" if told else ""

    def close(self) -> None:
        """Leave nothing behind."""
        self.opponent.kill()
        remover = shutil.which("ipcrm")
        if remover is not None and {"shm", "msg", "sem"}.intersection(self._left()):
            for kind in ("-M", "-Q", "-S"):
                command = [remover, kind, str(self.key)]
                subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
        for listener in self.listeners.values():
            listener.close()
        os.close(self.descriptor)
        for folder in PUBLIC_FOLDERS:
            Path(folder, self.token).unlink(missing_ok=True)


def _available(descriptor: int) -> bytes:
    with contextlib.suppress(BlockingIOError):
        return os.read(descriptor, 1 << 20)
    return b""


def _file(path: Path) -> list[object]:
    if not path.exists():
        return ["gone"]
    status = path.stat()
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if status.st_mode & 0o400 else "closed"
    return [digest, status.st_mode, status.st_mtime_ns, status.st_nlink, os.listxattr(path)]


def _process(pid: int) -> list[object]:
    try:
        adjusted = Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii")
        traced = struct.unpack("=i", struct.pack("=i", os.getpriority(os.PRIO_PROCESS, pid)))
        files = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        return [
            *traced,
            sorted(os.sched_getaffinity(pid)),
            os.sched_getscheduler(pid),
            files,
            adjusted,
        ]
    except OSError:
        return ["gone"]


def _say(name: str, reached: dict[str, str]) -> None:
    sys.stdout.write(json.dumps({"pid": os.getpid(), "tries": name, "reached": reached}) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run the attacks that were asked for, until one changes the world."""
    level, *names = sys.argv[1:]
    while names:
        with tempfile.TemporaryDirectory(prefix="salvo-stage-") as folder:
            if "arena" in act(Stage(Level(level), Path(folder)), names):
                return


def act(stage: Stage, names: list[str]) -> list[str]:
    """Run attacks, each taken from ``names``, until one changes the world; return what changed."""
    before = stage.world()
    try:
        while names:
            name = names.pop(0)
            _say(name, {})
            word = stage.attack(name)
            after = stage.world()
            changed = [part for part in before if before[part] != after[part]]
            reached = "; ".join([word] * bool(word) + [f"{part} changed" for part in changed])
            _say(name, {name: reached})
            if changed:
                return changed
    finally:
        stage.close()
    return []


if __name__ == "__main__":
    main()
