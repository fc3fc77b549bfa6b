"""``python -m citeval_assets.cli`` is ``citeval``."""

from citeval_assets.cli import main

main()
