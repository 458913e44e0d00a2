"""Shoots at a cell of an earlier salvo."""

from honest import play, shots, third

play(shoot=third(lambda m: {**shots(m), "cells": [0, 10]}))
