"""What options of commands promise: their limits, their defaults, and how they are given."""

from collections.abc import Iterator

import click
import pytest

from salvo.cli.main import salvo


def commands(command: click.Command, *path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command that is no group of others, with its words; trainers are settings."""
    if not isinstance(command, click.Group):
        yield " ".join(path), command
    elif path != ("train",):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, *path, name)


COMMANDS = dict(commands(salvo))
OPTIONS = {
    f"{words} {param.opts[0]}": param
    for words, command in COMMANDS.items()
    for param in command.params
}


def named(kind: str) -> tuple[set[str], set[str]]:
    """Return the names of the options for which something holds, and where it does not hold."""
    holds = {name for name, option in OPTIONS.items() if getattr(option, kind, False)}
    names = {name.rpartition(" ")[2] for name in holds}
    return names, {name for name in OPTIONS.keys() - holds if name.rpartition(" ")[2] in names}


def test_help_says_what_holds_where_an_option_is_not_given() -> None:
    without: set[str] = set()
    for name, option in OPTIONS.items():
        if isinstance(option, click.Option) and not (option.is_flag or option.multiple):
            told = option.get_help_record(click.Context(COMMANDS[name.rpartition(" ")[0]]))
            assert told is not None
            if option.to_info_dict()["default"] is not None and "[default: " not in told[1]:
                without.add(name)
    assert without == set()


@pytest.mark.parametrize(
    ("option", "default"),
    [
        ("tournament --games", "(200, in the default field 20)"),
        ("solo --layouts", "(500, in the default field 100)"),
        ("match --seed", "20091"),
        ("match --load-time", "10.0"),
        ("match --move-time", "2.0"),
        ("match --game-time", "60.0"),
        ("match --max-memory", "4096"),
        ("match --max-temporary", "64"),
        ("match --workers", "(one per core)"),
        ("serve --port", "8000"),
        ("serve --max-upload", "16"),
        ("site --games", "20"),
        ("benchmark --shots", "0"),
        ("benchmark --adjusted", "0"),
    ],
)
def test_number_that_holds_where_none_is_given(option: str, default: str) -> None:
    found = OPTIONS[option]
    assert isinstance(found, click.Option)
    assert found.get_help_extra(click.Context(salvo))["default"] == default


@pytest.mark.parametrize(
    ("option", "least", "most"),
    [
        ("tournament --games", 2, None),
        ("tournament --layouts", 0, None),
        ("tournament --seed", 0, None),
        ("tournament --workers", 1, None),
        ("tournament --max-memory", 1024, 65_536),
        ("tournament --max-temporary", 0, 65_536),
        ("match --games", 2, None),
        ("verify --seed", 0, None),
        ("play --seed", 0, None),
        ("play --clock", 1, 86_400),
        ("submit --seed", 0, None),
        ("submit --games", 2, None),
        ("submit --layouts", 0, None),
        ("serve --port", 0, 65_535),
        ("serve --workers", 1, 64),
        ("serve --max-upload", 1, 1024),
        ("site --games", 0, 1000),
        ("operate workers count", 1, 64),
        ("operate people count", 0, 200),
        ("operate forget --invite", 1, None),
        ("operate tournament --games", 2, None),
        ("operate tournament --looks", 1, 10),
        ("benchmark --shots", 0, 1_000_000_000_000),
        ("benchmark --layouts", 2, None),
        ("benchmark --fresh", 0, None),
        ("benchmark --adjusted", 0, None),
    ],
)
def test_number_is_taken_up_to_its_limits(option: str, least: int, most: int | None) -> None:
    def taken(number: int) -> object:
        return OPTIONS[option].type.convert(str(number), None, None)

    assert taken(least) == least
    with pytest.raises(click.BadParameter, match="is too small"):
        taken(least - 1)
    if most is None:
        assert taken(10**15) == 10**15
        return
    assert taken(most) == most
    with pytest.raises(click.BadParameter, match="is too large"):
        taken(most + 1)


def test_flags_take_no_value() -> None:
    flags, others = named("is_flag")
    assert flags == {
        *("--adjusted", "--all", "--allow-processes", "--browser", "--common-layouts"),
        *("--explain", "--first", "--forfeits", "--posterior", "--public", "--rated"),
        *("--second", "--stderr", "--without-forfeits", "--yes"),
    }
    assert others == {"benchmark --adjusted"}  # of so many games


def test_options_that_may_be_repeated() -> None:
    repeated, others = named("multiple")
    assert repeated == {
        *("--allow-network", "--grant", "--host-name", "--secret", "--task", "--trusted-proxy")
    }
    assert others == set()


def test_arguments_that_may_be_left_out_or_be_many() -> None:
    arguments = {
        name: option for name, option in OPTIONS.items() if isinstance(option, click.Argument)
    }
    assert {name for name, one in arguments.items() if not one.required} == {
        *("tournament bots", "solo bots", "verify bots", "play bot", "submit bot", "rules chosen"),
        *("operate forget name", "operate invite labels", "operate set values"),
        "benchmark agents",
    }
    assert {name for name, one in arguments.items() if one.nargs == -1} == {
        *("tournament bots", "solo bots", "merge records", "verify bots"),
        *("operate invite labels", "operate set values", "benchmark agents"),
    }
