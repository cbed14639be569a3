"""Studies made with this project, each by one command; no part of what is installed."""
