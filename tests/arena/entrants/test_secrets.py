"""Each bot is given its own secrets alone; secrets for nobody are refused."""

import pytest

from arena.entrants import Terms, parse_secret
from arena.entrants.bot_names import looks_of, refuse_alike
from arena.entrants.secret import refuse_unasked
from arena.errors import BotError


def test_secret_is_a_bot_and_a_variable() -> None:
    assert parse_secret("chat=API_KEY") == ("chat", "API_KEY")
    assert str(parse_secret("chat@2=_k1")) == "chat@2=_k1"


@pytest.mark.parametrize("text", ["", "chat", "chat=", "=KEY", "chat=1KEY", "chat=A-B", "chat=A=B"])
def test_what_is_no_secret_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not BOT=VARIABLE, such as chat=API_KEY, with"):
        parse_secret(text)
    with pytest.raises(ValueError, match="is not BOT=VARIABLE"):
        Terms(secrets=(text,))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "bot 'chat': KEY, which it is to be given, is not set in the environment; set it"),
        ("", "bot 'chat': KEY, which it is to be given, is not set in the environment; set it"),
        ("1234567", "bot 'chat': KEY has fewer than 8 characters, too few to be told from"),
        ("12345678", None),
        ("\u00e9" * 4, None),
    ],
)
def test_secret_that_is_not_there_or_too_short_is_refused(
    monkeypatch: pytest.MonkeyPatch, value: str | None, told: str | None
) -> None:
    monkeypatch.delenv("KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("KEY", value)
    terms = Terms(secrets=("chat=KEY", "talk=OTHER"))
    terms.refuse_untold("chat", ())
    if told is None:
        terms.refuse_untold("chat", ("KEY",))
        return
    with pytest.raises(BotError) as refused:
        terms.refuse_untold("chat", ("KEY",))
    assert str(refused.value).startswith(told)


def test_secret_that_was_not_given_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER", "12345678")
    with pytest.raises(BotError, match="give it with --secret chat=OTHER, or in a league with"):
        Terms(secrets=("chat=KEY", "talk=OTHER")).refuse_untold("chat", ("OTHER",))


def test_secret_that_nobody_asks_for_is_refused() -> None:
    asked = {"chat": ("KEY",), "talk": (), "far": None}
    refuse_unasked(["chat=KEY", "far=OTHER"], asked)
    for secret, told in (
        ("chad=KEY", "--secret chad=KEY: no bot is called 'chad'; they are chat, talk, far"),
        ("chat=OTHER", "--secret chat=OTHER: chat does not ask for it; write secrets = ["),
        ("talk=KEY", '--secret talk=KEY: talk does not ask for it; write secrets = ["KEY"] in'),
    ):
        with pytest.raises(BotError) as refused:
            refuse_unasked([secret], asked)
        assert str(refused.value).startswith(told)


def test_two_names_that_are_the_same_are_refused() -> None:
    refuse_alike(["ada", "bob", "ada2"])
    with pytest.raises(BotError, match="two bots are called 'ada'; give one another name"):
        refuse_alike(["ada", "bob", "ada"])
    with pytest.raises(BotError, match="two bots are called 'Ada' and 'aDA'; give one another"):
        refuse_alike(["bob", "Ada", "aDA"])


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Bill_1", "b1ll1", True),
        ("corn", "com", True),
        ("vvin.d", "W-ind", True),
        ("0scar", "oscar", True),
        ("z2s5g9b8t7e3a4", "zzssggbbtteeaa", True),
        ("ada", "adb", False),
        ("bot6", "botb", False),
    ],
)
def test_names_that_people_take_for_each_other_look_the_same(
    one: str, other: str, *, alike: bool
) -> None:
    assert (looks_of(one) == looks_of(other)) is alike
