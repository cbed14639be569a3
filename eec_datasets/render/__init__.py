"""Locale × persons × items → sentences: a choice of variants, its frames, the items that they give."""
