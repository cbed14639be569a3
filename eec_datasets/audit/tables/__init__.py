"""Tables that users bring: files of many kinds, read, joined to a corpus by id or text, and written to be filled in."""
