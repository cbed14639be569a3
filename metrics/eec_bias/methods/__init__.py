"""The procedures of the papers, each a function that returns the same result."""
