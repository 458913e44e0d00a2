"""Leave a key in the keyring of the user."""

from hostile import call, targets

call(248, 217, b"user", targets["token"].encode(), b"left", 4, -4)
