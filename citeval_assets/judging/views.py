"""The gold-free view as canonical text: what an embedded model answers from."""

import hashlib
from dataclasses import asdict

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.playbooks.view import ModelView


def view_digest(view: ModelView) -> str:
    """Return the SHA-256 of everything in the view.

    An embedded model sees the view and no messages, and the view may hold what no template
    shows (a recorded output), so it belongs to the identity of the call.
    """
    text = canonical_json(asdict(view))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
