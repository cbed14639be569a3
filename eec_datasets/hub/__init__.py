"""Datasets and the metric → the Hugging Face Hub, and back with guards."""
