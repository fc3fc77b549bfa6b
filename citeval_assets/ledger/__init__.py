"""Durable, append-only memory of everything that cost money or human time."""
