"""Rules in words, as the report tells them."""

import msgspec
import pytest

from arena.rules import PRESETS, preset
from salvo.reports.words.rules_text import describe_rules


@pytest.mark.parametrize("name", PRESETS)
def test_rules_are_described_in_words_and_not_by_their_fields(name: str) -> None:
    told = describe_rules(preset(name))
    assert told["Rules"] == f"{name}: {PRESETS[name][1]}"
    fields = {"afloat", "by-ship", "cells", "count", "count-by-ship", "named", "unnamed", "silent"}
    assert not fields & set(told.values())


def test_custom_rules_named_like_a_preset_are_not_mistaken_for_it() -> None:
    rules = msgspec.structs.replace(preset("salvo"), rows=12)
    assert describe_rules(rules)["Rules"] == "salvo"


def test_shots_a_turn_are_described() -> None:
    assert (
        describe_rules(preset("salvo"))["Shots a turn"] == "as many as the shooter has ships afloat"
    )
    assert describe_rules(preset("classic"))["Shots a turn"] == "1"
    assert describe_rules(preset("again"))["Shots a turn"] == "1; who hits shoots again"
    ship = msgspec.structs.replace(preset("ramesh-1").fleet[0], name="Tug", shots=2)
    rules = msgspec.structs.replace(preset("ramesh-1"), shots="by-ship", fleet=(ship,))
    assert describe_rules(rules)["Shots a turn"] == "what the ships afloat give: Tug 2"


def test_rare_features_are_listed_only_where_they_apply() -> None:
    rare = {"Moves", "Cells shot", "Lies", "End at the latest", "Turns"}
    assert not rare & set(describe_rules(preset("salvo")))
    assert {"Moves", "Cells shot", "End at the latest"} <= set(describe_rules(preset("afp")))
    assert describe_rules(preset("lies"))["Lies"].startswith("at most 3 ")
    assert "Turns" in describe_rules(preset("equal-turns"))
