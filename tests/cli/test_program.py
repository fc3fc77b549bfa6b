"""The root command: fast, one JSON document, exit codes that mean something."""

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from citeval_assets.cli import program
from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode, unknown_name

Citeval = Callable[..., "object"]


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Cli], ExitCode | None]], None]:
    """Make a function the verb ``probe``."""

    def register(function: Callable[[Cli], ExitCode | None]) -> None:
        made = command("probe")(function)
        monkeypatch.setattr(program, "VERBS", {**program.VERBS, "probe": ("probe", "A probe.")})
        original = program.import_module
        holder = type("Module", (), {"COMMAND": made})

        def load(name: str) -> object:
            return holder if name.endswith(".probe") else original(name)

        monkeypatch.setattr(program, "import_module", load)

    return register


def test_help_names_every_verb_and_imports_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from citeval_assets.cli.program import run\n"
        "code = run(['--help'])\n"
        "heavy = {'dagster', 'litellm', 'pandas', 'duckdb', 'sqlalchemy', 'pydantic'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)), code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "LOADED [] 0" in done.stdout
    for name in program.VERBS:
        assert f"\n  {name}" in done.stdout


def test_every_verb_has_a_module_with_its_command_and_the_shared_options() -> None:
    for verb_name in program.VERBS:
        found = program.citeval.get_command(click.Context(program.citeval), verb_name)
        assert found is not None
        leaves = found.commands.values() if isinstance(found, click.Group) else [found]
        for leaf in leaves:
            options = {option for parameter in leaf.params for option in parameter.opts}
            assert {"--json", "--project"} <= options, leaf.name


def test_the_installed_command_is_this_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "citeval_assets.cli", "--version"], capture_output=True, text=True
    )
    assert done.stdout.startswith("citeval, version ")
    assert done.returncode == 0


def test_an_unknown_verb_gets_the_nearest_names(citeval) -> None:
    answer = citeval("valdate")
    assert answer.code == 2
    assert "Did you mean 'validate'" in answer.stderr
    assert answer.stdout == ""


def test_a_usage_error_is_one_document_too(citeval) -> None:
    answer = citeval("validate", "--no-such-option", "--json")
    assert answer.code == 2
    assert answer.document["error"]["kind"] == "usage"
    assert answer.document["exit_code"] == 2
    assert "--no-such-option" in answer.stderr


def test_no_verb_shows_the_help_and_is_bad_usage(citeval) -> None:
    answer = citeval()
    assert answer.code == 2
    assert answer.stdout.startswith("Usage: citeval")
    bare = citeval("--json", "import")
    assert bare.document["error"]["message"].startswith("no command was given")


def test_a_project_folder_that_is_not_there_is_bad_usage(citeval, tmp_path: Path) -> None:
    answer = citeval("--project", tmp_path / "absent", "validate", "--json")
    assert answer.code == 2
    assert "absent" in answer.document["error"]["message"]


def test_shared_options_may_stand_before_or_after_the_verb(citeval, verb, tmp_path: Path) -> None:
    verb(lambda cli: cli.out.result({"project": cli.project}))
    for arguments in (
        ("--project", tmp_path, "--json", "probe"),
        ("probe", "--json", "--project", tmp_path),
    ):
        assert citeval(*arguments).document == {"project": str(tmp_path)}


def test_what_libraries_print_does_not_spoil_the_document(citeval, verb) -> None:
    def chatty(cli: Cli) -> None:
        print("a library says hello")  # noqa: T201
        cli.out.line("for people")
        cli.out.table(["a"], [[1]])
        cli.out.note("a note")
        cli.out.result({"ok": True})

    verb(chatty)
    answer = citeval("probe", "--json")
    assert answer.document == {"ok": True}
    assert "hello" in answer.stderr
    assert "a note" in answer.stderr
    assert "for people" not in answer.stdout + answer.stderr


def test_exit_codes_go_to_the_shell(citeval, verb) -> None:
    verb(lambda cli: ExitCode.GATE_INCONCLUSIVE)
    assert citeval("probe").code == 4


def test_errors_meant_for_people_come_in_their_own_words(citeval, verb) -> None:
    def fail(cli: Cli) -> None:
        raise CliError("the moon is missing: add it", code=ExitCode.BAD_INPUT)

    verb(fail)
    answer = citeval("probe")
    assert (answer.code, answer.stderr) == (2, "error: the moon is missing: add it\n")


def test_a_broken_configuration_is_bad_input_with_every_fault(
    citeval, verb, tmp_path: Path
) -> None:
    verb(lambda cli: cli.settings() and None)
    (tmp_path / "citeval.yaml").write_text("models: []\nmodel: x\n", encoding="utf-8")
    answer = citeval("probe", "--project", tmp_path, "--json")
    assert answer.code == 2
    assert answer.document["error"]["kind"] == "input"
    assert len(answer.document["error"]["problems"]) >= 2


def test_an_unforeseen_error_is_named_without_its_secrets(citeval, verb) -> None:
    def fail(cli: Cli) -> None:
        raise RuntimeError("refused: Authorization: Bearer sk-abcdefgh12345678")

    verb(fail)
    answer = citeval("probe", "--json")
    assert answer.code == 1
    assert "RuntimeError" in answer.document["error"]["message"]
    assert "sk-abc" not in answer.stdout + answer.stderr
    assert "Traceback" not in answer.stderr
    debugged = citeval("--debug", "probe")
    assert "Traceback" in debugged.stderr
    assert "sk-abc" not in debugged.stderr


def test_ctrl_c_ends_cleanly_and_says_what_is_saved(citeval, verb) -> None:
    def interrupted(cli: Cli) -> None:
        cli.saved_note = "12 of 40 cases are in the ledger."
        raise KeyboardInterrupt

    verb(interrupted)
    answer = citeval("probe", "--json")
    assert answer.code == 130
    assert answer.document["error"]["kind"] == "interrupted"
    assert "12 of 40" in answer.stderr


def test_a_reader_that_goes_away_is_no_crash(verb, monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    verb(lambda cli: cli.out.line("hello"))
    monkeypatch.setattr(sys, "stdout", Closed())
    assert program.run(["probe"]) == 1


def test_two_documents_of_one_command_are_a_fault(citeval, verb) -> None:
    def twice(cli: Cli) -> None:
        cli.out.result(1)
        cli.out.result(2)

    verb(twice)
    answer = citeval("probe", "--json")
    assert (answer.code, answer.document) == (1, 1)


def test_unknown_names_come_with_near_ones() -> None:
    error = unknown_name("model", "gpt-5", ["gpt-4", "claude"])
    assert error.code is ExitCode.BAD_INPUT
    assert error.message == "unknown model 'gpt-5'. Did you mean 'gpt-4'? Known: claude, gpt-4."
    assert unknown_name("model", "x", []).message == "unknown model 'x'. Known: none."


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(13, "Permission denied", "/srv/state"), "DAGSTER_HOME"),
        (OSError(28, "No space left on device"), "Free some space"),
        (FileNotFoundError(2, "No such file or directory", "/srv/gone"), "/srv/gone"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_words(
    verb: Callable[[Callable[[Cli], None]], None],
    capsys: pytest.CaptureFixture[str],
    error: OSError,
    told: str,
) -> None:
    def fails(cli: Cli) -> None:
        raise error

    verb(fails)
    assert program.run(["probe"]) == ExitCode.INCOMPLETE
    stderr = capsys.readouterr().err
    assert told in stderr
    assert str(error.strerror) in stderr
    assert "not foreseen" not in stderr
