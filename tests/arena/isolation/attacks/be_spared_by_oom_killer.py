"""Have others ended before itself when memory runs out."""

from pathlib import Path

from hostile import reached

Path("/proc/self/oom_score_adj").write_text("0")
reached(Path("/proc/self/oom_score_adj").read_text())
