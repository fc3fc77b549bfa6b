from typing import Literal

from citeval_assets.judging.schemas import reply_schema, strict
from citeval_assets.playbooks.base import ModelReply

from .toy import TOY


class Inner(ModelReply):
    title: str
    note: str | None = None


class Outer(ModelReply):
    default: Literal["a", "b"] = "a"
    inner: tuple[Inner, ...] = ()


def test_every_object_is_closed_and_requires_all_its_fields():
    schema = strict(Outer.model_json_schema())
    inner = schema["$defs"]["Inner"]
    assert schema["required"] == ["default", "inner"]
    assert inner["required"] == ["title", "note"]
    assert schema["additionalProperties"] is inner["additionalProperties"] is False


def test_what_strict_modes_refuse_is_left_out_but_fields_of_that_name_stay():
    schema = strict(Outer.model_json_schema())
    assert set(schema["properties"]) == {"default", "inner"}
    assert "default" not in schema["properties"]["default"]
    assert set(schema["$defs"]["Inner"]["properties"]) == {"title", "note"}


def test_the_schema_of_a_playbook_bears_its_name_and_a_hash():
    schema = reply_schema(TOY)
    assert schema.name == "toy"
    assert schema.schema["required"] == ["verdict"]
    assert len(schema.sha256) == 64
