"""How many claims a second the lexical judge takes on one core: 100-word passages, all new.

    python benchmarks/lexical_speed.py [--claims N]

Passages and claims are made up from a list of words (seeded), so nothing repeats but the words.
CPU time of one process is measured, not the clock: other work on the machine does not count.
"""

import argparse
import random
import subprocess
import sys
import time

from citeval_assets.embedded.calibration import UNCALIBRATED
from citeval_assets.embedded.lexical.frequencies import word_weights
from citeval_assets.embedded.lexical.passages import EvidenceCache
from citeval_assets.embedded.lexical.verdicts import judge_claim

TARGET = 500.0
IMPORT_LIMIT_S = 0.3
GLUE = ["the", "of", "in", "and", "to", "a", "was", "for", "on", "with", "by", "from", "is", "that"]
IMPORT = (
    "import time; t = time.process_time(); import citeval_assets.embedded.lexical.judge, sys; "
    "print(time.process_time() - t, 'numpy' in sys.modules)"
)


def passage(chance: random.Random, words: list[str]) -> str:
    """Return five sentences of twenty words, with a number and a name in each."""
    sentences = []
    for _ in range(5):
        own = [chance.choice(GLUE if chance.random() < 0.45 else words) for _ in range(18)]
        own.insert(chance.randrange(18), str(chance.randrange(3, 2100)))
        own.insert(chance.randrange(18), chance.choice(words).capitalize())
        sentences.append(" ".join(own).capitalize() + ".")
    return " ".join(sentences)


def claim(chance: random.Random, text: str, words: list[str]) -> str:
    """Return a sentence of the passage with some of its words exchanged."""
    own = chance.choice(text.split(". ")).rstrip(".").split()
    changed = [chance.choice(words) if chance.random() < 0.25 else word for word in own]
    return " ".join(changed).capitalize() + "."


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--claims", type=int, default=2000)
    count = parser.parse_args().claims
    chance = random.Random(20261)
    words = sorted(word for word in word_weights() if word.isalpha() and word.isascii())
    pairs = []
    for _ in range(count):
        text = passage(chance, words)
        pairs.append((claim(chance, text, words), text))
    judge_claim("The warm-up.", EvidenceCache().of((("0", "A text."),)), calibration=UNCALIBRATED)
    cache = EvidenceCache()
    started = time.process_time()
    for text, source in pairs:
        judge_claim(text, cache.of((("1", source),)), calibration=UNCALIBRATED)
    rate = count / (time.process_time() - started)
    told = [
        subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    seconds, numpy = min(one.stdout for one in told).split()
    print(f"{rate:.0f} claims/s of one core, passages of 100 words, each new (target {TARGET:.0f})")
    print(f"import {float(seconds):.2f} s of CPU (limit {IMPORT_LIMIT_S}), numpy loaded: {numpy}")
    return 0 if rate >= TARGET and float(seconds) < IMPORT_LIMIT_S and numpy == "False" else 1


if __name__ == "__main__":
    sys.exit(main())
