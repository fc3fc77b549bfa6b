"""The published JSON Schemas: the configuration, and for each playbook its rows and replies.

``write_schemas`` brings the files in ``data/schemas`` up to date after a change of the types.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citeval_assets.config.schema import CONFIG_SCHEMA_FILE, config_schema, schema_text
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.cases import CONSTRAINT_FIELDS
from citeval_assets.playbooks.registry import all_playbooks

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_ID = {
    "anyOf": [{"type": "string", "minLength": 1, "maxLength": 512}, {"type": "integer"}],
    "description": "Text; a whole number is read as its exact decimal digits.",
}


def published_schemas() -> dict[str, str]:
    """Return every published schema: file name and text."""
    schemas = {CONFIG_SCHEMA_FILE: schema_text(config_schema())}
    for name, playbook in all_playbooks().items():
        schemas[f"{name}.schema.json"] = schema_text(row_schema(playbook))
        schemas[f"{name}.reply.schema.json"] = schema_text(reply_schema(playbook))
    return schemas


def write_schemas(folder: Path) -> tuple[str, ...]:
    """Write the schemas that differ from the files in ``folder``; return their names."""
    folder.mkdir(parents=True, exist_ok=True)
    changed: list[str] = []
    for name, text in published_schemas().items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            changed.append(name)
    return tuple(changed)


def row_schema(playbook: AnyPlaybook) -> dict[str, Any]:
    """Return the JSON Schema of the test-case rows of a playbook.

    It accepts what the loader accepts in one row: ids as text or whole numbers, sources without
    an id (they get their position) or as plain text. Keys that only the operator may set are
    refused.
    """
    schema = playbook.case_type.model_json_schema()
    properties = schema["properties"]
    for name in ("test_case_id", "system"):
        properties[name] = _ID
    properties["playbook"] = {"const": playbook.name}
    properties["sources"] = _nullable(_sources(properties["sources"]))
    for name in ("tags", "history"):
        properties[name] = _nullable(properties[name])
    definitions: dict[str, Any] = schema.get("$defs", {})
    if "RiskLevel" in definitions:
        definitions["RiskLevel"]["enum"] = ["standard", "moderate", "high"]
    _relax_source(definitions.get("Source", {}))
    return {
        "$schema": _DRAFT,
        "title": f"Test case of {playbook.name}",
        **{key: value for key, value in schema.items() if key != "title"},
        "not": {"anyOf": [{"required": [name]} for name in sorted(CONSTRAINT_FIELDS)]},
    }


def reply_schema(playbook: AnyPlaybook) -> dict[str, Any]:
    """Return the JSON Schema of what a model replies."""
    schema = playbook.reply_type.model_json_schema()
    return {
        "$schema": _DRAFT,
        "title": f"Model output of {playbook.name}",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def _sources(field: Mapping[str, Any]) -> dict[str, Any]:
    return {**field, "items": {"anyOf": [field["items"], {"type": "string"}]}}


def _nullable(field: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in field.items() if key not in ("default", "title")}
    return {"anyOf": [kept, {"type": "null"}], "default": field.get("default", [])}


def _relax_source(source: dict[str, Any]) -> None:
    if not source:
        return
    source["properties"]["id"] = {"anyOf": [*_ID["anyOf"], {"type": "null"}]}
    source["required"] = [name for name in source.get("required", []) if name != "id"]
