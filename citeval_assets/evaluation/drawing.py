"""In which order cases are judged where the money may not last for all of them.

What is judged by then shall be a fair sample: an even share of every dataset, drawn at random
with a fixed seed, and of each case all its systems, so that they can still be compared in pairs.
Every model judges in the same order, and a run that is taken up again goes on with it.
"""

import random
from collections.abc import Mapping, Sequence
from itertools import chain

from citeval_assets.ledger.records import DatasetMember

SEED = 20261


def fair_order(
    members: Sequence[DatasetMember], names: Mapping[str, tuple[str, str]], version: str
) -> list[DatasetMember]:
    """Return the members in an order of which every beginning is a fair sample.

    Args:
        members: The members of a dataset version.
        names: Test case id and system by case hash.
        version: The dataset version; with the seed it decides the draw.
    """
    strata: dict[tuple[str, tuple[str, ...]], list[list[DatasetMember]]] = {}
    for cluster in _clusters(members, names):
        systems = sorted({names[member.case_hash][1] for member in cluster})
        strata.setdefault((cluster[0].dataset, tuple(systems)), []).append(cluster)
    draw = random.Random(f"{SEED}/{version}")
    placed: list[tuple[float, int, list[DatasetMember]]] = []
    for number, stratum in enumerate(strata[key] for key in sorted(strata)):
        draw.shuffle(stratum)
        # The n-th of N stands at (n + chance) / N of the way: all strata run out together.
        placed += [
            ((place + draw.random()) / len(stratum), number, cluster)
            for place, cluster in enumerate(stratum)
        ]
    placed.sort(key=lambda entry: entry[:2])
    return list(chain.from_iterable(cluster for _, _, cluster in placed))


def _clusters(
    members: Sequence[DatasetMember], names: Mapping[str, tuple[str, str]]
) -> list[list[DatasetMember]]:
    """Return the members of one test case together, in the order of the files."""
    found: dict[tuple[str, str], list[DatasetMember]] = {}
    for member in members:
        found.setdefault((member.dataset, names[member.case_hash][0]), []).append(member)
    return list(found.values())
