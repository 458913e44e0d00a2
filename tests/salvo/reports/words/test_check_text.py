"""The steps of a check in words."""

from arena.conformance import Exchange, Step
from salvo.reports.words.check_text import describe_step, failed, summary

OK = Step(1, "starts", "ok", 0.125, "Ann\x07")
BAD = Step(2, "shoots legally", "failed", 12.0, "it does not")
SKIPPED = Step(13, "exits when it should", "skipped", 1.0)
WARNED = Step(3, "is quiet", "warning", 0.5, "it wrote", stderr="\n".join("abcdefg"))


def test_step_is_a_line() -> None:
    lines = [line for step in (OK, BAD, SKIPPED) for line in describe_step(step)]
    assert lines == [
        "  1  ok    starts                                   0.12 s  Ann\\x07",
        "  2  FAIL  shoots legally                          12.00 s  it does not",
        " 13  -     exits when it should",
    ]


def test_last_lines_of_stderr_are_below() -> None:
    head, *below = describe_step(WARNED)
    assert head == "  3  warn  is quiet                                 0.50 s  it wrote"
    assert below == [
        "       stderr: ... 2 lines before",
        *(f"       stderr: {letter}" for letter in "cdefg"),
    ]


def test_exchange_that_failed_is_shown_whole_but_for_long_lines() -> None:
    exchange = Exchange("shoot", None, "cells\n" + "x" * 601 + "\n" + "y" * 600)
    step = Step(5, "shoots", "failed", 0.5, "nothing", exchange)
    assert "\n".join(describe_step(step)).splitlines() == [
        "  5  FAIL  shoots                                   0.50 s  nothing",
        "",
        "  sent:       shoot",
        "",
        "  came back:  nothing",
        "",
        "  expected:   cells",
        f"              {'x' * 600}... (601 characters)",
        f"              {'y' * 600}",
        "",
        "  stderr:     nothing",
    ]


def test_stderr_of_a_step_that_failed_is_longer() -> None:
    exchange = Exchange("shoot", "{}", "cells")
    text = "\n".join(map(str, range(30)))
    step = Step(5, "shoots", "failed", 0.5, "", exchange, text)
    lines = "\n".join(describe_step(step)).splitlines()
    assert lines[-22:] == [
        "  stderr:",
        "    ... 10 lines before",
        *(f"    {n}" for n in range(10, 30)),
    ]
    without = Step(5, "shoots", "failed", 0.5, "", None, text)
    assert len(list(describe_step(without))) == 22


def test_steps_are_counted_by_verdict() -> None:
    assert summary([OK, BAD, SKIPPED, OK]) == "4 steps: 2 ok, 1 failed, 1 skipped"
    assert summary([WARNED]) == "1 steps: 1 warning"
    assert failed([OK, BAD])
    assert not failed([OK, WARNED, SKIPPED])
