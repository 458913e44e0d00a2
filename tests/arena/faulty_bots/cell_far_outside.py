"""Shoots at the largest cell that can be told."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "cells": [0, 2**53]})
