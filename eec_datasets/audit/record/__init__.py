"""The measurement record: what an auditor hands over, as JSON with a schema and as Markdown."""
