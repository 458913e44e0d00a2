"""Shoots beyond the last cell."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "cells": [0, 25]})
