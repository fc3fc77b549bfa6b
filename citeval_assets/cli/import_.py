"""``citeval import``: turn other people's files into test cases."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode, unknown_name

if TYPE_CHECKING:
    from citeval_assets.importers.importing import Imported
    from citeval_assets.importers.plan import ImportPlan

_SHOWN_REASONS = 10


@click.group("import")
def import_group() -> None:
    """Turn other people's files into test cases.

    The rows become data/imported/PLAYBOOK/NAME.jsonl, which `citeval run` picks up without an
    entry in citeval.yaml.
    """


@command("jsonl", short_help="JSON Lines, JSON, CSV or TSV rows, by a mapping of their fields.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--playbook", required=True, metavar="NAME", help="Whose test cases they become.")
@click.option("--name", metavar="NAME", help="Name of the data set; by default the file's.")
@click.option(
    "--map",
    "maps",
    multiple=True,
    metavar="FIELD=PATH",
    help="Where a field comes from, such as answer=response.text, sources=docs, "
    "reasoning_trace=steps[].text, question=query|title, system==prod-7.",
)
@click.option(
    "--value-map",
    "value_maps",
    multiple=True,
    metavar="FIELD:FROM=TO,...",
    help="Translate values, such as expected_status:true=answered,false=abstained.",
)
@click.option(
    "--label-map",
    "label_maps",
    multiple=True,
    metavar="PATH:VALUE=SCORE,...",
    help="Human verdicts as scores, such as verdict:good=1,poor=0 or rating:1..5.",
)
@click.option(
    "--label-source",
    type=click.Choice(["human", "constructed"]),
    default="human",
    show_default=True,
    help="Who gave the labels.",
)
@click.option(
    "--cite",
    "cites",
    multiple=True,
    metavar="FIELD=PATH",
    help="Write ids that stand beside a text as [id] markers into it.",
)
@click.option(
    "--default",
    "defaults",
    multiple=True,
    metavar="FIELD=TEXT",
    help="What a row gets where the field is missing.",
)
@click.option("--dry-run", is_flag=True, help="Show what would come of it; write nothing.")
@click.option("--replace", is_flag=True, help="Replace an earlier import of this name.")
@click.option("--strict", is_flag=True, help="Fail (exit 2, nothing written) on a refused row.")
def import_file(
    cli: Cli,
    *,
    file: Path,
    playbook: str,
    name: str | None,
    dry_run: bool,
    replace: bool,
    strict: bool,
    **options: Any,
) -> ExitCode:
    """Turn rows of a JSON Lines, JSON, CSV or TSV file into test cases.

    Only what --map names is taken. Rows that do not fit are put aside with line and reason.
    Paths: a.b goes into objects, a[].b takes each item, a[0] one; odd names in quotes; a|b takes
    the first that is there; =text is the text itself.

    \b
    citeval import jsonl answers.jsonl --playbook citation_faithfulness \\
      --map test_case_id=id --map question=query --map answer=response \\
      --map sources=passages --label-map verdict:supported=1,unsupported=0
    """
    from citeval_assets.importers.importing import import_rows, target_of, write_import
    from citeval_assets.importers.plan import ImportOptions, ImportPlan
    from citeval_assets.playbooks.registry import all_playbooks

    if playbook not in all_playbooks():
        raise unknown_name("playbook", playbook, all_playbooks())
    _check_project(cli.project)
    name = _plain_name(name or file.stem, playbook)
    given = ImportOptions(**options)
    plan = ImportPlan.of(all_playbooks()[playbook], name, given)
    imported = import_rows(file, plan)
    target = target_of(cli.project, playbook, name)
    written = _may_write(imported, strict=strict) and not dry_run
    if written:
        _keep_what_is_there(target, imported, replace=replace)
        write_import(target, file, plan, given, imported)
    _show(cli, target, plan, imported, written=written)
    return ExitCode.DONE if _may_write(imported, strict=strict) else ExitCode.BAD_INPUT


def _check_project(folder: Path) -> None:
    from citeval_assets.config.loading import CONFIG_FILE

    if not (folder / CONFIG_FILE).is_file():
        raise CliError(
            f"{folder.resolve()} holds no {CONFIG_FILE}, so no run would find the rows: name the "
            "project folder with --project, or make one with `citeval init`",
            code=ExitCode.BAD_INPUT,
        )


def _plain_name(name: str, playbook: str) -> str:
    from citeval_assets.config.crosschecks import imported_name
    from citeval_assets.keys import is_plain_name

    if not is_plain_name(imported_name(playbook, name)):
        raise CliError(
            f"{name!r} cannot name a data set: give --name with letters, digits, '.', '_', '-'",
            code=ExitCode.BAD_INPUT,
        )
    return name


def _may_write(imported: "Imported", *, strict: bool) -> bool:
    return bool(imported.cases) and not (strict and imported.refused)


def _keep_what_is_there(target: Path, imported: "Imported", *, replace: bool) -> None:
    from citeval_assets.importers.importing import file_text

    if replace or not target.exists():
        return
    if target.read_text(encoding="utf-8") != file_text(imported):
        raise CliError(
            f"{target} is there already and holds something else: give --replace to put the new "
            "rows in its place, or another --name",
            code=ExitCode.BAD_INPUT,
        )


def _show(
    cli: Cli, target: Path, plan: "ImportPlan", imported: "Imported", *, written: bool
) -> None:
    from citeval_assets.config.crosschecks import imported_name

    out = cli.out
    for warning in imported.warnings:
        out.warning(warning)
    for row in imported.refused[:_SHOWN_REASONS]:
        out.warning(f"line {row.line} is not imported: {row.reason}")
    more = len(imported.refused) - _SHOWN_REASONS
    if more > 0:
        out.warning(f"and {more} more rows")
    dataset = imported_name(plan.playbook.name, plan.name)
    out.result(
        {
            "playbook": plan.playbook.name,
            "dataset": dataset,
            "file": target,
            "written": written,
            "rows": len(imported.cases),
            "refused": len(imported.refused),
            "labelled": imported.labelled,
            "systems": imported.systems,
            "refused_rows": imported.refused,
            "warnings": imported.warnings,
            "first": imported.cases[0] if imported.cases else None,
        }
    )
    out.line(
        f"{len(imported.cases)} rows imported, {len(imported.refused)} refused, "
        f"{imported.labelled} with a human score; systems: {', '.join(imported.systems) or 'none'}"
    )
    if written:
        out.line(f"data set {dataset}: {target}")
        out.line(f"Next: citeval run --playbook {plan.playbook.name}")
    else:
        out.line("Nothing was written.")
        _show_first(cli, imported)


def _show_first(cli: Cli, imported: "Imported") -> None:
    if not imported.cases:
        return
    content = imported.cases[0].model_dump(mode="json", exclude_defaults=True)
    cli.out.table(
        ["field", "first row"],
        [(field, _shortened(value)) for field, value in content.items()],
    )


def _shortened(value: object) -> str:
    text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


for _kind in ("jsonl", "csv"):
    import_group.add_command(import_file, _kind)

COMMAND = import_group
