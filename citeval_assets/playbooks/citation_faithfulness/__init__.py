"""Citation faithfulness: does each claim of an answer rest on the passages it cites?"""

from citeval_assets.playbooks.citation_faithfulness.playbook import PLAYBOOK

__all__ = ["PLAYBOOK"]
