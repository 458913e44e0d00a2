"""The benchmarks behind the numbers in the documents.

Each is a module with a dataclass ``Settings``, whose fields are its options, and a function ``run``
that yields lines as results come in, so that a long run can be followed; the last line is JSON,
with the headline number under ``ratio``. `python -m benchmarks NAME` prints the lines, a notebook
can read them.
"""
