"""The benchmarks behind the numbers in the documents.

Each is a module with a function of its name that yields lines as they are found, so that a long
one can be followed; the last is one line of JSON with its headline under ``ratio``. Nothing is
printed here: `salvo bench NAME` prints the lines, a notebook can read them.
"""
