"""A worker whose link goes down, and comes up again."""

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

Site = Any

QUICKLY = {
    # By default a link is given up after 30 s to 5 minutes.
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "12s",
}
ADDRESS, NEAR, FAR = "10.77.0.1", "10.77.0.1/24", "10.77.0.2/24"


class Network:
    """Two network namespaces with a cable between them."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        near = self._hold(stack, ["unshare", "--user", "--map-root-user", "--net"])
        self.near = ["nsenter", "-t", str(near), "-U", "-n", "--preserve-credentials"]
        far = self._hold(stack, [*self.near, "unshare", "--net"])
        self.far = ["nsenter", "-t", str(near), "-U", "--preserve-credentials"]
        self.far += ["nsenter", "-t", str(far), "-n"]
        self._run(self.near, f"ip link add near type veth peer name far netns {far}")
        for inside, link, address in ((self.near, "near", NEAR), (self.far, "far", FAR)):
            self._run(inside, f"ip address add {address} dev {link}")
            self._run(inside, "ip link set lo up")
            self._run(inside, f"ip link set {link} up")

    def _hold(self, stack: contextlib.ExitStack, command: list[str]) -> int:
        """Start a process that keeps a namespace, and return its id."""
        command = [*command, "sh", "-c", "echo $$; exec sleep 600"]
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(process.kill)
        assert process.stdout is not None
        return int(process.stdout.readline() or 0)

    def _run(self, inside: list[str], command: str) -> None:
        subprocess.run([*inside, *command.split()], check=True, capture_output=True)

    def cut(self) -> None:
        self._run(self.near, "ip link set near down")

    def restore(self) -> None:
        self._run(self.near, "ip link set near up")


@pytest.fixture
def network() -> Iterator[Network]:
    """Make a network, or skip."""
    if shutil.which("ip") is None or shutil.which("nsenter") is None:
        pytest.skip("ip or nsenter is not installed: apt install iproute2 util-linux")
    with contextlib.ExitStack() as stack:
        try:
            made = Network(stack)
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"network namespaces cannot be made here: {error}")
        yield made


def test_worker_whose_link_goes_down_and_up_loses_and_doubles_nothing(
    site: Site, network: Network
) -> None:
    site.environment.update(QUICKLY)
    bots = (site.bot("first", 0.001), site.bot("second"))
    amount = ("--games", "400", "--layouts", "0")
    address = site.scheduler(ADDRESS, prefix=network.near)
    site.worker(address, prefix=network.far)
    run = site.play(*bots, *amount, "--cluster", address, db="net.sqlite3", prefix=network.near)
    site.wait_for(lambda: site.blocks("net.sqlite3"), "the first block")
    network.cut()
    cut_at = site.blocks("net.sqlite3")
    site.worker(address, prefix=network.near)
    site.wait_for(lambda: site.blocks("net.sqlite3") > cut_at + 1, "a block of the other worker")
    network.restore()
    code, err = run.end()
    assert code == 0, err
    assert site.games("net.sqlite3") == site.played_here(*bots, *amount)
