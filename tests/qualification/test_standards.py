"""What a judge saw, counted with intervals and held to the floors."""

from citeval_assets.config.qualification import QualificationConfig
from citeval_assets.qualification.outcomes import MutantOutcome, Seen
from citeval_assets.qualification.standards import JudgeKey, Qualification, qualify
from citeval_assets.statistics.intervals import wilson_interval

CONFIG = QualificationConfig()
JUDGE = JudgeKey("citation_faithfulness", "judge", "v1", "epoch")


def outcomes(operator: str, faulty: bool, seen: int, passed: int, by_code: int = 0):
    def one(state: Seen, code: bool = False) -> MutantOutcome:
        return MutantOutcome("case", "prod", operator, faulty, state, code, 1.0, "changed")

    found = [one(Seen.FAULTED, number < by_code) for number in range(seen)]
    return [*found, *(one(Seen.PASSED) for _ in range(passed))]


def judged(*parts: list[MutantOutcome], config: QualificationConfig = CONFIG) -> Qualification:
    every = [outcome for part in parts for outcome in part]
    names: dict[str, dict[str, int]] = {outcome.operator: {} for outcome in every}
    return qualify(JUDGE, every, config, clean_cases=9, inapplicable=names)


def test_rates_come_with_wilson_intervals():
    found = judged(outcomes("negation", True, 18, 2), outcomes("synonym", False, 1, 19))
    (fault,), (harmless,) = found.faults, found.harmless
    expected = wilson_interval(18, 20, 0.95)
    assert (fault.judge.rate, fault.judge.low, fault.judge.high) == (
        0.9, expected.low, expected.high
    )  # fmt: skip
    assert (harmless.false_alarms, harmless.rate.rate) == (1, 0.05)
    assert found.qualified
    assert found.reasons == ()
    assert [example.change for example in fault.missed] == ["changed"] * 2


def test_one_blind_spot_disqualifies_however_good_the_rest():
    found = judged(
        outcomes("number_changed", True, 100, 0),
        outcomes("negation", True, 6, 4),
        outcomes("synonym", False, 0, 20),
    )
    assert found.detection.rate is not None
    assert found.detection.rate > 0.9
    assert not found.qualified
    assert found.reasons == ("negation: saw 6 of 10 (60%); at least 70% are asked",)
    lenient = QualificationConfig(floors={"negation": 0.5})
    assert judged(
        outcomes("number_changed", True, 100, 0),
        outcomes("negation", True, 6, 4),
        outcomes("synonym", False, 0, 20),
        config=lenient,
    ).qualified


def test_false_alarms_disqualify():
    found = judged(outcomes("negation", True, 20, 0), outcomes("synonym", False, 3, 17))
    assert found.reasons == ("faulted 3 of 20 harmless changes (15%); at most 10% are allowed",)


def test_what_code_settles_says_nothing_for_the_judge():
    found = judged(
        outcomes("source_invented", True, 20, 0, by_code=20),
        outcomes("synonym", False, 0, 20),
    )
    (fault,) = found.faults
    assert (fault.caught, fault.by_code, fault.judge.n, fault.passed) == (20, 20, 0, None)
    assert not found.qualified
    assert "too few mutants" in found.reasons[0]


def test_too_few_of_one_fault_neither_pass_nor_fail():
    found = judged(
        outcomes("number_changed", True, 40, 0),
        outcomes("negation", True, 0, 2),
        outcomes("synonym", False, 0, 20),
    )
    assert found.faults[1].passed is None
    assert found.qualified


def test_a_judge_that_mostly_says_nothing_is_not_qualified():
    unscored = [
        MutantOutcome("c", "prod", "negation", True, Seen.UNSCORED, False, None, "changed")
        for _ in range(20)
    ]
    found = judged(outcomes("negation", True, 10, 0), unscored, outcomes("synonym", False, 0, 9))
    assert found.faults[0].unscored == 20
    assert found.reasons == ("20 of 39 mutants could not be scored",)
