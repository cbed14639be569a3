"""Numbers from numbers: contrasts, tests, intervals, the beta regression; nothing here knows a column name."""
