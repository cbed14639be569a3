"""The audit: score systems on the corpora, measure the differences, and write the report.

Together with :mod:`eec_datasets.cli` the only part of the package that sees both the corpora and the
metric; everything else knows one side only.
"""
