"""Fits ratings to the games of two players, with intervals, and says what they rest on."""
