"""Sends as many cells as a line has room for."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "cells": list(range(10_000))})
