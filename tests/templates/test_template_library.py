"""Templates from files: a broken one is named with its remedy, its neighbours load."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from citeval_assets.templates.library import lock_released
from citeval_assets.templates.lock import LOCK_FILE, LockFault

Text = Callable[..., str]


def test_a_template_loads_with_its_parts_and_examples(prompts: Any, template: Text):
    prompts.write("v1.md", template())
    library = prompts.load()
    assert library.problems == ()
    loaded = library.get("tea_tasting", "v1")
    assert loaded.system.startswith("Judge the tea.")
    assert loaded.user.startswith("[TEA_NOTES]")
    assert "floral" in loaded.examples
    assert loaded.description == "Tastes tea."
    assert len(loaded.sha256) == 64


def test_versions_stand_in_natural_order(prompts: Any, template: Text):
    for version in ("v10", "v2", "v1"):
        prompts.write(f"{version}.md", template(version=version))
    assert prompts.load().versions("tea_tasting") == ("v1", "v2", "v10")


def test_a_version_there_is_none_of_is_answered_with_those_there_are(prompts: Any, template: Text):
    prompts.write("v1.md", template())
    prompts.write("v3.md", template(version="v3", kind="generate"))
    library = prompts.load()
    with pytest.raises(KeyError) as unknown:
        library.get("tea_tasting", "v11")
    assert "there are v1; did you mean 'v1'?" in str(unknown.value)
    with pytest.raises(KeyError, match="kind is 'generate'"):
        library.get("tea_tasting", "v3")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "v2"}, "version is 'v2', expected 'v1'"),
        ({"version": "1.10"}, 'put it in quotes: "1.10"'),
        ({"playbook": "tea"}, "playbook is 'tea', expected 'tea_tasting'"),
        ({"kind": "generate"}, "kind is 'generate', expected 'judge'"),
        ({"kind": "jugde"}, "did you mean 'judge'?"),
        ({"status": "final"}, "expected one of draft, released"),
        ({"output_schema": "x"}, "expected 'tea_tasting.reply'"),
        ({"slots": "[TEA_NOTES, WATER]"}, "differ in WATER"),
        ({"descripton": "x"}, "unknown key 'descripton'; did you mean 'description'?"),
        ({"description": None}, "description: this key is required"),
        ({"few_shot": "none.md"}, "tea_tasting/examples/none.md: there is no such file"),
        ({"few_shot": "../../../etc/passwd"}, "leads out of the folder"),
        ({"few_shot": "/etc/passwd"}, "leads out of the folder"),
        ({"description": "!!python/object/apply:time.sleep [5]"}, "tag"),
    ],
)
def test_faults_of_the_head(
    prompts: Any, template: Text, change: dict[str, str | None], message: str
):
    prompts.write("v1.md", template(**change))
    problem = prompts.problem()
    assert problem.startswith("prompts/tea_tasting/v1.md: ")
    assert message in problem


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\n[TEA_NOTES]\n", "the notes", "missing placeholder [TEA_NOTES]"),
        ("[FEW_SHOT_EXAMPLES]", "", "missing placeholder [FEW_SHOT_EXAMPLES]"),
        ("[CORRECTION_FEEDBACK]", "", "missing placeholder [CORRECTION_FEEDBACK]"),
        (
            "[TEA_NOTES]",
            "[TEA_NOTSE]",
            "unknown placeholder [TEA_NOTSE]; did you mean 'TEA_NOTES'?",
        ),
        ("## System", "## system", "'## System' is missing"),
        ("## User", "", "'## User' is missing"),
        ("Judge the tea.", "## User\nx", "'## User' stands twice"),
        ("\n## System", "Hello.\n## System", "text before '## System'"),
    ],
)
def test_faults_of_the_body(prompts: Any, template: Text, old: str, new: str, message: str):
    prompts.write("v1.md", template().replace(old, new))
    assert message in prompts.problem()


def test_marks_that_are_no_placeholders_are_plain_text(prompts: Any, template: Text):
    prompts.write("v1.md", template().replace("Judge", "Judge [1], [sic], [X] and [A_B] of"))
    assert prompts.load().problems == ()


def test_an_optional_slot_may_be_used_or_left_out(prompts: Any, template: Text):
    prompts.write("v1.md", template())
    with_water = template(version="v2", slots="[TEA_NOTES, WATER, FEW_SHOT_EXAMPLES]")
    prompts.write("v2.md", with_water.replace("[TEA_NOTES]\n", "[TEA_NOTES] [WATER]\n"))
    assert prompts.load().problems == ()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad front matter"),
        (b"no front matter", "the first line must be '---'"),
        (b"---\nplaybook: x\n", "the closing '---' is missing"),
        ("---\nplaybook: é\n---\n".encode("latin-1"), "wrong encoding"),
        ("---\nplaybook: x\n---\n".encode("utf-16"), "save it as UTF-8"),
        (b"---\nplaybook: *x\n---\n", "aliases"),
    ],
)
def test_files_that_cannot_be_read_do_not_hide_their_neighbours(
    prompts: Any, template: Text, content: bytes, message: str
):
    prompts.write("v1.md", template())
    prompts.write("v2.md", content)
    library = prompts.load()
    assert library.versions("tea_tasting") == ("v1",)
    assert [p.file for p in library.problems] == ["prompts/tea_tasting/v2.md"]
    assert message in library.problems[0].message


def test_a_folder_in_the_place_of_a_file_is_a_problem_of_that_file(prompts: Any):
    (prompts.playbook / "v1.md").mkdir()
    assert "it is a folder" in prompts.problem()


def test_a_link_is_not_followed(prompts: Any, template: Text, tmp_path: Any):
    outside = tmp_path / "outside.md"
    outside.write_text(template())
    (prompts.playbook / "v1.md").symlink_to(outside)
    assert "it is a link" in prompts.problem()


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(prompts: Any, template: Text):
    prompts.write("v1.md", template())
    plain = prompts.load().get("tea_tasting", "v1")
    prompts.write("v1.md", b"\xef\xbb\xbf" + template().replace("\n", "\r\n").encode())
    assert prompts.load().get("tea_tasting", "v1") == plain


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ("none at all", "too few examples: 0 of at least 1"),
        ("### Example 1\n\nno reply\n", "0 ```json blocks"),
        ("### Example 1\n```json\n{}\n```\n```json\n{}\n```\n", "2 ```json blocks"),
        ("### Example 1\n```json\n{broken\n```\n", "its JSON is broken"),
        ('### Example 1\n```json\n{"verdict": "good"}\n```\n', "cups: Field required"),
        ('### Example 1\n```json\n{"verdict": "good", "cups": "3"}\n```\n', "cups: "),
    ],
)
def test_examples_must_fit_the_output_schema(
    prompts: Any, template: Text, examples: str, message: str
):
    prompts.write("v1.md", template())
    prompts.write("examples/v1.md", examples)
    assert message in prompts.problem()


def test_a_folder_that_is_no_playbook_is_named(prompts: Any, template: Text):
    prompts.write("v1.md", template())
    (prompts.folder / "tea_tastings").mkdir()
    library = prompts.load()
    assert library.versions("tea_tasting") == ("v1",)
    assert "did you mean 'tea_tasting'?" in str(library.problems[0])


def test_without_a_prompts_folder_there_is_one_problem(prompts: Any, tmp_path: Any):
    prompts.folder = tmp_path / "nothing"
    assert "citeval init" in prompts.problem()


def test_the_hash_covers_the_examples(prompts: Any, template: Text):
    prompts.write("v1.md", template())
    before = prompts.load().get("tea_tasting", "v1").sha256
    path = prompts.playbook / "examples" / "v1.md"
    path.write_text(path.read_text().replace("floral", "smoky"))
    assert prompts.load().get("tea_tasting", "v1").sha256 != before


# --- the lock ----------------------------------------------------------------------------


@pytest.fixture
def released(prompts: Any, template: Text, tea: Any) -> Any:
    prompts.write("v1.md", template(status="released"))
    prompts.write("v2.md", template(version="v2"))
    assert prompts.load().unlocked == ("tea_tasting/v1.md",)
    added = lock_released(prompts.folder, {"tea_tasting": tea})
    assert added == ("tea_tasting/examples/v1.md", "tea_tasting/v1.md")
    assert prompts.load().unlocked == ()
    return prompts


@pytest.mark.parametrize("name", ["v1.md", "examples/v1.md"])
def test_a_released_file_that_is_edited_in_place_is_an_error_that_names_it(
    released: Any, name: str
):
    path = released.playbook / name
    path.write_text(path.read_text() + "\nmore\n")
    problems = [str(problem) for problem in released.load().problems]
    assert any(f"tea_tasting/{name} was changed after its release" in p for p in problems)
    assert "v1" not in released.load().versions("tea_tasting")


def test_taking_the_release_back_does_not_allow_an_edit(released: Any, template: Text):
    released.write("v1.md", template(status="draft"))
    assert "was changed after its release" in released.problem()


def test_a_draft_may_be_edited(released: Any, template: Text):
    released.write("v2.md", template(version="v2", description="Better."))
    assert released.load().problems == ()


def test_other_line_ends_are_no_edit(released: Any):
    path = released.playbook / "v1.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert released.load().problems == ()


def test_a_released_file_that_is_gone_is_missed(released: Any):
    (released.playbook / "v1.md").unlink()
    assert "a released file is missing" in released.problem()


def test_locking_again_never_covers_up_an_edit(released: Any, template: Text, tea: Any):
    before = (released.folder / LOCK_FILE).read_text()
    released.write("v1.md", template(status="released", description="Other."))
    with pytest.raises(LockFault, match=r"tea_tasting/v1\.md"):
        lock_released(released.folder, {"tea_tasting": tea})
    assert (released.folder / LOCK_FILE).read_text() == before


@pytest.mark.parametrize("content", ["{broken", "[]", json.dumps({"files": {"a": 1}})])
def test_a_broken_lock_file_is_a_problem_and_is_not_overwritten(
    released: Any, content: str, tea: Any
):
    (released.folder / LOCK_FILE).write_text(content)
    assert LOCK_FILE in released.problem()
    with pytest.raises(LockFault, match="version control"):
        lock_released(released.folder, {"tea_tasting": tea})
