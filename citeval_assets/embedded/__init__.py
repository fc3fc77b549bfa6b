"""Offline models: a naive judge and an extractive answerer."""
