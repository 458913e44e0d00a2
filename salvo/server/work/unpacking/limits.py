"""What an archive may hold, and what may be spent on reading it."""

from msgspec import Struct

_MB = 1_000_000


class Limits(Struct, frozen=True):
    """What an archive may hold, and what may be spent on reading it.

    Attributes:
        files: Files and folders.
        mb: Megabytes of all files together, unpacked.
        depth: Folders inside each other.
        ratio: How many times larger all may be than the archive.
        memory_mb: The memory that reading it may take, in megabytes.
        cpu_s: The processor time that reading it may take, in seconds.
        wall_s: The time that it may take in all, in seconds.
    """

    files: int = 1000
    mb: int = 64
    depth: int = 8
    ratio: int = 200
    memory_mb: int = 256
    cpu_s: float = 5.0
    wall_s: float = 30.0

    def max_bytes(self, packed: int | None = None) -> int:
        """Return how many bytes all files may have; fewer for an archive of so many."""
        most = self.mb * _MB
        return most if packed is None else min(most, max(_MB, self.ratio * packed))


LIMITS = Limits()
