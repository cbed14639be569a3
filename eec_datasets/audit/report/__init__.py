"""The report: findings, figures, minimal pairs and warnings, as one HTML page or as Markdown."""
