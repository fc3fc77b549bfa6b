"""What target models are shown: the retrievers, and the passages they find for golden questions."""

import dagster as dg

from citeval_assets.defs.names import PASSAGES_KEY, RETRIEVER_KEY, Citeval
from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.retrieving import (
    RetrievedPassages,
    RetrieverState,
    retriever_states,
    states_version,
)

GROUP = "retrieval"


@dg.observable_source_asset(
    key=RETRIEVER_KEY,
    group_name=GROUP,
    description=(
        "The configured retrievers. The data version covers their versions: of a BM25 retriever "
        "the hash of corpus and parameters, of others what they say themselves."
    ),
)
def retriever(citeval: Citeval) -> dg.DataVersion:
    """Observe the versions of the retrievers."""
    return dg.DataVersion(states_version(retriever_states(citeval.project())))


@dg.asset(
    key=PASSAGES_KEY,
    deps=[RETRIEVER_KEY],
    group_name=GROUP,
    kinds={"json"},
    check_specs=[
        dg.AssetCheckSpec(
            "every_question_was_searched",
            asset=PASSAGES_KEY,
            description="No retriever failed; without passages a question is not answered.",
        )
    ],
    description=(
        "For golden questions that bring no passages: what the retriever of their dataset finds. "
        "It is asked once for each of its versions. The data version changes with the passages, "
        "not with the retriever: a new one that finds the same makes nothing stale."
    ),
)
def retrieved_passages(context: dg.AssetExecutionContext, citeval: Citeval) -> dg.MaterializeResult:
    """Ask the retrievers; a failure is a state of its questions."""
    found = citeval.service(context.run.run_id).retrieve()
    for name, failure in found.failures.items():
        context.log.error(f"{name}: {failure}")
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": found.questions,
            "failed": found.failed,
            "retrievers": dg.MetadataValue.md(retriever_table(found)),
        },
        data_version=dg.DataVersion(found.data_version),
        check_results=[
            dg.AssetCheckResult(
                check_name="every_question_was_searched",
                passed=not found.failed,
                severity=dg.AssetCheckSeverity.WARN,
                description="; ".join(found.failures.values()) or None,
                metadata={"failed": found.failed, "questions": found.questions},
            )
        ],
    )


def retriever_table(found: RetrievedPassages) -> str:
    """Return the retrievers as a Markdown table."""
    head = "| retriever | version | questions | asked now | failed | passages | supporting found |"
    lines = [head, "| --- | --- | --- | --- | --- | --- | --- |"]
    for one in found.retrievers:
        share = "-" if one.recall is None else f"{one.found} of {one.expected} ({one.recall:.0%})"
        version = (one.version or "none")[:12]
        lines.append(
            f"| {one.name} | {version} | {one.questions} | {one.searched} | {one.failed} | "
            f"{one.passages} | {share} |"
        )
    return "\n".join(lines)


def observe_retrievers(instance: dg.DagsterInstance, project: Project) -> None:
    """Record the present versions, so that lineage knows what was used."""
    states = retriever_states(project)
    if not states:
        return
    instance.report_runless_asset_event(
        dg.AssetObservation(
            asset_key=RETRIEVER_KEY,
            metadata={state.name: _shown(state) for state in states},
            tags={"dagster/data_version": states_version(states)},
        )
    )


def _shown(state: RetrieverState) -> str:
    return f"{state.kind} {state.version}" if state.version else f"{state.kind}: {state.failure}"


TARGET_ASSETS = [retriever, retrieved_passages]
