"""The pages: what was judged, on which evidence, and what a person made of it."""
