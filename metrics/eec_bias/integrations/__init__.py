"""The metric inside other libraries: a trainer, an evaluator."""
