"""The order in which cases are judged where the money may not last."""

from collections import Counter

from citeval_assets.evaluation.drawing import fair_order
from citeval_assets.ledger.records import DatasetMember


def members(*sets: tuple[str, int, tuple[str, ...]]):
    found, names = [], {}
    for dataset, cases, systems in sets:
        for case in range(cases):
            for system in systems:
                case_hash = f"{dataset}/{case}/{system}"
                found.append(DatasetMember(dataset, "golden", case_hash, "{}", len(found)))
                names[case_hash] = (f"case-{case}", system)
    return found, names


def test_every_beginning_holds_an_even_share_of_every_dataset():
    given, names = members(("large", 300, ("a",)), ("small", 30, ("a",)))
    order = fair_order(given, names, "v1")
    for beginning in (33, 110, 220):
        counted = Counter(member.dataset for member in order[:beginning])
        assert abs(counted["small"] - beginning / 11) <= 2


def test_all_systems_of_a_case_come_together_so_that_pairs_stay_whole():
    given, names = members(("golden", 50, ("prod", "candidate")))
    order = fair_order(given, names, "v1")
    for one, other in zip(order[::2], order[1::2], strict=True):
        assert names[one.case_hash][0] == names[other.case_hash][0]
        assert [names[m.case_hash][1] for m in (one, other)] == ["prod", "candidate"]


def test_nothing_is_lost_or_doubled_and_places_are_kept():
    given, names = members(("x", 17, ("a", "b")), ("y", 5, ("a",)))
    order = fair_order(given, names, "v1")
    assert sorted(order, key=lambda member: member.position) == given


def test_the_draw_is_the_same_every_time_and_another_for_another_version():
    given, names = members(("golden", 40, ("a",)))
    assert fair_order(given, names, "v1") == fair_order(given, names, "v1")
    assert fair_order(given, names, "v1") != fair_order(given, names, "v2")
    assert fair_order(given, names, "v1") != given
