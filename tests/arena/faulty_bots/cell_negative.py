"""Shoots at a cell before the first."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "cells": [0, -1]})
