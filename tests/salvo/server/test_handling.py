"""What requests ask for is read from their addresses."""

import pytest
from starlette.requests import Request

from salvo.server.errors import Refusal
from salvo.server.web.handling import address_of, number_of


def asked(query: str, **scope: object) -> Request:
    named = {"headers": [(b"host", b"here:81")], "query_string": query.encode()}
    return Request({"type": "http"} | named | scope)


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("", 5),
        ("most=1", 1),
        ("most=007", 7),
        ("most=10", 10),
        ("most=11", None),
        ("most=0", None),
        ("most=-1", None),
        ("most=", None),
        ("most=1.0", None),
        ("most=000000000000001", 1),
        ("most=0000000000000001", None),
    ],
)
def test_number_in_a_query_is_whole_and_within_limits(query: str, number: int | None) -> None:
    if number is not None:
        assert number_of(asked(query), "most", 5, 10) == number
        return
    with pytest.raises(Refusal, match="is not a whole number from 1 to 10") as refusal:
        number_of(asked(query), "most", 5, 10)
    assert refusal.value.status == 400


def test_links_lead_to_the_address_by_which_the_server_is_called() -> None:
    assert address_of(asked("", secure=False)) == "http://here:81"
    assert address_of(asked("", secure=True)) == "https://here:81"
