"""Tables and JSON: untrusted text stays text, numbers stay numbers."""

import io
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from citeval_assets.cli.exits import ExitCode
from citeval_assets.cli.output import Output, cell_text, json_text, visible
from citeval_assets.playbooks.cases import Source


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def output(*, as_json: bool = False, stdout: io.StringIO | None = None) -> Output:
    return Output(stdout or io.StringIO(), io.StringIO(), as_json=as_json)


def test_markup_in_data_is_shown_not_obeyed() -> None:
    stdout = io.StringIO()
    output(stdout=stdout).table(["id"], [["[red]x[/red] [link=http://evil]y[/link]"]])
    assert "[red]x[/red] [link=http://evil]y[/link]" in stdout.getvalue()


def test_control_characters_are_made_visible() -> None:
    assert visible("a\x1b[31mb\u202ec\tz") == "a\\x1b[31mb\\u202ec    z"
    assert visible("two\r\nlines\nstay") == "two\nlines\nstay"
    stdout = io.StringIO()
    output(stdout=stdout).table(["id"], [["x\x1b]0;title\x07y\nz"]])
    assert "\x1b" not in stdout.getvalue()
    assert "\x07" not in stdout.getvalue()


def test_no_colour_goes_to_a_file_and_some_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    plain, coloured = io.StringIO(), Terminal()
    output(stdout=plain).line("fine", style="green")
    output(stdout=coloured).line("fine", style="green")
    assert plain.getvalue() == "fine\n"
    assert "\x1b[" in coloured.getvalue()


def test_a_long_line_is_not_broken_when_piped() -> None:
    stdout = io.StringIO()
    output(stdout=stdout).line("word " * 200)
    assert stdout.getvalue().count("\n") == 1


def test_cells_say_what_is_not_there() -> None:
    cells = [cell_text(value) for value in (None, True, 0.5, float("nan"), "a\nb", 3)]
    assert cells == ["-", "yes", "0.500", "not finite", "a b", "3"]


@dataclass(frozen=True)
class _Row:
    cost: Decimal
    when: datetime
    source: Source
    places: frozenset[str]


def test_json_takes_what_the_rooms_hand_over() -> None:
    row = _Row(
        Decimal("0.25"), datetime(2026, 1, 1, tzinfo=UTC), Source(id="1", text="t"), frozenset("ba")
    )
    document = json.loads(json_text({"row": row, "path": Path("a/b"), "code": ExitCode.DONE}))
    assert document["row"]["cost"] == 0.25
    assert document["row"]["when"] == "2026-01-01T00:00:00+00:00"
    assert document["row"]["source"]["id"] == "1"
    assert document["row"]["places"] == ["a", "b"]
    assert document["path"] == str(Path("a/b"))


def test_nan_is_no_json() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"score": float("nan")})


def test_json_survives_an_output_that_knows_ascii_only() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    Output(stream, io.StringIO(), as_json=True).result({"text": "né 😀"})
    stream.flush()
    assert json.loads(raw.getvalue()) == {"text": "né 😀"}
