"""Limits how fast requests may come from an address, and says what counts as one address."""

import ipaddress
import time

_MAPPED_BITS = 96  # with which IPv6 addresses of IPv4 begin alike
_SITE_BITS = 64  # of an IPv6 address: whoever has one has all addresses that begin alike


def one_address(text: str) -> str:
    """Return as what an address counts: an IPv6 address as its network."""
    try:
        address = plain_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.ip_network((address, _SITE_BITS), strict=False))


def plain_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address; one of IPv4 that came by a socket of IPv6 as what it is.

    Raises:
        ValueError: If it is none.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def plain_network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Return an address or a network; those of IPv4 written as of IPv6 as what they are.

    Raises:
        ValueError: If it is none.
    """
    network = ipaddress.ip_network(text)
    mapped = getattr(network.network_address, "ipv4_mapped", None)
    if mapped is None:
        return network
    return ipaddress.ip_network((mapped, network.prefixlen - _MAPPED_BITS))


class RateLimit:
    """Counts what comes from each address: ``rate`` a second in the long run, ``burst`` at once."""

    _LEAST_ROOM = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: dict[str, tuple[float, float]] = {}
        self._room = self._LEAST_ROOM

    def take(self, address: str) -> bool:
        """Return whether one more may come from an address, and count it."""
        now = time.monotonic()
        if len(self._left) >= self._room:
            self._forget(now)
        left, before = self._left.get(address, (self._burst, now))
        left = min(self._burst, left + (now - before) * self._rate)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        return left >= 1

    def _forget(self, now: float) -> None:
        """Forget those that are back to a full burst: a new entry says the same of them."""
        self._left = {
            address: (left, before)
            for address, (left, before) in self._left.items()
            if left + (now - before) * self._rate < self._burst
        }
        self._room = max(self._LEAST_ROOM, 2 * len(self._left))
