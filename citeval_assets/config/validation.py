"""From plain YAML values to a typed model, with errors an operator can act on."""

from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from citeval_assets.config.errors import ConfigError, ConfigProblem, did_you_mean
from citeval_assets.config.secrets import find_secrets
from citeval_assets.config.yaml_text import Path, YamlDocument, key_text, reading_of

ModelT = TypeVar("ModelT", bound=BaseModel)

_SHOWN_CHARS = 60
_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
}


def check_document(document: YamlDocument, model_type: type[ModelT]) -> ModelT:
    """Validate a document; an empty one counts as an empty mapping.

    Raises:
        ConfigError: with every fault found, secrets first and alone.
    """
    secrets = tuple(
        ConfigProblem(document.file, key_text(path), reason, document.line_of(path))
        for path, reason in find_secrets(document.value)
    )
    if secrets:
        raise ConfigError.of(secrets)
    value = {} if document.value is None else document.value
    try:
        return model_type.model_validate(value)
    except ValidationError as error:
        raise ConfigError.of(_problems(error, document, model_type)) from None


def _problems(
    error: ValidationError, document: YamlDocument, model_type: type[BaseModel]
) -> Iterator[ConfigProblem]:
    details = error.errors(include_url=False)
    for detail in sorted(details, key=lambda d: document.line_of(d["loc"]) or 0):
        path: Path = detail["loc"]
        message = _message(detail, path, document, model_type)
        line = document.line_of(path)
        yield ConfigProblem(document.file, key_text(path), message, line)


def _message(
    detail: ErrorDetails, path: Path, document: YamlDocument, model_type: type[BaseModel]
) -> str:
    kind = detail["type"]
    if kind == "extra_forbidden":
        return _unknown_key(str(path[-1]), _model_at(model_type, path[:-1]))
    if kind == "missing":
        return "this key is required"
    written = document.written.get(path)
    wants_text = kind in ("string_type", "enum", "literal_error")
    found = _found(detail["input"], written, wants_text)
    if kind in ("enum", "literal_error"):
        expected = str(detail.get("ctx", {}).get("expected", ""))
        names = expected.replace(" or ", ", ").replace("'", "").split(", ")
        hint = did_you_mean(str(detail["input"]), names)
        return f"found {found}, expected one of {', '.join(names)}{hint}"
    if kind in _EXPECTED:
        remedy = _quote_hint(written) if kind == "string_type" else ""
        return f"found {found}, expected {_EXPECTED[kind]}{remedy}"
    text = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    return f"{text} (found {found})" if kind != "value_error" else text


def _quote_hint(written: str | None) -> str:
    if written is None:
        return ""
    return f'; put it in quotes: "{_cut(written)}"' if written else '; write "" or a text'


def _found(value: object, written: str | None, wants_text: bool) -> str:
    """Show a value as it is written, and as what YAML reads it where the two differ."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return repr(_cut(value))
    shown = _cut(str(value) if written is None else written)
    as_read = reading_of(value) if wants_text or shown != str(value) else ""
    return f"`{shown}`{as_read}"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[: _SHOWN_CHARS - 3]}..."


def _unknown_key(key: str, model: type[BaseModel] | None) -> str:
    known = tuple(model.model_fields) if model is not None else ()
    return f"unknown key {key!r}{did_you_mean(key, known)} (known keys: {', '.join(known)})"


def _model_at(model_type: type[BaseModel], path: Path) -> type[BaseModel] | None:
    """Return the model that describes the mapping at ``path``."""
    model: type[BaseModel] | None = model_type
    for step in path:
        if isinstance(step, int):
            continue
        if model is None or step not in model.model_fields:
            return None
        model = _inner_model(model.model_fields[step].annotation)
    return model


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_inner_model(argument) for argument in get_args(annotation))
    return next((model for model in inner if model is not None), None)
