"""Addresses mean one thing, and names lead to nothing private."""

import socket
from typing import Any

import pytest

from arena.isolation.network import addresses
from arena.isolation.network.addresses import is_public, parse_address, resolve


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("api.example.org:443", "api.example.org:443"),
        ("API.Example.org.:443", "api.example.org:443"),
        ("localhost:8080", "localhost:8080"),
        ("127.0.0.1:1", "127.0.0.1:1"),
        ("[::1]:65535", "[::1]:65535"),
        ("[0:0::1]:80", "[::1]:80"),
    ],
)
def test_address_has_one_form(text: str, canonical: str) -> None:
    assert str(parse_address(text)) == canonical
    assert str(parse_address(canonical)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", ":443", "host", "host:", "host:0", "host:65536", "host:-1", "host:+1", "host:٣"),
        *("host: 443", " host:443", "*.example.org:443", "host:443/x", "user@host:443", "a..b:1"),
        *("127.1:80", "0x7f.1:80", "2130706433:80", "0177.0.0.1:80", "1.2.3:80", "1.2.3.256:80"),
        *("::1:80", "[::1:80", "[fe80::1%]x:80", "bücher.example:443", "a\0b:443", "a\r\nb:443"),
        *("https://host:443", "-a.example:443", f"{'a' * 64}.example:443", "host.0x7f:80"),
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no|has no"):
        parse_address(text)


@pytest.mark.parametrize(
    "number",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.1"),
        *("100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1"),
        *("::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1"),
        *("::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a9fe:a9fe::1"),
        *("2001:db8::1", "64:ff9b:1::1", "2001:0:7f00:1::"),
    ],
)
def test_private_numbers_are_not_public(number: str) -> None:
    assert not is_public(number)


@pytest.mark.parametrize(
    "number", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101"]
)
def test_public_numbers_are_public(number: str) -> None:
    assert is_public(number)


def lead_to(numbers: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_args: object, **_given: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, 443)) for number in numbers]

    monkeypatch.setattr(addresses.socket, "getaddrinfo", found)


def test_names_lead_to_public_numbers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    address = parse_address("api.example.org:443")
    lead_to(["10.0.0.1", "1.1.1.1", "::1"], monkeypatch)
    assert resolve(address) == ["1.1.1.1"]
    lead_to(["127.0.0.1", "169.254.169.254"], monkeypatch)
    with pytest.raises(
        OSError, match=r"stands for 127\.0\.0\.1, 169\.254\.169\.254, which is private"
    ):
        resolve(address)


def test_what_is_private_is_reached_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lead_to(["10.0.0.1", "127.0.0.1"], monkeypatch)
    assert resolve(parse_address("localhost:443")) == ["127.0.0.1"]
    assert resolve(parse_address("10.0.0.7:443")) == ["10.0.0.7"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("host", "'host' is no address; write HOST:PORT, as in api.example.org:443"),
        (":443", "':443' is no address; write HOST:PORT, as in api.example.org:443"),
        ("host:65536", "'host:65536' has no port; write HOST:PORT, with a port of 1 to 65535"),
        ("host:0443", "'host:0443' has no port; write HOST:PORT, with a port of 1 to 65535"),
        ("host:100000", "'host:100000' has no port; write HOST:PORT, with a port of 1 to 65535"),
        ("[1.2.3.4]:1", "'[1.2.3.4]:1': [1.2.3.4] is no address of IPv6"),
        (
            "a.0x1:1",
            (
                "'a.0x1:1': 'a.0x1' is no host; write a name in ASCII without *, four "
                "numbers, or an address of IPv6 in brackets"
            ),
        ),
    ],
)
def test_what_is_wrong_with_an_address_is_said(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"is no|has no") as caught:
        parse_address(text)
    assert str(caught.value) == why


def test_names_have_63_characters_a_part_and_253_in_all() -> None:
    part = "a" * 63
    longest = ".".join([part, part, part, "a" * 61])
    assert parse_address(f"{longest}:1").host == longest
    for name in (f"{part}a.example", f"{longest}a"):
        with pytest.raises(ValueError, match="is no host"):
            parse_address(f"{name}:1")


def test_number_is_its_own_and_a_name_is_looked_up_for_streams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []

    def found(*given: object, **named: object) -> list[Any]:
        asked.append((given, named))
        inet, stream = socket.AF_INET, socket.SOCK_STREAM
        return [
            (inet, stream, 6, "", (number, 443)) for number in ("1.1.1.1", "8.8.8.8", "1.1.1.1")
        ]

    monkeypatch.setattr(addresses.socket, "getaddrinfo", found)
    assert resolve(parse_address("[fd00::1]:80")) == ["fd00::1"]
    assert asked == []
    assert resolve(parse_address("a.example:443")) == ["1.1.1.1", "8.8.8.8"]
    assert asked == [(("a.example", 443), {"type": socket.SOCK_STREAM})]


def test_scope_makes_a_number_private() -> None:
    assert is_public("2606:4700::1111")
    assert not is_public("2606:4700::1111%1")
    assert not is_public("2002:0a00:0001::1")
