"""These tests use what other environments than ``clients`` do not have."""

import importlib
from importlib.util import find_spec

collect_ignore_glob = ["test_*.py"]
if find_spec("sb3_contrib") is not None:
    collect_ignore_glob = []
    # Threads that wait for each other take minutes on a busy machine, and bring nothing here.
    importlib.import_module("torch").set_num_threads(1)
