"""A bundled bot: a network that learned where ships lie, its program and its weights."""
