"""Says how many shots a turn a solo shooter has."""

from arena.rules import FIRST_FEATURES, Rules, refuse_unknown


def solo_shots(rules: Rules) -> int:
    """Return the shots a turn of a solo shooter, which keeps its whole fleet.

    Raises:
        RulesError: If a feature of the rules may change that.
    """
    refuse_unknown(rules, FIRST_FEATURES, "the table of solo games does not know this rule")
    return rules.full_salvo
