"""``citeval validate``: read everything a run would read, and list what is wrong. No call."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import ExitCode

if TYPE_CHECKING:
    from citeval_assets.config.settings import Settings
    from citeval_assets.templates.library import TemplateLibrary

_SHOWN_ROWS = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. ``area`` is ``config``, ``template`` or ``dataset``."""

    area: str
    file: str
    message: str
    line: int | None = None
    key: str = ""
    playbook: str = ""
    dataset: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


@dataclass(frozen=True, slots=True)
class PlaybookCounts:
    """What there is for one playbook."""

    playbook: str
    cases: int
    quarantined: int
    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    prompt_versions: tuple[str, ...]
    models: tuple[str, ...]


@dataclass
class Findings:
    """Everything ``validate`` found."""

    problems: list[Problem] = field(default_factory=list)
    quarantined: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    playbooks: list[PlaybookCounts] = field(default_factory=list)

    def exit_code(self, *, strict: bool) -> ExitCode:
        """Broken configuration or templates fail; refused rows only where asked to."""
        failed = self.problems or (strict and self.quarantined)
        return ExitCode.BAD_INPUT if failed else ExitCode.DONE


@command("validate", short_help="Check configuration, prompt templates and data; make no call.")
@click.option("--strict", is_flag=True, help="Exit with 2 when a row of the data is refused, too.")
def validate(cli: Cli, *, strict: bool) -> ExitCode:
    """Check configuration, prompt templates and data, and list every fault with its place.

    Exit code 2 when configuration or templates are broken. Rows that are put aside are listed
    and counted; the rest of the data is still judged, so they only fail with --strict.
    """
    findings = Findings()
    settings = _check_settings(cli, findings)
    templates = _check_templates(cli, settings, findings)
    if settings is not None:
        _check_retrievers(cli, settings, findings)
        _check_data(settings, templates, findings)
    code = findings.exit_code(strict=strict)
    _show(cli, findings, code)
    return code


def _check_settings(cli: Cli, findings: Findings) -> "Settings | None":
    from citeval_assets.config.errors import ConfigError

    try:
        settings = cli.settings()
    except ConfigError as error:
        findings.problems += [
            Problem("config", problem.file, problem.message, problem.line, problem.key)
            for problem in error.problems
        ]
        findings.warnings.append("the data was not checked: the configuration comes first")
        return None
    findings.warnings += settings.warnings
    findings.warnings += _missing_stages(settings)
    return settings


def _missing_stages(settings: "Settings") -> list[str]:
    """A comparison needs what runs today, what is to replace it, and something to hold them to."""
    from citeval_assets.config.fields import Stage

    if not settings.systems:
        return []
    wanted = (Stage.PRODUCTION, Stage.CANDIDATE, Stage.BASELINE)
    missing = [stage for stage in wanted if not settings.systems_at(stage)]
    return [
        f"systems: none has stage {stage}; a comparison wants production, candidate and baseline"
        for stage in missing
    ]


def _check_retrievers(cli: Cli, settings: "Settings", findings: Findings) -> None:
    """Open each retriever, as far as nobody outside is asked for it."""
    from citeval_assets.retrieval import RetrieverError, RetrieverUnreachable
    from citeval_assets.retrieval.opening import passages_wanted, retriever_for

    for config in settings.retrievers:
        # Whether a key is set is no matter of the files: `citeval run` and `doctor` say it.
        key = config.options.get("api_key_env")
        environ = {str(key): "any"} if key else {}
        try:
            passages_wanted(config)
            retriever_for(settings, config.name, environ)
        except (RetrieverError, RetrieverUnreachable) as error:
            findings.problems.append(Problem("retriever", "citeval.yaml", str(error)))


def _check_templates(
    cli: Cli, settings: "Settings | None", findings: Findings
) -> "TemplateLibrary":
    from citeval_assets.templates.library import load_templates

    folder = cli.project / "prompts" if settings is None else settings.prompts_dir
    library = load_templates(folder)
    findings.problems += [
        Problem("template", problem.file, problem.message) for problem in library.problems
    ]
    findings.warnings += [
        f"{file}: released, but not protected by prompts.lock yet" for file in library.unlocked
    ]
    return library


def _check_data(settings: "Settings", templates: "TemplateLibrary", findings: Findings) -> None:
    from citeval_assets.datasets.loading import load_cases
    from citeval_assets.playbooks.registry import all_playbooks
    from citeval_assets.playbooks.vocabulary import TemplateKind

    for name, playbook in all_playbooks().items():
        cases = load_cases(settings, name)
        findings.warnings += cases.warnings
        findings.quarantined += [
            Problem(
                "dataset",
                row.file,
                row.reason,
                row.line or None,
                playbook=row.playbook,
                dataset=row.dataset,
            )
            for row in cases.quarantined
        ]
        judged = playbook.kind is TemplateKind.JUDGE
        models = settings.judges() if judged else settings.targets()
        counts = PlaybookCounts(
            playbook=name,
            cases=len(cases.cases),
            quarantined=len(cases.quarantined),
            systems=tuple(sorted({case.case.system for case in cases.cases})),
            datasets=tuple(dataset.name for dataset in settings.datasets_of(name)),
            prompt_versions=templates.versions(name),
            models=tuple(model.id for model in models if model.stage != "retired"),
        )
        findings.playbooks.append(counts)
        if counts.cases:
            findings.warnings += _what_lacks(counts, "judge" if judged else "target")
    if not any(counts.cases for counts in findings.playbooks):
        findings.warnings.append(
            "there is no test case to judge: put rows into data/golden/<playbook>.jsonl or name "
            "files under datasets: in citeval.yaml"
        )


def _what_lacks(counts: PlaybookCounts, role: str) -> list[str]:
    """Say why the cases of a playbook would not be judged."""
    lacking: list[str] = []
    if not counts.models:
        lacking.append(f"{counts.playbook}: no model has the role {role}, so no case is judged")
    if not counts.prompt_versions:
        lacking.append(f"{counts.playbook}: no prompt version, so no case is judged")
    return lacking


def _show(cli: Cli, findings: Findings, code: ExitCode) -> None:
    out = cli.out
    for warning in findings.warnings:
        out.warning(warning)
    for row in findings.quarantined[:_SHOWN_ROWS]:
        out.warning(f"{row} (put aside)")
    if len(findings.quarantined) > _SHOWN_ROWS:
        out.warning(f"and {len(findings.quarantined) - _SHOWN_ROWS} more rows put aside")
    for problem in findings.problems:
        out.error(str(problem))
    out.result(_document(cli.project, findings, code))
    if findings.playbooks:
        out.table(
            ["playbook", "cases", "put aside", "systems", "prompts", "models"],
            [
                (
                    counts.playbook,
                    counts.cases,
                    counts.quarantined,
                    ", ".join(counts.systems) or None,
                    ", ".join(counts.prompt_versions) or None,
                    ", ".join(counts.models) or None,
                )
                for counts in findings.playbooks
            ],
            right=["cases", "put aside"],
        )
    verdict = "valid" if code is ExitCode.DONE else "not valid"
    out.line(
        f"{verdict}: {len(findings.problems)} problems, "
        f"{len(findings.quarantined)} rows put aside, {len(findings.warnings)} warnings"
    )


def _document(project: Path, findings: Findings, code: ExitCode) -> dict[str, Any]:
    return {
        "ok": code is ExitCode.DONE,
        "project": project.resolve(),
        "problems": findings.problems,
        "quarantined": findings.quarantined,
        "warnings": findings.warnings,
        "playbooks": findings.playbooks,
        "counts": {
            "problems": len(findings.problems),
            "quarantined": len(findings.quarantined),
            "warnings": len(findings.warnings),
            "cases": sum(counts.cases for counts in findings.playbooks),
        },
    }


COMMAND = validate
