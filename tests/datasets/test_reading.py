"""Cases are handed out as they are read."""

import pytest

from citeval_assets.config import load_settings
from citeval_assets.datasets import loading
from citeval_assets.datasets.loading import read_cases

PLAYBOOK = "answer_comparison"


def test_no_row_is_read_before_its_case_is_asked_for(project, row, monkeypatch: pytest.MonkeyPatch):
    project.rows(*(row(test_case_id=f"case-{number}") for number in range(50)))
    project.load()
    read: list[int] = []
    real = loading.read_row

    def watched(*arguments):
        read.append(arguments[-1].line)
        return real(*arguments)

    monkeypatch.setattr(loading, "read_row", watched)
    reading = iter(read_cases(load_settings(project.folder, {}), PLAYBOOK))
    assert read == []
    assert next(reading).case.test_case_id == "case-0"
    assert next(reading).case.test_case_id == "case-1"
    assert read == [1, 2]


def test_what_was_refused_is_known_once_all_was_read(project, row):
    project.rows(row(test_case_id="a"), row(test_case_id="a"), row(test_case_id="b"))
    project.load()
    reading = read_cases(load_settings(project.folder, {}), PLAYBOOK)
    assert [case.case.test_case_id for case in reading] == ["a", "b"]
    [refused] = reading.quarantined
    assert "duplicate key" in refused.reason
    assert refused.line == 2
