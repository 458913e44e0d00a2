"""Closes stderr and plays on."""

import os

from honest import play

os.close(2)
play()
