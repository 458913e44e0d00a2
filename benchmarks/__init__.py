"""The benchmarks behind the numbers in the documents.

Each is a module with a function of the same name that yields lines as results come in, so that a
long run can be followed; the last line is JSON, with the headline number under ``ratio``. Nothing
is printed here: `python -m benchmarks NAME` prints the lines, a notebook can read them.
"""
