"""The playbooks there are. A module (or package) of this room that defines ``PLAYBOOK`` is one.

Adding a playbook means adding such a module; nothing is listed here by hand.
"""

import difflib
import pkgutil
from functools import cache
from importlib import import_module

from citeval_assets import playbooks as _room
from citeval_assets.playbooks.base import AnyPlaybook


@cache
def all_playbooks() -> dict[str, AnyPlaybook]:
    """Return every playbook by name, in the order of the names."""
    found: dict[str, AnyPlaybook] = {}
    for module_info in sorted(pkgutil.iter_modules(_room.__path__), key=lambda m: m.name):
        module = import_module(f"{_room.__name__}.{module_info.name}")
        playbook = getattr(module, "PLAYBOOK", None)
        if playbook is not None:
            found[playbook.name] = playbook
    return found


def get_playbook(name: str) -> AnyPlaybook:
    """Return the playbook of this name.

    Raises:
        KeyError: where there is none; the message lists the names and the nearest one.
    """
    known = all_playbooks()
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise KeyError(f"unknown playbook {name!r}: there are {', '.join(known)}{hint}")
