"""Read the memory of the opponent with process_vm_readv."""

import ctypes
import struct

from hostile import call, targets, tell

size = targets["secret_size"]
buffer = ctypes.create_string_buffer(size)
local = struct.pack("=QQ", ctypes.addressof(buffer), size)
remote = struct.pack("=QQ", targets["opponent_address"], size)
call(310, 270, targets["opponent_pid"], local, 1, remote, 1, 0)
tell(buffer.raw)
