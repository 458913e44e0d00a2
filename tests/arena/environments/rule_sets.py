"""Random rule sets that environments can show, and a layout by each."""

from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from arena.errors import RulesError
from arena.rules import Layout, Rules, Ship, draw


@st.composite
def games(pick: st.DrawFn) -> tuple[Rules, Layout, Layout]:
    """Draw a small rule set and two layouts."""
    lengths = pick(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    fleet_known = pick(st.booleans())
    try:
        rules = Rules(
            name="drawn",
            rows=pick(st.integers(1, 5)),
            columns=pick(st.integers(1, 5)),
            fleet=tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths)),
            shots=pick(st.sampled_from([1, 1, 2, 3, 7] + ["afloat", "by-ship"] * fleet_known)),
            again=pick(st.booleans()),
            sinkings=pick(st.sampled_from(["unnamed", "silent"] + ["named"] * fleet_known)),
            touching=pick(st.sampled_from(["allowed", "corners", "never"])),
            end=pick(st.sampled_from(["at-once", "equal-turns"])),
            turn_limit=pick(st.none() | st.integers(1, 8)),
            layouts=pick(st.sampled_from(["uniform", "sequential"])),
            fleet_known=fleet_known,
        )
        random = Random(pick(st.integers(0, 2**32)))
        return rules, draw(rules, random), draw(rules, random)
    except RulesError:
        assume(condition=False)
        raise
