"""Change its root folder, towards an escape."""

import os

from hostile import reached

os.chroot("/usr")
reached("changed")
