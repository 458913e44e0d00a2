"""Kills its process group."""

import os
import signal

from honest import play, third

play(shoot=third(lambda _: os.killpg(0, signal.SIGKILL)))
