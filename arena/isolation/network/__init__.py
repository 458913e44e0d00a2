"""Gives a bot's box one way out of it: a proxy of the arena's that knows a few addresses.

A box has a network namespace of its own, with nothing in it. The proxy, a process outside, has a
single socket in there, at which the bot asks for one of the addresses that it was allowed
(``CONNECT``). The proxy looks the name up and connects; what it passes on it does not read.
"""

from arena.isolation.network.addresses import Address, parse_address, resolve
from arena.isolation.network.outlet import VARIABLES, Outlet
