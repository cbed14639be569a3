"""Templates × persons × words → sentences: frames, items, blocks."""
