"""The bundled bots: one file a bot, and rooms for what several of them share."""
