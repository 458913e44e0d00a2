"""Shoots the moment the game begins."""

from honest import play

play(game=lambda _: {"type": "shots", "id": "0" * 16, "cells": [0, 1]})
