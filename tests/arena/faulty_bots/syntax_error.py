"""Is no program at all."""

return  # noqa: F706
