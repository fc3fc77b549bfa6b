"""The JSON Schema of ``citeval.yaml``, for editors and other tools."""

import json
from typing import Any

from citeval_assets.config.settings import ConfigFile

CONFIG_SCHEMA_FILE = "citeval.schema.json"


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration file."""
    schema = ConfigFile.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "citeval.yaml",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as it is written to a file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
