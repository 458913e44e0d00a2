"""A line of what a bot wrote to stderr says why it ended."""

import time

import pytest

from arena.player import last_words

PYTHON = """\
Traceback (most recent call last):
  File "/home/ada/mine.py", line 40, in <module>
    run(Mine)
  File "/home/ada/mine.py", line 12, in choose_shots
    return random.sample([1], count)
           ^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/usr/lib/python3.11/random.py", line 456, in sample
    raise ValueError("Sample larger than population or is negative")
ValueError: Sample larger than population or is negative
"""
SYNTAX = """\
  File "/home/ada/mine.py", line 2
    class Mine(Bot)
                   ^
SyntaxError: expected ':'
"""
CHAINED = (
    PYTHON
    + "\nDuring handling of the above exception, another exception occurred:\n\n"
    + (
        'Traceback (most recent call last):\n  File "/home/ada/mine.py", line 14, in retry\n'
        "    raise Lost('it is lost')\nmine.Lost: it is lost\nand this is its second line\n"
    )
)
IGNORED = PYTHON + (
    "Exception ignored in: <_io.TextIOWrapper name='<stdout>'>\n"
    "Traceback (most recent call last):\nBrokenPipeError: [Errno 32] Broken pipe\n"
)
NODE = """\
/home/ada/bot.js:3
throw new Error("no plan")
^

Error: no plan
    at Object.<anonymous> (/home/ada/bot.js:3:7)
    at Module._compile (node:internal/modules/cjs/loader:1105:14)

Node.js v18.19.0
"""
DOTNET = """\
Unhandled exception. System.InvalidOperationException: no plan
 ---> System.Exception: inner
   at Bot.Main() in /home/ada/Bot.cs:line 3
   --- End of inner exception stack trace ---
"""
MONO = """\
Unhandled Exception:
System.InvalidOperationException: no plan
  at Bot.Main () [0x00001] in <0123>:0
[ERROR] FATAL UNHANDLED EXCEPTION: System.InvalidOperationException: no plan
  at Bot.Main () [0x00001] in <0123>:0
"""
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: no plan
\tat Bot.main(Bot.java:5)
"""
JVM = """\
Error occurred during initialization of VM
Could not reserve enough space for 2097152KB object heap
Error: Could not create the Java Virtual Machine.
Error: A fatal exception has occurred. Program will exit.
"""
TENSORFLOW = """\
2024-01-01 00:00:00.1: I tensorflow/core/platform/cpu_feature_guard.cc:182] optimized
2024-01-01 00:00:00.2: F tensorflow/core/platform/env.cc:307] Check failed: ret == 0 (11 vs. 0)
*** SIGABRT received at time=1700000000 ***
PC: @     0x7f0000000000  (unknown)  (unknown)
"""
RUST = """\
thread 'main' panicked at src/main.rs:2:5:
no plan
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
GO = "panic: no plan\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/ada/bot.go:4 +0x1d\n"
CPP = "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n"
LUA = "lua: bot.lua:3: no plan\nstack traceback:\n\t[C]: in function 'error'\n"


@pytest.mark.parametrize(
    ("stderr", "words"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("thinking\nno more \n\n", "no more", id="any words"),
        pytest.param(
            PYTHON,
            "ValueError: Sample larger than population or is negative (mine.py, line 12)",
            id="python",
        ),
        pytest.param(SYNTAX, "SyntaxError: expected ':' (mine.py, line 2)", id="syntax error"),
        pytest.param(CHAINED, "mine.Lost: it is lost (mine.py, line 14)", id="of two exceptions"),
        pytest.param(
            IGNORED,
            "ValueError: Sample larger than population or is negative (mine.py, line 12)",
            id="noise at the end of Python",
        ),
        pytest.param(
            PYTHON + "Exception ignored in: <function f at 0x7f>\n",
            "ValueError: Sample larger than population or is negative (mine.py, line 12)",
            id="noise at the end of Python that was cut",
        ),
        pytest.param(
            PYTHON.replace("Sample larger than", "mine.py, line 12, has more than the"),
            "ValueError: mine.py, line 12, has more than the population or is negative",
            id="place that the exception names",
        ),
        pytest.param("  one\n  two\n", "two", id="lines of a stack alone"),
        pytest.param(
            '  File "/home/ada/mine.py", line 2\nmoving on\nError: no plan\n',
            "Error: no plan",
            id="place of something else",
        ),
        pytest.param(NODE, "Error: no plan", id="node"),
        pytest.param(
            "b.sh: line 11: syntax error near unexpected token `)'\nb.sh: line 11: `  hello)'\n",
            "b.sh: line 11: syntax error near unexpected token `)'",
            id="bash",
        ),
        pytest.param(
            "/usr/bin/env: 'bash\\r': No such file or directory\n/usr/bin/env: use -[v]S to pass\n",
            "/usr/bin/env: 'bash\\r': No such file or directory",
            id="lines that end as on Windows",
        ),
        pytest.param(
            DOTNET, "Unhandled exception. System.InvalidOperationException: no plan", id=".NET"
        ),
        pytest.param(
            MONO,
            "[ERROR] FATAL UNHANDLED EXCEPTION: System.InvalidOperationException: no plan",
            id="mono",
        ),
        pytest.param(
            JAVA,
            'Exception in thread "main" java.lang.IllegalStateException: no plan',
            id="java",
        ),
        pytest.param(
            JVM,
            "Error occurred during initialization of VM Could not reserve enough space for "
            "2097152KB object heap",
            id="JVM without memory",
        ),
        pytest.param(
            TENSORFLOW,
            "2024-01-01 00:00:00.2: F tensorflow/core/platform/env.cc:307] Check failed: ret == 0 "
            "(11 vs. 0)",
            id="tensorflow",
        ),
        pytest.param(RUST, "thread 'main' panicked at src/main.rs:2:5: no plan", id="rust"),
        pytest.param(GO, "panic: no plan", id="go"),
        pytest.param(
            CPP, "terminate called after throwing an instance of 'std::bad_alloc'", id="C++"
        ),
        pytest.param(LUA, "lua: bot.lua:3: no plan", id="lua"),
    ],
)
def test_the_line_that_tells_is_found(stderr: str, words: str) -> None:
    assert last_words(stderr) == words


def test_a_long_line_is_cut() -> None:
    assert len(last_words("x" * 5000)) == 300


@pytest.mark.parametrize("before", [PYTHON, NODE, GO], ids=["python", "node", "go"])
def test_what_failed_long_before_is_not_why_a_bot_ended(before: str) -> None:
    assert last_words(before + "moving on\n" * 30 + "enough") == "enough"


@pytest.mark.parametrize(("lines", "words"), [(14, "Error: no plan"), (15, "moving on")])
def test_what_failed_is_among_the_last_fifteen_lines(lines: int, words: str) -> None:
    assert last_words("Error: no plan\n" + "moving on\n" * lines) == words
    raised = "Traceback (most recent call last):\nmine.Lost: no plan\n" + "moving on\n" * lines
    assert last_words(raised) == ("mine.Lost: no plan" if lines == 14 else words)


@pytest.mark.parametrize("word", ["x", "E", "Error", "/", " x", ":"])
def test_a_long_word_costs_no_more_than_its_length(word: str) -> None:
    started = time.process_time()
    last_words(word * (65_536 // len(word)))
    assert time.process_time() - started < 2  # 0.01 s; by the square of the length, 25 s
