"""The page: choose a corpus, download its sentences, upload scores, read the result; for ``eec app`` and the Space."""
