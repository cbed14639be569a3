"""What only the page (``app.py``) needs: a folder of its own, so that `evaluate` never copies it."""
