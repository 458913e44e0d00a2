"""Shoots twice at one cell in one salvo."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "cells": [3, 3]})
