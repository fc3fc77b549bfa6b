"""``citeval init`` makes a project that works; ``citeval doctor`` says what is missing."""

import json

from citeval_assets.cli.program import run as citeval
from tests.small_project import make_project


def test_a_new_project_is_valid_and_empty(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "home"))
    folder = tmp_path / "new"

    assert citeval(["init", str(folder)]) == 0

    assert (folder / "citeval.yaml").exists()
    assert citeval(["validate", "--project", str(folder)]) == 0
    text = (folder / "citeval.yaml").read_text(encoding="utf-8")
    assert "demo:" not in text
    assert "library" not in text, "entries go that belong to data a new project does not have"


def test_init_leaves_a_folder_in_use_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    assert citeval(["init", str(tmp_path)]) == 2
    assert "not empty" in capsys.readouterr().err


def test_doctor_names_the_key_that_is_not_set(tmp_path, monkeypatch, capsys):
    project = make_project(tmp_path)
    settings = project.folder / "citeval.yaml"
    text = settings.read_text(encoding="utf-8").replace(
        "systems:",
        "  - {id: paid, model: openai/gpt, roles: [judge], api_key_env: PAID_API_KEY}\nsystems:",
        1,
    )
    settings.write_text(text, encoding="utf-8")
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    monkeypatch.delenv("PAID_API_KEY", raising=False)

    assert citeval(["doctor", "--project", str(project.folder), "--json"]) == 1

    findings = {f["what"]: f for f in json.loads(capsys.readouterr().out)["findings"]}
    assert findings["key of paid"]["remedy"] == "export PAID_API_KEY=..."
    assert findings["prompt templates"]["ok"]
