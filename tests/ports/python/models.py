"""Classes of the generated package as fields of pydantic's models, as docs/coming-from-python.md has it."""

from typing import Annotated

from acp import ContentBlock, PermissionOption, codecs
from pydantic import (
    BaseModel,
    BeforeValidator,
    InstanceOf,
    PlainSerializer,
    ValidationError,
)


class Asked(BaseModel):
    """What a person was asked."""

    about: Annotated[
        InstanceOf[ContentBlock],
        PlainSerializer(codecs.ContentBlockCodec.dump),
    ]
    options: list[
        Annotated[
            InstanceOf[PermissionOption],
            PlainSerializer(codecs.PermissionOptionCodec.dump),
            BeforeValidator(codecs.PermissionOptionCodec.convert),
        ]
    ]


option = {"optionId": "a", "name": "A", "kind": "allow_once"}
asked = Asked(about=ContentBlock.text("?"), options=[option])
assert asked.options[0].option_id == "a", asked
assert asked.model_dump() == {
    "about": {"type": "text", "text": "?"},
    "options": [option],
}
assert asked.model_dump_json() == (
    '{"about":{"type":"text","text":"?"},'
    '"options":[{"optionId":"a","name":"A","kind":"allow_once"}]}'
)
try:
    Asked(about=1, options=[{"optionId": 1}])
except ValidationError as error:
    said = str(error)
    assert "optionId: expected a string, found a number" in said, said
else:
    raise AssertionError("it takes what is no option")
