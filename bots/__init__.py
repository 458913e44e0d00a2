"""The bundled bots, one file each, and bots.tactics, which holds what several of them share."""
