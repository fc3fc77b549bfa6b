"""YAML, read strictly: text that changes its type on the way in is never accepted quietly.

Plain data only: no tags, no aliases or anchors, no key twice, no merge keys. ``read_yaml``
keeps, beside the values, the line and the written form of every scalar, so that an error can
show both. Numbers that YAML 1.1 reads in a base people do not expect (``0123``, ``12:30:00``)
become ``OddScalar``, which no field accepts.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

from citeval_assets.config.errors import ConfigError

MAX_YAML_CHARS = 2_000_000
MAX_YAML_NODES = 200_000
MAX_YAML_DEPTH = 60

_TIME_TAG = "tag:yaml.org,2002:timestamp"
_STANDARD_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("null", "bool", "int", "float", "str", "seq", "map", "timestamp", "merge", "value")
)
_PLAIN_INT = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)")

Path = tuple[str | int, ...]
"""Where a value stands: keys and 0-based list positions from the top."""


class OddScalar:
    """A scalar that YAML 1.1 turns into something its writer did not mean."""

    def __init__(self, written: str, reading: str) -> None:
        self.written = written
        self.reading = reading

    def __repr__(self) -> str:
        return f"OddScalar({self.written!r})"


@dataclass(slots=True)
class YamlDocument:
    """The values of a YAML text and where they stand in it."""

    file: str
    value: Any
    lines: dict[Path, int] = field(default_factory=dict)
    written: dict[Path, str] = field(default_factory=dict)

    def line_of(self, path: Path) -> int | None:
        """Return the 1-based line of a value, or of the nearest thing that holds it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


def key_text(path: Path) -> str:
    """Spell a path the way errors show it: ``models[0].limits.tries``."""
    spelled = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return spelled.removeprefix(".")


def read_yaml(text: str, file: str, *, first_line: int = 1) -> YamlDocument:
    """Read one YAML document of plain data.

    Args:
        text: the document.
        file: its name, for errors.
        first_line: the line of ``file`` on which ``text`` begins.

    Raises:
        ConfigError: for broken YAML, tags, aliases, keys that are no text or stand twice, more
            than one document, and documents beyond the limits of size, depth and nodes.
    """
    if len(text) > MAX_YAML_CHARS:
        raise ConfigError(file, "", f"{len(text)} characters; at most {MAX_YAML_CHARS} are read")
    builder = _Builder(YamlDocument(file, None), first_line)
    try:
        events = yaml.parse(text, Loader=yaml.SafeLoader)
        builder.refuse_aliases(events)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        # The library's own text quotes the faulty line, which may hold a secret.
        mark = error.problem_mark or error.context_mark
        line = first_line + mark.line if mark is not None else None
        raise ConfigError(file, "", f"not valid YAML: {error.problem}", line=line) from None
    except yaml.YAMLError:
        raise ConfigError(file, "", "not valid YAML: it holds characters YAML forbids") from None
    except RecursionError:
        raise ConfigError(file, "", "nested too deep to be read") from None
    if root is not None:
        builder.document.value = builder.build(root, ())
    return builder.document


class _Builder:
    def __init__(self, document: YamlDocument, first_line: int) -> None:
        self.document = document
        self.first_line = first_line

    def refuse_aliases(self, events: Any) -> None:
        """Walk the events (cheap, nothing is expanded) and stop at what is not allowed."""
        depth = 0
        for count, event in enumerate(events):
            line = self.first_line + event.start_mark.line
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
                raise self._refused(
                    "", "anchors (&) and aliases (*) are not allowed; write it out", line
                )
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > MAX_YAML_DEPTH:
                raise self._refused("", f"nested more than {MAX_YAML_DEPTH} levels deep", line)
            if count > MAX_YAML_NODES:
                raise self._refused("", f"more than {MAX_YAML_NODES} entries", line)
            tag = getattr(event, "tag", None)
            if tag is not None and tag != "!" and tag not in _STANDARD_TAGS:
                raise self._refused("", f"the tag {tag!r} is not allowed: plain data only", line)

    def build(self, node: yaml.Node, path: Path) -> Any:
        self.document.lines.setdefault(path, self.first_line + node.start_mark.line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*path, i)) for i, item in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)
        self.document.written[path] = node.value
        return _scalar(node)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        built: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = self.first_line + key_node.start_mark.line
            key = self._key(key_node, path, line)
            at = (*path, key)
            if key in built:
                first = self.document.lines[at]
                raise self._refused(
                    key_text(at), f"this key stands twice (first in line {first})", line
                )
            self.document.lines[at] = line
            built[key] = self.build(value_node, at)
        return built

    def _key(self, node: yaml.Node, path: Path, line: int) -> str:
        if node.tag == "tag:yaml.org,2002:merge":
            raise self._refused(
                key_text(path), "merge keys (<<) are not allowed; write it out", line
            )
        value = _scalar(node) if isinstance(node, yaml.ScalarNode) else None
        if isinstance(value, str):
            return value
        if isinstance(node, yaml.ScalarNode):
            found = f"`{node.value}`{reading_of(value)}"
            message = f"a key must be text, found {found}; put it in quotes"
        else:
            message = "a key must be text, found a list or mapping"
        raise self._refused(key_text(path), message, line)

    def _refused(self, key: str, message: str, line: int) -> ConfigError:
        return ConfigError(self.document.file, key, message, line=line)


def reading_of(value: object) -> str:
    """Say as what YAML reads a scalar that is not text, for example ``, read as true``."""
    if isinstance(value, OddScalar):
        return f", which YAML reads as {value.reading}"
    if isinstance(value, bool):
        return f", which YAML reads as {str(value).lower()}"
    if value is None:
        return ", which YAML reads as nothing (null)"
    if isinstance(value, int | float):
        return f", which YAML reads as the number {value!r}"
    return ""


def _scalar(node: yaml.ScalarNode) -> Any:
    written: str = node.value
    if node.tag == _TIME_TAG:
        return OddScalar(written, "a date or time")
    if node.tag == "tag:yaml.org,2002:int" and not _PLAIN_INT.fullmatch(written):
        return OddScalar(written, "a number in another base")
    if node.tag == "tag:yaml.org,2002:float" and ":" in written:
        return OddScalar(written, "a number in another base")
    try:
        return SafeConstructor().construct_object(node)
    except (ValueError, yaml.YAMLError):
        return OddScalar(written, "something that cannot be read")
