"""Answers HTTP requests: pages, the API, and who may see what."""
