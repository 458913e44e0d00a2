"""Shoots where its fleet is due."""

from honest import play

play(place=lambda m: {"type": "shots", "id": m["id"], "cells": [0]})
