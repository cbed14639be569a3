"""Many sentiment systems on the sentences of their languages: each in an environment of its own, all in one table."""
