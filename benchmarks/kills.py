"""Kill runs of sixty calls at random moments: what is lost, what is paid twice?

    python benchmarks/kills.py [--kills 40] [--json]

A session judges sixty cases against a provider on loopback, eight at a time. When the provider has
seen a number of requests drawn at random, the process is killed with SIGKILL; a second process
resumes the run. Then what the provider saw is compared with what is on record:

- lost: replies that were on record and are no more, and questions that were never answered;
- sent again: questions whose reply was on record and that were put a second time;
- repeats: requests beyond one for each question. They were in flight when the process died: at
  most eight a kill, each listed as maybe paid before it was sent again.

Exits 1 where something was lost or sent again, or where a repeat was not listed.
"""

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY)]

from tests.crashes.scene import CONCURRENCY, kill_session


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--json", action="store_true", help="on one line")
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    found = []
    for _ in range(chosen.kills):
        with tempfile.TemporaryDirectory() as name:
            moment = chance.randint(1, chosen.cases)
            found.append(kill_session(Path(name), kill_at=moment, cases=chosen.cases))
    result = {
        "kills": len(found),
        "died_of_it": sum(one.exit_code == -9 for one in found),
        "calls_a_run": chosen.cases,
        "lost": sum(one.lost for one in found),
        "recorded_and_sent_again": sum(one.sent_again for one in found),
        "repeats_of_calls_in_flight": sum(one.repeats for one in found),
        "most_repeats_in_one_kill": max(one.repeats for one in found),
        "concurrency": CONCURRENCY,
        "repeats_not_listed_as_maybe_paid": sum(one.unlisted for one in found),
        "chains_in_order": sum(one.chain_ok for one in found),
    }
    print(json.dumps(result, indent=None if chosen.json else 2))
    wrong = result["lost"] + result["recorded_and_sent_again"]
    wrong += result["repeats_not_listed_as_maybe_paid"]
    wrong += result["most_repeats_in_one_kill"] > CONCURRENCY
    wrong += result["chains_in_order"] < len(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
