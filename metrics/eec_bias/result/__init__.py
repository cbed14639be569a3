"""The result: its rows, what they say, and the forms in which they are shown and saved."""
