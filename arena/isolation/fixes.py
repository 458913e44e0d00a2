"""Says what a user can do about a promise that does not hold here."""

import os
import shutil
from pathlib import Path

from arena.isolation import seccomp
from arena.isolation.landlock import abi

_NOT_OF_THE_LEVEL = {
    "ran out of memory": "free some memory, and try again",
    "its probe was killed": (
        "find out what kills processes on this machine (`journalctl` may say), and try again"
    ),
    "no answer came": "the machine may have been too busy, or the probe stopped; try again",
}
"""Fixes that do not depend on the level, by a part of the detail."""

_FIX_LANDLOCK = (
    "use Linux 5.13 or newer with Landlock enabled: add 'landlock' to the list 'lsm=' on the "
    "kernel's command line; in a container, its seccomp profile must allow the landlock system "
    "calls"
)
_NO_FIX = "use a lower isolation level, or run on another machine"


def how_to_fix(level: str, detail: str) -> str:
    """Return what a user can do so that a level holds, given what the probe found."""
    fixes = (fix for part, fix in _NOT_OF_THE_LEVEL.items() if part in detail)
    return next(fixes, None) or _fix_level(level, detail)


def fix_extra(detail: str) -> str:
    """Return what a user can do so that boxes are given what this machine refuses."""
    if "Landlock" in detail:
        return _FIX_LANDLOCK
    if _in_container():
        return (
            "the container hides parts of /proc, so that no other can be mounted: start it with "
            "--security-opt systempaths=unconfined"
        )
    return "run as root, or allow mounts in user namespaces; bubblewrap 0.5 or newer is needed"


def _fix_level(level: str, detail: str) -> str:
    unsupported = seccomp.supported()
    if level in {"lite", "sandbox"} and unsupported is not None:
        return f"none: {unsupported}"
    if level == "sandbox":
        return _fix_sandbox(detail)
    if level == "lite" and not abi():
        return _FIX_LANDLOCK
    if level == "lite":
        return f"use a newer kernel: this one has version {abi()} of Landlock, 6 is needed"
    if os.geteuid() == 0:
        return "run as an ordinary user, or as root with the capabilities to change the uid"
    return _NO_FIX


def _fix_sandbox(detail: str) -> str:
    if "bwrap is not installed" in detail:
        return "install bubblewrap: apt install bubblewrap"
    for tool in ("prlimit", "setpriv"):
        if f"{tool} is not installed" in detail:
            return f"install {tool}: apt install util-linux"
    if os.geteuid() != 0:
        for name, value in (
            ("kernel/apparmor_restrict_unprivileged_userns", "1"),
            ("kernel/unprivileged_userns_clone", "0"),
            ("user/max_user_namespaces", "0"),
        ):
            if _setting(name) == value:
                wanted = {"1": "0", "0": "1"}[value] if name.startswith("kernel") else "10000"
                sysctl = f"sudo sysctl -w {name.replace('/', '.')}={wanted}"
                if "apparmor" in name:
                    return (
                        f"AppArmor forbids it: give bwrap a profile that allows userns, or {sysctl}"
                    )
                return f"the system forbids user namespaces: {sysctl}"
    if _in_container():
        return (
            "the container forbids namespaces: start it with --security-opt seccomp=unconfined "
            "--security-opt apparmor=unconfined, as root also with --cap-add SYS_ADMIN and "
            "--cap-add NET_ADMIN"
        )
    bwrap = shutil.which("bwrap") or "bwrap"
    return (
        f"see what `{bwrap} --unshare-all --ro-bind / / true` says; bubblewrap 0.5 or newer is "
        "needed"
    )


def _setting(name: str) -> str | None:
    try:
        return Path("/proc/sys", name).read_text(encoding="ascii").strip()
    except OSError:
        return None


def _in_container() -> bool:
    marks = ("/.dockerenv", "/run/.containerenv")
    return "container" in os.environ or any(Path(mark).exists() for mark in marks)
