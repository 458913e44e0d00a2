"""Kills its own process."""

import os
import signal

from honest import play, third

play(shoot=third(lambda _: os.kill(os.getpid(), signal.SIGKILL)))
