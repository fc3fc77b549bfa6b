"""Judges against injected faults: can a judge see a fault before it is trusted with a release?"""
