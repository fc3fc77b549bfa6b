"""Of many cases only a page is in memory at a time."""

import subprocess
import sys
import weakref

from citeval_assets.evaluation import inputs
from citeval_assets.evaluation.kept import SettledCase
from citeval_assets.evaluation.project import ALL_DATASETS, Cell
from citeval_assets.evaluation.service import Service
from tests.small_project import make_project

PLAYBOOK = "citation_faithfulness"


def test_registering_holds_one_page_of_cases(tmp_path, monkeypatch):
    project = make_project(tmp_path)
    first = project.rows(PLAYBOOK)[0]
    project.write_rows(PLAYBOOK, [{**first, "test_case_id": f"case-{n:02}"} for n in range(40)])
    monkeypatch.setattr(inputs, "_PAGE", 5)
    living: weakref.WeakSet = weakref.WeakSet()
    most: list[int] = []
    real = inputs.read_cases

    def watched(*arguments):
        reading = real(*arguments)
        handed = reading.__iter__

        class Watched(type(reading)):
            def __iter__(self):
                for loaded in handed():
                    living.add(loaded.case)
                    most.append(len(living))
                    yield loaded

        reading.__class__ = Watched
        return reading

    monkeypatch.setattr(inputs, "read_cases", watched)
    loaded = project.load()
    with loaded.open_ledger() as ledger:
        registered = inputs.register_cases(loaded, ledger, PLAYBOOK)
        version = ledger.current("dataset", f"{PLAYBOOK}/{ALL_DATASETS}")
        stored = ledger.dataset(PLAYBOOK, version)
        names = [
            record.test_case_id for record in ledger.cases(m.case_hash for m in stored.members)
        ]
    assert registered.summary.cases == 40
    assert names == [f"case-{n:02}" for n in range(40)]
    assert max(most) <= 11


def test_a_judged_case_leaves_no_report_behind(tmp_path, monkeypatch):
    project = make_project(tmp_path)
    first = project.rows(PLAYBOOK)[0]
    project.write_rows(PLAYBOOK, [{**first, "test_case_id": f"case-{n:02}"} for n in range(60)])
    reports: list[weakref.ref] = []
    living: list[int] = []
    real = SettledCase.of

    def watched(outcome):
        reports.append(weakref.ref(outcome.report))
        living.append(sum(report() is not None for report in reports))
        return real(outcome)

    monkeypatch.setattr(SettledCase, "of", watched)
    service = Service(project.load())
    service.register_cases(PLAYBOOK)
    assert service.judge(Cell(PLAYBOOK, "naive", "v1")).cases == 60
    assert len(reports) == 60
    assert max(living) < 30


def test_the_steps_are_imported_without_what_only_the_warehouse_needs():
    code = (
        "import sys, citeval_assets.evaluation.service\n"
        "print(sorted({'duckdb', 'pandas', 'numpy', 'litellm', 'dagster'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
