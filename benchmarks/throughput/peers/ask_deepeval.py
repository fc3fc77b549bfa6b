"""deepeval: a metric of one's own (its documentation's way for an own prompt) under ``evaluate``.

Its ready metrics send their own prompts, GEval several calls a case. Its model call takes one
text, so both messages go as one; the reply is parsed into a pydantic model.
"""

import asyncio
import os
import tempfile
from importlib.metadata import version

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.models import OpenAIModel
from deepeval.test_case import LLMTestCase
from given import KEY, MAX_TOKENS, MODEL, Given, Stopwatch, is_judgement, tell
from judgement import Judgement


class Faithful(BaseMetric):
    """One call a case."""

    def __init__(self, model: OpenAIModel, threshold: float = 0.5) -> None:
        self.model, self.threshold, self.async_mode = model, threshold, True
        self.evaluation_model = model.get_model_name()

    async def a_measure(self, test_case: LLMTestCase, *_, **__) -> float:
        found, self.evaluation_cost = await self.model.a_generate(test_case.input, Judgement)
        self.score = found.citation_faithfulness_score if is_judgement(found.model_dump()) else 0.0
        self.reason = found.overall_assessment
        self.success = self.score >= self.threshold
        return self.score

    def measure(self, test_case: LLMTestCase, *_, **__) -> float:
        return asyncio.run(self.a_measure(test_case))

    def is_successful(self) -> bool:
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "faithful"


def main() -> None:
    given = Given()
    model = OpenAIModel(
        model=MODEL,
        api_key=KEY,
        base_url=given.base_url,
        temperature=0.0,
        generation_kwargs={"max_tokens": MAX_TOKENS},
    )

    def run(cases) -> int:
        texts = ["\n\n".join(message["content"] for message in case) for case in cases]
        found = evaluate(
            [LLMTestCase(input=text, actual_output="as in the input") for text in texts],
            [Faithful(model)],
            async_config=AsyncConfig(max_concurrent=given.concurrency),
            display_config=DisplayConfig(
                show_indicator=False, print_results=False, inspect_after_run=False
            ),
            cache_config=CacheConfig(write_cache=False, use_cache=False),
        )
        return sum(bool(result.success) for result in found.test_results)

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run(given.warm_up)
        watch = Stopwatch()
        parsed = run(given.cases)
        tell(watch.read(), parsed, version("deepeval"))


if __name__ == "__main__":
    main()
