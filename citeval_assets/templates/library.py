"""All prompt templates of a project: what can be used, and what is wrong with the rest."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from citeval_assets.config.errors import did_you_mean
from citeval_assets.config.files import UnreadableText, read_text_file
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.templates.examples import ExampleFault, check_examples
from citeval_assets.templates.front_matter import TemplateFault, TemplateText, read_template
from citeval_assets.templates.lock import LOCK_FILE, LockFault, read_lock, text_hash, write_lock
from citeval_assets.templates.model import PromptTemplate, TemplateProblem
from citeval_assets.templates.placeholders import FREE_SLOTS, RENDERER_SLOTS, placeholders_in

EXAMPLES_FOLDER = "examples"
_NOTES = frozenset({"readme.md"})


class UnknownTemplate(KeyError):
    """A playbook has no usable template of this version; the message says which there are."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class TemplateLibrary:
    """The templates that can be used, and the problems of those that cannot.

    ``unlocked`` lists released versions that the lock file does not protect yet.
    """

    templates: Mapping[tuple[str, str], PromptTemplate] = field(default_factory=dict)
    problems: tuple[TemplateProblem, ...] = ()
    unlocked: tuple[str, ...] = ()

    def versions(self, playbook: str) -> tuple[str, ...]:
        """Return the usable versions of a playbook, ``v2`` before ``v10``."""
        found = (version for name, version in self.templates if name == playbook)
        return tuple(sorted(found, key=_natural))

    def get(self, playbook: str, version: str) -> PromptTemplate:
        """Return one template.

        Raises:
            UnknownTemplate: where there is none; broken files of that name are quoted.
        """
        template = self.templates.get((playbook, version))
        if template is not None:
            return template
        versions = self.versions(playbook)
        there = f"there are {', '.join(versions)}" if versions else "there are none"
        text = f"playbook {playbook!r} has no prompt version {version!r}: {there}"
        broken = [p for p in self.problems if p.file.endswith(f"{playbook}/{version}.md")]
        hint = f" ({broken[0]})" if broken else did_you_mean(version, versions)
        raise UnknownTemplate(text + hint)

    def newest_released(self, playbook: str) -> PromptTemplate | None:
        """Return the highest released version, or ``None``."""
        found = [self.templates[playbook, version] for version in self.versions(playbook)]
        released = [template for template in found if template.status == "released"]
        return released[-1] if released else None


def load_templates(
    prompts_dir: Path, playbooks: Mapping[str, AnyPlaybook] | None = None
) -> TemplateLibrary:
    """Read all templates below a folder. What is broken becomes a problem; the rest is loaded.

    Args:
        prompts_dir: the folder with one folder per playbook.
        playbooks: the playbooks there are; by default the registered ones.
    """
    loader = _Loader(prompts_dir, all_playbooks() if playbooks is None else playbooks)
    loader.load()
    return TemplateLibrary(loader.templates, tuple(loader.problems), tuple(loader.unlocked))


def lock_released(
    prompts_dir: Path, playbooks: Mapping[str, AnyPlaybook] | None = None
) -> tuple[str, ...]:
    """Protect every released version and its few-shot file; return the files newly locked.

    Raises:
        LockFault: where a file that is locked already was changed; nothing is written.
    """
    files = read_lock(prompts_dir)
    changed = [name for name in sorted(files) if _is_changed(prompts_dir / name, files[name])]
    if changed:
        raise LockFault(f"{', '.join(changed)}: changed after release; restore it first")
    library = load_templates(prompts_dir, playbooks)
    added = {
        name: digest
        for template in library.templates.values()
        if template.status == "released"
        for name, digest in _hashes(prompts_dir, template).items()
        if name not in files
    }
    if added:
        write_lock(prompts_dir, {**files, **added})
    return tuple(sorted(added))


def _is_changed(path: Path, locked: str) -> bool:
    try:
        return text_hash(read_text_file(path)) != locked
    except UnreadableText:
        return True


def _hashes(prompts_dir: Path, template: PromptTemplate) -> dict[str, str]:
    text = read_text_file(template.path)
    few_shot = _few_shot_path(template.path, read_template(text, template.path.name))
    paths = {template.path: text, few_shot: template.examples}
    return {path.relative_to(prompts_dir).as_posix(): text_hash(t) for path, t in paths.items()}


class _Loader:
    def __init__(self, prompts_dir: Path, playbooks: Mapping[str, AnyPlaybook]) -> None:
        self.folder = prompts_dir
        self.playbooks = playbooks
        self.templates: dict[tuple[str, str], PromptTemplate] = {}
        self.problems: list[TemplateProblem] = []
        self.unlocked: list[str] = []
        self.lock: dict[str, str] = {}

    def load(self) -> None:
        if not self.folder.is_dir():
            self._problem(self.folder, "there is no such folder; run `citeval init`")
            return
        self._read_lock()
        for folder in sorted(path for path in self.folder.iterdir() if path.is_dir()):
            if folder.name.startswith((".", "_")):
                continue
            if folder.name in self.playbooks:
                self._load_folder(folder, self.playbooks[folder.name])
            else:
                hint = did_you_mean(folder.name, self.playbooks)
                self._problem(folder, f"there is no playbook of this name{hint}; rename the folder")

    def _read_lock(self) -> None:
        try:
            self.lock = read_lock(self.folder)
        except LockFault as fault:
            self._problem(self.folder / LOCK_FILE, str(fault))
        for name in sorted(self.lock):
            if not (self.folder / name).is_file():
                self._problem(
                    self.folder / name,
                    "a released file is missing; restore it, for results refer to it",
                )

    def _load_folder(self, folder: Path, playbook: AnyPlaybook) -> None:
        for path in sorted(folder.iterdir()):
            if path.suffix != ".md" or path.name.lower() in _NOTES:
                continue
            try:
                template = self._load_file(path, playbook)
            except (TemplateFault, UnreadableText) as fault:
                self._problem(path, str(fault))
            else:
                self.templates[playbook.name, template.version] = template

    def _load_file(self, path: Path, playbook: AnyPlaybook) -> PromptTemplate:
        if path.is_symlink():
            raise TemplateFault("it is a link; put the file itself there")
        text = read_text_file(path)
        self._check_lock(path, text)
        parts = read_template(text, path.name)
        _check_head(path, parts, playbook)
        _check_slots(parts, playbook)
        few_shot = _few_shot_path(path, parts)
        examples = self._read_examples(few_shot, playbook)
        front = parts.front
        locked = self._name(path) in self.lock and self._name(few_shot) in self.lock
        if front.status == "released" and not locked:
            self.unlocked.append(self._name(path))
        return PromptTemplate(
            playbook=playbook.name,
            version=front.version,
            kind=front.kind,
            status=front.status,
            description=front.description,
            system=parts.system,
            user=parts.user,
            examples=examples,
            sha256=text_hash(f"{text_hash(text)}\n{text_hash(examples)}"),
            path=path,
        )

    def _read_examples(self, path: Path, playbook: AnyPlaybook) -> str:
        try:
            text = read_text_file(path)
            self._check_lock(path, text)
            check_examples(text, playbook)
        except (UnreadableText, ExampleFault) as fault:
            raise TemplateFault(f"few-shot file {self._name(path)}: {fault}") from None
        return text

    def _check_lock(self, path: Path, text: str) -> None:
        locked = self.lock.get(self._name(path))
        if locked is not None and locked != text_hash(text):
            raise TemplateFault(
                f"{self._name(path)} was changed after its release; restore it, and put the "
                "change into a new version"
            )

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def _problem(self, path: Path, message: str) -> None:
        inside = path != self.folder
        file = f"{self.folder.name}/{self._name(path)}" if inside else str(path)
        self.problems.append(TemplateProblem(file, message))


def _check_head(path: Path, parts: TemplateText, playbook: AnyPlaybook) -> None:
    front = parts.front
    expected = {
        "playbook": (front.playbook, path.parent.name, "the name of the folder"),
        "version": (front.version, path.stem, "the name of the file"),
        "kind": (str(front.kind), str(playbook.kind), "what this playbook asks for"),
        "output_schema": (
            front.output_schema,
            f"{playbook.name}.reply",
            "the reply of the playbook",
        ),
    }
    for key, (found, wanted, why) in expected.items():
        if found != wanted:
            raise TemplateFault(f"{key} is {found!r}, expected {wanted!r} ({why})")


def _check_slots(parts: TemplateText, playbook: AnyPlaybook) -> None:
    required = {slot.name for slot in playbook.slots if not slot.optional} | RENDERER_SLOTS
    filled = {slot.name for slot in playbook.slots} | RENDERER_SLOTS | FREE_SLOTS
    check_placeholders(f"{parts.system}\n{parts.user}", required, filled)
    found = set(placeholders_in(f"{parts.system}\n{parts.user}")) - RENDERER_SLOTS - FREE_SLOTS
    differing = sorted(found ^ (set(parts.front.slots) - RENDERER_SLOTS - FREE_SLOTS))
    if differing:
        raise TemplateFault(
            f"'slots' in the front matter and the slots in the text differ in "
            f"{', '.join(differing)}; list what stands in the text"
        )


def check_placeholders(text: str, required: Collection[str], filled: Collection[str]) -> None:
    """Raise where a template lacks a slot it must hold, or holds one that nothing fills.

    Raises:
        TemplateFault: naming the slots.
    """
    found = placeholders_in(text)
    unknown = [name for name in found if name not in filled]
    if unknown:
        hints = ", ".join(f"[{name}]{did_you_mean(name, filled)}" for name in unknown)
        raise TemplateFault(
            f"unknown placeholder {hints}; filled are {', '.join(sorted(filled))} (a name in "
            "capitals and square brackets is always a placeholder)"
        )
    missing = [f"[{name}]" for name in sorted(required) if name not in found]
    if missing:
        raise TemplateFault(
            f"missing placeholder {', '.join(missing)}; put it where its content shall stand"
        )


def _few_shot_path(path: Path, parts: TemplateText) -> Path:
    """Return the few-shot file of a template, which must lie in its folder ``examples``."""
    folder = path.parent / EXAMPLES_FOLDER
    few_shot = folder / parts.front.few_shot
    inside = few_shot.resolve().is_relative_to(folder.resolve())
    if not inside or few_shot.is_symlink() or folder.is_symlink():
        raise TemplateFault(
            f"few_shot {parts.front.few_shot!r} leads out of the folder {EXAMPLES_FOLDER}/ of this "
            "playbook; put the file there"
        )
    return few_shot


def _natural(version: str) -> tuple[tuple[int, int | str], ...]:
    parts = re.split(r"(\d+)", version)
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in parts if part)
