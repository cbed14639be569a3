"""The audit: score systems on the corpora, measure the differences, and write the report."""
