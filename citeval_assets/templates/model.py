"""What a template is, and what a model is sent."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from citeval_assets.playbooks.vocabulary import TemplateKind

TemplateStatus = Literal["draft", "released"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """One version of one playbook's prompt. Immutable once its status is ``released``.

    ``sha256`` covers the template and its few-shot file; line ends do not matter.
    """

    playbook: str
    version: str
    kind: TemplateKind
    status: TemplateStatus
    description: str
    system: str
    user: str
    examples: str
    sha256: str
    path: Path


@dataclass(frozen=True, slots=True)
class TemplateProblem:
    """Why one template file cannot be used, and what to do about it."""

    file: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"
