"""One day of a team, under the real daemon, in a few minutes.

    .venv/bin/python -m benchmarks.automation.day [--keep DIR]

Starts ``dagster dev`` over a small project of its own (nothing leaves the machine), then does what
a team does: edits a golden case and a draft prompt, adds a model and a prompt version, drops a
trace file into the inbox, breaks a template; and asks for the jobs of the schedules. Prints what
the daemon did about it: the ticks, the runs, the calls counted in the ledger, the notices.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.automation.live import Live, live
from citeval_assets.evaluation.project import Project
from tests.defs.automated import Automated
from tests.loopback import loopback
from tests.small_project import SETTINGS, make_project

SAMPLED = """
sampling: {playbooks: [cot_faithfulness], per_system_per_day: 3}
automation:
  notify:
    - {kind: log}
    - {kind: webhook, url_env: CITEVAL_HOOK}
gates:
  - name: never-passes
    playbook: citation_faithfulness
    baseline: prod
    candidate: candidate
    min_pairs: 1
    min_score: 1.0
"""


QUIET_S = 50
"""Nothing more comes of a change when no run was started for so long: more than a tick of 30 s."""


class Watcher:
    """Tells what happens, with the seconds since the start."""

    def __init__(self, running: Live) -> None:
        self.running = running
        self.began = time.monotonic()
        self.seen: set[str] = set()

    def say(self, text: str) -> None:
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    def new_runs(self, what: str, job: str, seconds: float = 420) -> None:
        """Wait for new runs of a job, and until everything they set off is done; tell them."""

        def found() -> bool:
            runs = [r for r in self.running.runs() if r["runId"] not in self.seen]
            done = all(r["status"] in ("SUCCESS", "FAILURE") for r in runs)
            newest = max((r["creationTime"] for r in runs), default=0)
            settled = time.time() - newest > QUIET_S
            return settled and done and any(r["jobName"] == job for r in runs)

        self.running.wait(what, found, seconds)
        self.tell_new()

    def tell_new(self) -> None:
        runs = [r for r in self.running.runs() if r["runId"] not in self.seen]
        for run in reversed(runs):
            self.seen.add(run["runId"])
            tags = run["tags"]
            told = tags.get("dagster/partition") or tags.get("citeval/why") or ""
            by = tags.get("dagster/sensor_name") or tags.get("dagster/schedule_name") or (
                "bulk run" if "citeval/bulk_run" in tags else "by hand"
            )  # fmt: skip
            took = (run["endTime"] or 0) - (run["startTime"] or 0)
            self.say(f"   run {run['jobName']} {told} [{by}] {run['status']} {took:.1f} s")


def calls(project: Project) -> int:
    """Count the replies in the ledger."""
    with project.open_ledger() as ledger:
        return sum(count for *_, count in ledger.identities_since(0)[0])


def trace(number: int) -> dict[str, Any]:
    day = datetime.now(UTC) - timedelta(days=1)
    return {
        "test_case_id": f"trace-{number}",
        "system": "prod",
        "produced_at": day.isoformat(),
        "question": "How heavy is the bell?",
        "sources": [{"id": "1", "text": "The bell weighs 912 kilograms. It hangs in the tower."}],
        "reasoning_trace": f"The bell weighs 912 kilograms. It hangs in tower {number}.",
        "final_answer": "912 kilograms.",
    }


def day(folder: Path) -> None:
    """Live through the day."""
    with loopback() as hook:
        project = make_project(folder, SETTINGS + SAMPLED)
        home = project.home
        home.mkdir(parents=True, exist_ok=True)
        with live(project.folder, home, {"CITEVAL_HOOK": hook.url}) as running:
            story(Watcher(running), project, hook)
        print("\n--- from the daemon's log")
        tail(running.log)


def story(watch: Watcher, project: Any, hook: Any) -> None:
    running = watch.running
    with_instance = Automated(project, None)  # type: ignore[arg-type]

    def counted(what: str, act: Any, job: str) -> None:
        before = calls(project.load())
        watch.say(what)
        act()
        watch.new_runs(what, job)
        watch.say(f"   calls made: {calls(project.load()) - before}")

    watch.say("dagster dev answers")
    watch.new_runs("the first look registers the cases", "register_cases")
    counted(
        "a person asks for what is missing (job reconcile)",
        lambda: running.launch("reconcile"),
        "reconcile",
    )

    def edit_case() -> None:
        rows = project.rows("citation_faithfulness")
        rows[0]["answer"] += " Dogs travel on a lead [2]."
        project.write_rows("citation_faithfulness", rows)

    counted("one golden case of citation_faithfulness is edited", edit_case, "__ASSET_JOB")

    def add_draft() -> None:
        with_instance.add_template("citation_accuracy", "v9")

    counted("a prompt version is added (draft)", add_draft, "evaluate_cells")

    def edit_draft() -> None:
        file = with_instance.template("citation_accuracy", "v9")
        file.write_text(file.read_text(encoding="utf-8") + "\nBe strict.\n", encoding="utf-8")

    counted("the draft is edited", edit_draft, "__ASSET_JOB")

    def add_model() -> None:
        with_instance.add_model("{id: second, model: embedded/lexical-1, roles: [judge]}")

    counted("a model is added", add_model, "evaluate_cells")

    def drop_traces() -> None:
        inbox = project.folder / "data" / "traces" / "inbox"
        inbox.mkdir(parents=True)
        rows = [json.dumps(trace(number)) for number in range(10)]
        (inbox / "monday.jsonl").write_text("\n".join([*rows, "{broken"]), encoding="utf-8")

    counted("ten traces and a broken row are put into the inbox", drop_traces, "take_in_traces")
    jobs = ("sample_production", "judge_canaries", "review_digest", "publish_results", "reconcile")
    for job in jobs:
        running.launch(job)
    counted(f"the jobs of the schedules: {', '.join(jobs)}", lambda: None, "reconcile")
    watch.say("the same run fails twice for the same reason")
    bad = {"ops": {"production__sample": {"config": {"night": "not a day"}}}}
    for _ in range(2):
        running.launch("sample_production", bad)
    watch.new_runs("the failing runs", "sample_production")
    running.wait("the notices", lambda: any(n["kind"] == "run_failed" for n in hook.received), 180)
    time.sleep(40)
    watch.tell_new()
    watch.say("notices received: " + str(dict(Counter(n["kind"] for n in hook.received))))
    for notice in hook.received:
        print("            ", notice["title"])
    sensors = ("models", "prompts", "case_files", "trace_inbox", "failed_runs", "recovered_runs")
    for name in (*sensors, "quality_notices", "follow_upstream"):
        ticks = running.ticks(name)
        states = dict(Counter(tick["status"] for tick in ticks))
        took = sorted(t["endTimestamp"] - t["timestamp"] for t in ticks if t["endTimestamp"])
        middle = f"{took[len(took) // 2]:.2f} s" if took else "-"
        errors = {t["error"]["message"][:200] for t in ticks if t["error"]}
        print(f"sensor {name:16} {len(ticks):3} ticks {states} median {middle} {errors or ''}")


def tail(log: Path) -> None:
    wanted = (
        "Launched run",
        "launched run",
        "Checking for new runs",
        "Completed",
        "citeval:",
        "rror",
    )
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    for line in [line for line in lines if any(word in line for word in wanted)][:120]:
        print(line[:200])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="folder for project and instance (kept)")
    chosen = parser.parse_args()
    if chosen.keep:
        chosen.keep.mkdir(parents=True)
        day(chosen.keep.resolve())
    else:
        with tempfile.TemporaryDirectory() as scratch:
            day(Path(scratch))
    sys.exit(0)
