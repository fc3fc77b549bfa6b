"""inspect-ai: a task whose samples are the judge's messages; a scorer reads the reply.

As its documentation has it for an OpenAI-compatible endpoint (provider ``openai-api``) and for
structured output (``ResponseSchema``). ``max_samples`` follows ``max_connections``.
"""

import json
import tempfile
from importlib.metadata import version

from given import KEY, MAX_TOKENS, MODEL, Given, Stopwatch, is_judgement, tell
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ResponseSchema,
    get_model,
)
from inspect_ai.scorer import Score, Target, accuracy, scorer
from inspect_ai.solver import TaskState, generate
from inspect_ai.util import JSONSchema

KINDS = {"system": ChatMessageSystem, "user": ChatMessageUser}


@scorer(metrics=[accuracy()])
def judged():
    async def score(state: TaskState, target: Target) -> Score:
        reply = json.loads(state.output.completion)
        value = reply["citation_faithfulness_score"] if is_judgement(reply) else 0.0
        return Score(value=value, explanation=reply["overall_assessment"])

    return score


def main() -> None:
    given = Given()
    asked = given.response_format["json_schema"]
    schema = JSONSchema.model_validate(asked["schema"])
    config = GenerateConfig(
        max_connections=given.concurrency,
        max_retries=0,
        temperature=0.0,
        max_tokens=MAX_TOKENS,
        response_schema=ResponseSchema(name=asked["name"], json_schema=schema, strict=True),
    )
    model = get_model(f"openai-api/bench/{MODEL}", base_url=given.base_url, api_key=KEY)

    def run(cases):
        samples = [
            Sample(input=[KINDS[m["role"]](content=m["content"]) for m in case]) for case in cases
        ]
        task = Task(MemoryDataset(samples), solver=generate(), scorer=judged(), config=config)
        with tempfile.TemporaryDirectory() as logs:
            [log] = eval(
                task, model=model, log_dir=logs, display="none", max_samples=given.concurrency
            )
            scores = [list((sample.scores or {}).values()) for sample in log.samples or []]
            return sum(bool(found) and found[0].value == 1.0 for found in scores)

    run(given.warm_up)
    watch = Stopwatch()
    parsed = run(given.cases)
    tell(watch.read(), parsed, version("inspect-ai"))


if __name__ == "__main__":
    main()
