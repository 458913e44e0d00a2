"""Fires more shots than are due."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "cells": [0, 1, 2]})
