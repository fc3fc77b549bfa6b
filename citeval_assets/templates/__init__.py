"""Prompt files: read, check, lock, render."""
