"""Decides what of the network an address may stand for.

A name is looked up by the arena, and may lead to public addresses only: whoever owns a name could
else have it lead to what is behind the operator's own walls, such as the metadata that clouds hand
out at 169.254.169.254. What is private is reached only where it is written as its number, or as
``localhost``.
"""

import ipaddress
import re
import socket
from typing import NamedTuple

MOST_PORT = 65_535

_NAME = re.compile(
    r"(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
)
_LOOPBACK = "localhost"
_EMBEDDING = ipaddress.ip_network("64:ff9b::/96")
"""Where a network translates addresses: the last four bytes are one of IPv4."""
_EMBEDDING_LOCALLY = ipaddress.ip_network("64:ff9b:1::/48")
"""The same within a network, which Python 3.11 takes for public."""

_Ip = ipaddress.IPv4Address | ipaddress.IPv6Address


class Address(NamedTuple):
    """A host, by its name in small letters or its number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def ip(self) -> _Ip | None:
        """The number of the host; None if it is a name."""
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None


PROXY = Address("127.0.0.1", 3128)
"""Where a bot with the network finds the proxy, in its box."""


def parse_address(text: str) -> Address:
    """Return the address that a text, ``HOST:PORT`` or ``[IPV6]:PORT``, stands for.

    Raises:
        ValueError: If it is none, with what is wrong with it.
    """
    host, colon, digits = text.rpartition(":")
    if not colon or not host:
        raise ValueError(f"{text!r} is no address; write HOST:PORT, as in api.example.org:443")
    if not re.fullmatch("[1-9][0-9]{0,4}", digits) or int(digits) > MOST_PORT:
        raise ValueError(f"{text!r} has no port; write HOST:PORT, with a port of 1 to {MOST_PORT}")
    port = int(digits)
    if host.startswith("[") and host.endswith("]"):
        try:
            return Address(str(ipaddress.IPv6Address(host[1:-1].partition("%")[0])), port)
        except ValueError:
            raise ValueError(f"{text!r}: {host} is no address of IPv6") from None
    name = host.lower().removesuffix(".")
    try:
        return Address(str(ipaddress.IPv4Address(name)), port)
    except ValueError:
        pass
    # The last part of a name that the system would take for a number, such as 0x7f.1, is one.
    if not _NAME.fullmatch(name) or re.fullmatch("[0-9]+|0x[0-9a-f]*", name.rpartition(".")[2]):
        raise ValueError(
            f"{text!r}: {host!r} is no host; write a name in ASCII without *, four numbers, or "
            "an address of IPv6 in brackets"
        )
    return Address(name, port)


def resolve(address: Address) -> list[str]:
    """Return the numbers that a host stands for now, in the order in which to try them.

    Raises:
        OSError: If there is none, or none that the address may stand for.
    """
    if address.ip is not None:
        return [address.host]
    found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    numbers = list(dict.fromkeys(str(place[0]) for *_, place in found))
    if address.host == _LOOPBACK:
        allowed = [number for number in numbers if ipaddress.ip_address(number).is_loopback]
    else:
        allowed = [number for number in numbers if is_public(number)]
    if not allowed:
        raise PermissionError(f"{address.host} stands for {', '.join(numbers)}, which is private")
    return allowed


def is_public(number: str) -> bool:
    """Return whether an address is one of the public network's, whatever it embeds too."""
    ip = ipaddress.ip_address(number)
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id or ip in _EMBEDDING_LOCALLY:
            return False
        inner = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
        if ip in _EMBEDDING:
            inner.append(ipaddress.IPv4Address(ip.packed[-4:]))
        if any(one is not None and not is_public(str(one)) for one in inner):
            return False
    return ip.is_global and not ip.is_multicast
