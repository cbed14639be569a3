"""Sets of names chosen by rule from a table of evidence: who may be in, who is, and how even the cells are."""
