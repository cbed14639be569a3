"""Tools for linguists: start a language, look at its sentences, ask native readers."""
