import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import Rules, Ship, preset
from arena.seeds import DEFAULT_SEED, Seeds, fingerprint

SALVO = preset("salvo")
names = st.text(min_size=1, max_size=8)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**128), names, st.none() | names, st.integers(0, 10**6), st.integers(0, 4))
def test_seeds_are_integers_that_every_language_reads_exactly(
    seed: int, first: str, second: str | None, pair: int, attempt: int
) -> None:
    for value in Seeds(seed, SALVO).of_game(first, second, pair, attempt):
        assert type(value) is int
        assert 0 <= value < 2**53


def test_seeds_differ_by_tournament_rules_game_seat_and_attempt() -> None:
    seeds = [
        value
        for seed in (1, 2, 2**127)
        for rules in (SALVO, preset("classic"))
        for who in (("a", "b"), ("b", "a"), ("a", "c"), ("ab", "c"), ("a", "bc"), ("aa", "b"))
        for pair in range(11)
        for attempt in range(3)
        for value in Seeds(seed, rules).of_game(*who, pair, attempt)
    ]
    assert len(set(seeds)) == len(seeds)


def test_each_bot_alone_has_layouts_of_its_own_unless_they_are_common() -> None:
    common, own = Seeds(1, SALVO, common_layouts=True), Seeds(1, SALVO)
    assert common.of_game("a", None, 0)[1] == common.of_game("b", None, 0)[1]
    assert own.of_game("a", None, 0)[1] != own.of_game("b", None, 0)[1]
    assert common.of_game("a", None, 0)[0] != common.of_game("b", None, 0)[0]


def test_layout_that_comes_to_nothing_is_drawn_anew() -> None:
    seeds = Seeds(1, SALVO)
    assert seeds.of_game("a", None, 0, 1)[1] != seeds.of_game("a", None, 0)[1]


def test_name_of_the_rules_does_not_count() -> None:
    renamed = msgspec.structs.replace(SALVO, name="another")
    assert Seeds(1, renamed).of_game("a", "b", 3) == Seeds(1, SALVO).of_game("a", "b", 3)


def test_seeds_stay_what_they_were_when_the_family_of_games_grows() -> None:
    class GrownShip(Ship, frozen=True):
        rotates: bool = False

    class Grown(Rules, frozen=True, kw_only=True):
        weather: str = "fair"

    def seeds(kind: type[Rules], ship: type[Ship], **given: str) -> tuple[int, int]:
        rules = kind(name="mini", rows=4, columns=4, fleet=(ship("Boat", 2),), **given)
        return Seeds(1, rules).of_game("a", "b", 0)

    assert seeds(Grown, GrownShip) == seeds(Rules, Ship)
    assert seeds(Grown, GrownShip, weather="foul") != seeds(Rules, Ship)


@pytest.mark.parametrize(
    ("who", "seeds"),
    [
        (("hunt_target", None), (3491940918748737, 97121827666982)),
        (("hunt_target", "uniform_random"), (8559698679396712, 6313728978568129)),
    ],
)
def test_seeds_are_the_same_on_every_machine(
    who: tuple[str, str | None], seeds: tuple[int, int]
) -> None:
    assert Seeds(DEFAULT_SEED, SALVO).of_game(*who, 0) == seeds


def test_seeds_of_later_pairs_and_attempts_are_the_same_on_every_machine() -> None:
    seeds = Seeds(2**127 + 5, preset("afp"))
    assert seeds.of_game("a", "b", 3, 2) == (6842640869182706, 7149154145903610)
    assert seeds.of_game("a", None, 3, 2) == (8313345935906903, 4715430203126697)
    assert fingerprint("5") == "14feabded0eda3cae7fee04ef2a54b03"


def test_common_layouts_are_the_same_on_every_machine() -> None:
    common = Seeds(DEFAULT_SEED, SALVO, common_layouts=True)
    assert common.of_game("hunt_target", None, 0) == (3491940918748737, 2354216734244713)


def test_fingerprint_tells_secrets_apart_and_is_none_of_them() -> None:
    assert fingerprint("1") != fingerprint("2")
    assert "1234567" not in fingerprint("1234567")
