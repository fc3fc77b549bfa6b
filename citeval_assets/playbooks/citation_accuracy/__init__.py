"""Evidence citation accuracy: does each citation of a reasoning trace support its step?"""

from citeval_assets.playbooks.citation_accuracy.playbook import PLAYBOOK

__all__ = ["PLAYBOOK"]
