"""Features: what is unusual about a rule set, and the refusal of what a reader does not know."""

from typing import Any

import pytest

from arena.errors import RulesError
from arena.rules import FIRST_FEATURES, PRESETS, Rules, Ship, preset, refuse_unknown, unusual, view


class Opening(Rules, frozen=True, kw_only=True, omit_defaults=True):
    unheard_of: int = 1


class Bent(Ship, frozen=True):
    shape: str = "straight"


def rules(**fields: Any) -> Rules:  # noqa: ANN401 - the fields of Rules
    return Rules(name="tiny", rows=4, columns=4, fleet=(Ship("Ferry", 2), Ship("Tug", 1)), **fields)


def test_the_plain_game_has_no_features() -> None:
    assert unusual(preset("classic")) == frozenset()


@pytest.mark.parametrize(
    ("fields", "features"),
    [
        ({"shots": 2}, {"shots"}),
        ({"shots": "by-ship"}, {"shots=by-ship"}),
        ({"told": "count", "lies": 0}, {"told=count"}),
        ({"moves": True, "reshoot": True}, {"moves", "reshoot"}),
        ({"turn_limit": 9, "countdown": 2}, {"turn_limit", "countdown"}),
        ({"fleet_known": False, "sinkings": "silent"}, {"fleet_known", "sinkings=silent"}),
    ],
)
def test_a_feature_has_the_name_of_its_field_and_of_a_word(
    fields: dict[str, Any], features: set[str]
) -> None:
    assert unusual(rules(**fields)) == features


def test_features_of_the_first_version_are_fixed() -> None:
    # A later feature in this set would be taken as understood by whatever declares the whole set.
    assert sorted(FIRST_FEATURES) == [
        "again", "countdown", "end=equal-turns", "fleet_known", "hits_named", "layouts=sequential",
        "lies", "moves", "reshoot", "shots", "shots=afloat", "shots=by-ship", "sinkings=silent",
        "sinkings=unnamed", "sunk_cells", "told=count", "told=count-by-ship", "touching=corners",
        "touching=never", "turn_limit",
    ]  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_bots_see_the_same_features(name: str) -> None:
    assert unusual(view(preset(name))) == unusual(preset(name)) <= FIRST_FEATURES


def test_new_fields_of_rules_and_ships_are_features_by_themselves() -> None:
    fleet = (Bent("Hook", 3, shape="bent"), Ship("Tug", 1))
    assert unusual(Opening(name="new", rows=4, columns=4, fleet=fleet, unheard_of=5)) == {
        "unheard_of",
        "fleet.shape=bent",
    }


def test_a_refusal_names_reader_field_value_and_fix() -> None:
    told = r"rules 'tiny', moves: true: the judge knows no ships that move; set moves to false"
    with pytest.raises(RulesError, match=told):
        refuse_unknown(
            rules(moves=True, reshoot=True),
            frozenset({"reshoot"}),
            "the judge knows no ships that move",
        )


def test_a_feature_without_a_plain_value_is_to_be_left_out() -> None:
    with pytest.raises(RulesError, match=r"turn_limit: 9: the judge; leave turn_limit out"):
        refuse_unknown(view(rules(turn_limit=9)), frozenset(), "the judge")


def test_fleet_that_a_bot_does_not_know_is_refused_by_its_view_too() -> None:
    unknown = view(rules(fleet_known=False, sinkings="unnamed"))
    told = r"^rules, fleet_known: false: the judge; set fleet_known to true$"
    with pytest.raises(RulesError, match=told):
        refuse_unknown(unknown, frozenset({"sinkings=unnamed"}), "the judge")


def test_a_known_field_with_an_unknown_word_is_refused() -> None:
    with pytest.raises(RulesError, match="sinkings: silent"):
        refuse_unknown(rules(sinkings="silent"), frozenset({"sinkings=unnamed"}), "the judge")


def test_rules_that_the_view_lacks_do_not_get_lost_on_the_way_to_bots() -> None:
    with pytest.raises(TypeError, match="unheard_of"):
        view(Opening(name="new", rows=4, columns=4, fleet=(Ship("Tug", 1),), unheard_of=5))
