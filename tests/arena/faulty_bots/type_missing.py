"""Leaves out the type."""

from honest import play, shots

play(shoot=lambda m: {"id": m["id"], "cells": shots(m)["cells"]})
