"""Reading one template file: YAML front matter, then the parts ``## System`` and ``## User``."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from citeval_assets.config.errors import ConfigError
from citeval_assets.config.validation import check_document
from citeval_assets.config.yaml_text import read_yaml
from citeval_assets.keys import is_plain_name
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.templates.model import TemplateStatus

_FENCE = "---"
_PARTS = ("## System", "## User")


class TemplateFault(ValueError):
    """What is wrong with a template file: one sentence with the remedy."""


def _plain(text: str) -> str:
    if not is_plain_name(text):
        raise ValueError(f"{text!r} is no plain name (letters, digits, '.', '_', '-')")
    return text


class FrontMatter(BaseModel):
    """The head of a template file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    playbook: str
    version: Annotated[str, AfterValidator(_plain)]
    kind: TemplateKind
    status: TemplateStatus
    slots: tuple[str, ...]
    output_schema: str
    few_shot: str
    description: str


@dataclass(frozen=True, slots=True)
class TemplateText:
    """A template file taken apart."""

    front: FrontMatter
    system: str
    user: str


def read_template(text: str, file: str) -> TemplateText:
    """Take a template file apart.

    Raises:
        TemplateFault: where front matter or a part is missing or broken.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        raise TemplateFault(
            "bad front matter: the first line must be '---', then the head as YAML, then '---'"
        )
    ends = [number for number, line in enumerate(lines) if number and line.rstrip() == _FENCE]
    if not ends:
        raise TemplateFault("bad front matter: the closing '---' is missing")
    try:
        document = read_yaml("\n".join(lines[1 : ends[0]]), file, first_line=2)
        front = check_document(document, FrontMatter)
    except ConfigError as error:
        reasons = "; ".join(
            _without_file(problem.key, problem.message) for problem in error.problems
        )
        raise TemplateFault(f"bad front matter: {reasons}") from None
    system, user = _parts(lines[ends[0] + 1 :])
    return TemplateText(front, system, user)


def _without_file(key: str, message: str) -> str:
    return f"{key}: {message}" if key else message


def _parts(lines: list[str]) -> tuple[str, str]:
    places: dict[str, int] = {}
    for number, line in enumerate(lines):
        heading = line.rstrip()
        if heading in _PARTS:
            if heading in places:
                raise TemplateFault(f"the line {heading!r} stands twice; it must stand once")
            places[heading] = number
    for heading in _PARTS:
        if heading not in places:
            raise TemplateFault(f"the line {heading!r} is missing; it opens that part")
    first, second = places["## System"], places["## User"]
    if first > second:
        raise TemplateFault("'## User' stands before '## System'; put the system part first")
    if "".join(lines[:first]).strip():
        raise TemplateFault("there is text before '## System', which would reach no model; move it")
    system = "\n".join(lines[first + 1 : second]).strip()
    user = "\n".join(lines[second + 1 :]).strip()
    for heading, part in zip(_PARTS, (system, user), strict=True):
        if not part:
            raise TemplateFault(f"the part {heading!r} is empty")
    return system, user
