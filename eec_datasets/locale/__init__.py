"""Locale files → a checked `Locale`: the model, the readers, the template language, agreement, finishing."""
