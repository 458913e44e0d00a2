"""Holds what learned bots share: weights with their origin, and what is computed from them."""
