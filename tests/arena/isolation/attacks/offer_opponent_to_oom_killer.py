"""Have the opponent ended first when memory runs out."""

from pathlib import Path

from hostile import targets

Path(f"/proc/{targets['opponent_pid']}/oom_score_adj").write_text("900")
