"""Makes the options that several commands share."""
