"""Tools for linguists: start a language, look at its sentences, exchange sheets with translators."""
