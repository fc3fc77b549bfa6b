"""The JSON Schema of ``citeval.yaml``, for editors and other tools."""

import json
from typing import Any

from citeval_assets.config.settings import ConfigFile

CONFIG_SCHEMA_FILE = "citeval.schema.json"


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration file."""
    schema = ConfigFile.model_json_schema()
    for name, section in schema["properties"].items():
        if name not in schema["required"]:
            schema["properties"][name] = _or_nothing(section)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "citeval.yaml",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def _or_nothing(section: dict[str, Any]) -> dict[str, Any]:
    """Allow null: what a section is whose lines are all commented out."""
    about = ("default", "description", "title")
    kept = {key: value for key, value in section.items() if key not in about}
    described = {key: value for key, value in section.items() if key in about}
    return {"anyOf": [kept, {"type": "null"}], **described}


def schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as it is written to a file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
