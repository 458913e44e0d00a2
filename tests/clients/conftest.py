"""These tests use what other environments than ``clients`` do not have."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("sb3_contrib") else ["test_*.py"]
