"""Other people's corpora: files made in the manner of the Equity Evaluation Corpus, checked, and read into our schema.

Nothing here ships or downloads such a file; users bring their own.
"""
