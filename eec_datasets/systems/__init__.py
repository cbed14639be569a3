"""Systems under audit: from what is typed after ``--system`` to saved scores."""
