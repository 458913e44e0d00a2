"""The server takes what it needs of the machine."""

import subprocess
import sys

PROGRAM = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 512))
from salvo.server.serving import _connections
print(_connections(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def test_fewer_connections_are_served_than_files_can_be_opened() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    connections, files = map(int, done.stdout.split())
    assert files == 512
    assert 0 < connections < files
