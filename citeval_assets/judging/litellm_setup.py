"""Importing litellm: late, quietly, and without its calling home.

The import costs seconds and much memory, so it happens when the first real call is due. What
must be said before it is said here: use the bundled price list and tables instead of fetching
them, and leave the ``.env`` file of the working folder alone.
"""

import gc
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType

_SAID_BEFORE_IMPORT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_MODE": "PRODUCTION",
}

_SWITCHED_OFF = {
    "suppress_debug_info": True,
    "set_verbose": False,
    "num_retries": None,
    "drop_params": False,
}

_SILENCED = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "LiteLLM Proxy.stdout")
"""Loggers that write prompts, headers and keys once somebody asks for debug output."""

_QUIETENED = ("httpx", "httpcore", "openai", "openai._base_client", "aiohttp.client")
"""Loggers of the layers below, which log addresses and headers under INFO and DEBUG."""


_ONE_AT_A_TIME = threading.Lock()


@contextmanager
def _without_collections() -> Iterator[None]:
    """Let the garbage collector rest: an import makes much that stays and next to no garbage.

    Looking through it again and again is a sixth of the time the import takes, and the first look
    afterwards takes a tenth: what is there now is taken for permanent.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


@cache
def load_litellm() -> ModuleType:
    """Import litellm and switch off its retries, logging and look-ups. Takes seconds once."""
    os.environ.update(_SAID_BEFORE_IMPORT)
    with _ONE_AT_A_TIME, _without_collections():
        import litellm

    for name, value in _SWITCHED_OFF.items():
        setattr(litellm, name, value)
    for name in _SILENCED:
        logging.getLogger(name).disabled = True
    for name in _QUIETENED:
        logging.getLogger(name).setLevel(logging.WARNING)
    return litellm
