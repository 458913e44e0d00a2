"""The advice for each level or extra that this machine refuses."""

import os
from collections.abc import Callable

import pytest

from arena.isolation import fixes
from arena.isolation.fixes import fix_extra, how_to_fix

LANDLOCK = (
    "use Linux 5.13 or newer with Landlock enabled: add 'landlock' to the list 'lsm=' on the "
    "kernel's command line; in a container, its seccomp profile must allow the landlock system "
    "calls"
)
IN_CONTAINER = (
    "the container forbids namespaces: start it with --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined, as root also with --cap-add SYS_ADMIN and --cap-add "
    "NET_ADMIN"
)
SEE_BWRAP = "see what `{} --unshare-all --ro-bind / / true` says; bubblewrap 0.5 or newer is needed"
CLONE = "unprivileged_userns_clone"
FORBIDS = "the system forbids user namespaces: sudo sysctl -w"
LEVELS = ("none", "limits", "lite", "sandbox")

Machine = Callable[..., None]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a function that makes the machine what it is told."""

    def make(  # noqa: PLR0913 - one for each thing that matters
        *,
        uid: int = 1000,
        container: bool = False,
        version: int = 6,
        unsupported: str | None = None,
        bwrap: str | None = "/usr/bin/bwrap",
        settings: dict[str, str] | None = None,
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: uid)
        monkeypatch.setattr(fixes, "_in_container", lambda: container)
        monkeypatch.setattr(fixes, "abi", lambda: version)
        monkeypatch.setattr(fixes.seccomp, "supported", lambda: unsupported)
        monkeypatch.setattr(fixes.shutil, "which", {"bwrap": bwrap}.get)
        monkeypatch.setattr(fixes, "_setting", (settings or {}).get)

    return make


def told(detail: str = "") -> list[str]:
    return [how_to_fix(level, detail) for level in LEVELS]


def test_fix_depends_on_the_level_and_on_who_asks(machine: Machine) -> None:
    none = "use a lower isolation level, or run on another machine"
    for version, of_lite in (
        (0, LANDLOCK),
        (1, "use a newer kernel: this one has version 1 of Landlock, 6 is needed"),
    ):
        machine(version=version)
        assert told() == [none, none, of_lite, SEE_BWRAP.format("/usr/bin/bwrap")]
    machine(uid=0, bwrap=None)
    as_user = "run as an ordinary user, or as root with the capabilities to change the uid"
    lite = "use a newer kernel: this one has version 6 of Landlock, 6 is needed"
    assert told() == [as_user, as_user, lite, SEE_BWRAP.format("bwrap")]
    machine(unsupported="there is no table")
    assert told() == [none, none, *["none: there is no table"] * 2]


@pytest.mark.parametrize(
    ("detail", "fix"),
    [
        ("it ran out of memory here", "free some memory, and try again"),
        (
            "its probe was killed by SIGKILL",
            "find out what kills processes on this machine (`journalctl` may say), and try again",
        ),
        (
            "no answer came within 10 s",
            "the machine may have been too busy, or the probe stopped; try again",
        ),
    ],
)
def test_what_no_level_is_to_blame_for_has_one_fix(machine: Machine, detail: str, fix: str) -> None:
    machine()
    assert told(detail) == [fix] * 4


@pytest.mark.parametrize(
    ("detail", "fix"),
    [
        ("bwrap is not installed", "install bubblewrap: apt install bubblewrap"),
        ("prlimit is not installed", "install prlimit: apt install util-linux"),
        ("setpriv is not installed", "install setpriv: apt install util-linux"),
    ],
)
def test_program_that_is_missing_is_to_be_installed(
    machine: Machine, detail: str, fix: str
) -> None:
    machine(container=True)
    assert told(detail)[3] == fix


@pytest.mark.parametrize(
    ("settings", "fix"),
    [
        (
            {"kernel/apparmor_restrict_unprivileged_userns": "1"},
            (
                "AppArmor forbids it: give bwrap a profile that allows userns, or sudo sysctl -w "
                "kernel.apparmor_restrict_unprivileged_userns=0"
            ),
        ),
        ({"kernel/apparmor_restrict_unprivileged_userns": "0"}, IN_CONTAINER),
        (
            {f"kernel/{CLONE}": "0"},
            f"{FORBIDS} kernel.unprivileged_userns_clone=1",
        ),
        ({f"kernel/{CLONE}": "1"}, IN_CONTAINER),
        ({"user/max_user_namespaces": "0"}, f"{FORBIDS} user.max_user_namespaces=10000"),
        ({"user/max_user_namespaces": "10"}, IN_CONTAINER),
        ({}, IN_CONTAINER),
    ],
)
def test_setting_that_forbids_a_box_to_users_is_named(
    machine: Machine, settings: dict[str, str], fix: str
) -> None:
    machine(container=True, settings=settings)
    assert told()[3] == fix
    machine(container=True, settings=settings, uid=0)
    assert told()[3] == IN_CONTAINER


def test_extra_is_given_by_the_kernel_the_container_or_root(machine: Machine) -> None:
    machine()
    assert fix_extra("Landlock: no such call") == LANDLOCK
    assert fix_extra("Can't mount proc") == (
        "run as root, or allow mounts in user namespaces; bubblewrap 0.5 or newer is needed"
    )
    machine(container=True)
    assert fix_extra("Can't mount proc") == (
        "the container hides parts of /proc, so that no other can be mounted: start it with "
        "--security-opt systempaths=unconfined"
    )


def test_container_is_known_by_its_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("container", raising=False)
    for marks in ((), ("/.dockerenv",), ("/run/.containerenv",)):
        monkeypatch.setattr(fixes.Path, "exists", lambda path, marks=marks: str(path) in marks)
        assert fixes._in_container() is bool(marks)
    monkeypatch.setattr(fixes.Path, "exists", lambda _: False)
    monkeypatch.setenv("container", "podman")
    assert fixes._in_container()
