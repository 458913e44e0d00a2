"""Changes the source in one place at a time, for ``python -m benchmarks mutants``."""
