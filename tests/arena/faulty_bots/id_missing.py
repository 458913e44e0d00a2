"""Leaves out the id."""

from honest import play, shots

play(shoot=lambda m: {"type": "shots", "cells": shots(m)["cells"]})
