"""Unpacks what was uploaded: a file, or a folder as ``.zip`` or ``.tar.gz``, within limits.

``unpack.py`` starts ``archive_reader.py`` as a process in the sandbox, and ends it
at its limits of time. What comes from it is not trusted: ``entries.py`` counts bytes as they come
out, takes names apart and puts them together again, and refuses what is neither file nor folder.
"""

from salvo.server.work.unpacking.entries import LIMITS, Limits
from salvo.server.work.unpacking.unpack import suffix_of, unpack

__all__ = ["LIMITS", "Limits", "suffix_of", "unpack"]
