"""The JSON schema a model is asked to answer in."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from citeval_assets.judging.request import JsonValue, ReplySchema
from citeval_assets.playbooks.base import AnyPlaybook, ModelReply

_LEFT_OUT = frozenset({"title", "default", "description"})
"""Of no use to a model that has the template, and ``default`` is refused by strict modes."""


def reply_schema(playbook: AnyPlaybook) -> ReplySchema:
    """Return the output schema of a playbook in the form strict modes accept."""
    return ReplySchema(playbook.name, _strict_schema(playbook.reply_type))


@cache
def _strict_schema(reply_type: type[ModelReply]) -> Mapping[str, JsonValue]:
    return cast("Mapping[str, JsonValue]", strict(reply_type.model_json_schema()))


def strict(schema: Any) -> Any:
    """Return a schema in which every object is closed and every field required.

    That is what providers ask of a schema they enforce. The reader of the reply stays as
    lenient as the model it is read into.
    """
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties" or key == "$defs":
            closed[key] = {name: strict(inner) for name, inner in value.items()}
        elif key not in _LEFT_OUT or not isinstance(key, str):
            closed[key] = strict(value)
    if "properties" in closed:
        closed["required"] = list(closed["properties"])
        closed["additionalProperties"] = False
    return closed
