"""A user's own sentences, rewritten about other persons (Prabhakaran et al. 2019)."""
