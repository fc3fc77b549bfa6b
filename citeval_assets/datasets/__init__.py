"""Case files: read, validate, quarantine, hash."""
