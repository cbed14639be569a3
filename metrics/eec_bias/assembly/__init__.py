"""From what was observed to a result: analyses become rows, rows a result."""
