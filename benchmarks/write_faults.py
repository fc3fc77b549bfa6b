"""Let the ledger fail at its first, second, third ... write: is a row ever wrongly done?

    python benchmarks/write_faults.py [--cases 3] [--json]

Cases that need a re-ask and a second try are judged again and again; in each run another write (or
commit) of the ledger fails, until none is left to fail: with "disk is full", "disk I/O error" and
"database is locked", once each, and with a disk that stays full from then on. A row is wrongly done
where a case counts as judged by a reply that is not on record. A second run must then bring the
cases to their end. Exits 1 where anything is wrong.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY)]

from tests.judging.write_faults import FAULTS, fault_at_every_write


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=3)
    parser.add_argument("--step", type=int, default=1, help="fail only every so manyth write")
    parser.add_argument("--json", action="store_true", help="on one line")
    chosen = parser.parse_args()
    result = {}
    for said, for_good in (*((said, False) for said in FAULTS), (FAULTS[0], True)):
        with tempfile.TemporaryDirectory() as name:
            found = fault_at_every_write(
                Path(name), said, for_good=for_good, cases=chosen.cases, step=chosen.step
            )
        result[f"{said}, {'from then on' if for_good else 'once'}"] = asdict(found)
    print(json.dumps(result, indent=None if chosen.json else 2))
    wrong = ("wrongly_done", "unrecorded", "broken_chains", "not_resumed")
    return 1 if any(found[name] for found in result.values() for name in wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
