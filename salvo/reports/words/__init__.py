"""Says in words what the record shows."""
