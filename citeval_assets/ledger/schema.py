"""The ledger's tables as SQLAlchemy sees them. The migrations create them.

``tests/ledger/test_migrations.py`` proves that both descriptions agree.
"""

from dataclasses import dataclass

from sqlalchemy import BigInteger, Column, Double, Integer, MetaData, Table, Text

metadata = MetaData()


@dataclass(frozen=True, slots=True)
class ChainTable:
    """One table of the chain. ``key`` names the columns that identify a row to a person."""

    table: Table
    key: tuple[str, ...]
    columns: tuple[str, ...]
    """The columns that hold content, in order: neither the numbers nor the hashes."""
    unique: bool
    """Whether no two rows may share a key."""

    @property
    def name(self) -> str:
        """The table's name in the database."""
        return self.table.name


def _chained(
    name: str, key: str | tuple[str, ...], columns: str, *, unique: bool = True
) -> ChainTable:
    """Describe one table: ``columns`` are names, with ``:int``, ``:big`` or ``:float``."""
    types = {"": Text, "int": Integer, "big": BigInteger, "float": Double}
    pairs = [column.partition(":")[::2] for column in columns.split()]
    table = Table(
        name,
        metadata,
        Column("nr", Integer, primary_key=True, autoincrement=False),
        Column("seq", BigInteger),
        Column("prev_hash", Text),
        Column("row_hash", Text),
        *(Column(column, types[kind]()) for column, kind in pairs),
    )
    keys = (key,) if isinstance(key, str) else key
    return ChainTable(table, keys, tuple(column for column, _ in pairs), unique)


SCHEMA_MIGRATIONS = _chained("schema_migrations", "version", "version:int name applied_at")
INSTALLATION = _chained("installation", "name", "name value created_at")
TEXTS = _chained("texts", "sha256", "sha256 content")
CASES = _chained("cases", "case_hash", "case_hash playbook test_case_id system canonical_json")
DATASETS = _chained(
    "datasets",
    ("playbook", "dataset_version"),
    "playbook dataset_version member_count:int members_json created_at",
)
CALL_INTENTS = _chained(
    "call_intents",
    "call_id",
    "call_id call_key run_id playbook test_case_id system case_hash model_id model endpoint "
    "prompt_version template_sha256 dataset_version attempt:int try_number:int repeat:int "
    "source_ids messages_sha256 parameters_json response_schema_sha256 context_cuts_json "
    "created_at",
)
CALL_REPLIES = _chained(
    "call_replies",
    "call_id",
    "call_id outcome text finish_reason failure_reason failure_detail http_status:int "
    "retry_after_s:float answered_model fingerprint provider prompt_tokens:big cached_tokens:big "
    "completion_tokens:big cost_usd cost_note latency_ms:float notes_json created_at",
)
EVALUATIONS = _chained(
    "evaluations",
    "evaluation_id",
    "evaluation_id playbook model prompt_version template_sha256 dataset_version scope epoch "
    "run_id started_at finished_at item_count:int items_sha256",
)
EVALUATION_ITEMS = _chained(
    "evaluation_items",
    ("evaluation_id", "case_hash"),
    "evaluation_id case_hash test_case_id system call_ids status reason score:float routing "
    "escalations validation_problems",
)
GATE_DECISIONS = _chained(
    "gate_decisions",
    "decision_id",
    "decision_id gate playbook metric baseline candidate verdict inputs_json created_at",
)
REVIEW_DECISIONS = _chained(
    "review_decisions",
    "decision_id",
    "decision_id playbook test_case_id system case_hash model prompt_version decision reviewer "
    "note labels_json answer evaluation_id created_at",
)
HUMAN_LABELS = _chained(
    "human_labels",
    "label_id",
    "label_id playbook test_case_id system case_hash label_source labels_json score:float "
    "labeller origin created_at",
)
SELECTIONS = _chained("selections", ("kind", "name"), "kind name value created_at", unique=False)
RUN_ANCHORS = _chained(
    "run_anchors", "run_id", "run_id chain_rows:big head created_at", unique=False
)

JUDGE_MEASUREMENTS = _chained(
    "judge_measurements",
    "measurement_id",
    "measurement_id kind playbook model prompt_version epoch result_json run_id created_at",
)

TRACES = _chained(
    "traces", "case_hash", "case_hash playbook test_case_id system day file created_at"
)
TRACE_OFFERS = _chained(
    "trace_offers",
    "case_hash",
    "case_hash playbook dataset system day offered:int taken:int drawn:int probability:float "
    "seed:big created_at",
)

FIRST_TABLES: tuple[ChainTable, ...] = (
    SCHEMA_MIGRATIONS,
    INSTALLATION,
    TEXTS,
    CASES,
    DATASETS,
    CALL_INTENTS,
    CALL_REPLIES,
    EVALUATIONS,
    EVALUATION_ITEMS,
    GATE_DECISIONS,
    REVIEW_DECISIONS,
    HUMAN_LABELS,
    SELECTIONS,
    RUN_ANCHORS,
)
CHAIN_TABLES: tuple[ChainTable, ...] = (
    *FIRST_TABLES,
    JUDGE_MEASUREMENTS,
    TRACES,
    TRACE_OFFERS,
)

chain_heads = Table(
    "chain_heads",
    metadata,
    Column("name", Text, primary_key=True),
    Column("row_count", BigInteger),
    Column("row_hash", Text),
)
claims = Table(
    "claims",
    metadata,
    Column("call_key", Text, primary_key=True),
    Column("owner", Text),
    Column("expires_at", Text),
)
circuits = Table(
    "circuits",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("state", Text),
    Column("failures", Integer),
    Column("reason", Text),
    Column("owner", Text),
    Column("until", Text),
)
turns = Table(
    "turns",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("next_request_s", Double),
    Column("next_tokens_s", Double),
)
spending = Table(
    "spending",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("spent_usd", Text),
    Column("reserved_usd", Text),
)
reservations = Table(
    "reservations",
    metadata,
    Column("call_id", Text, primary_key=True),
    Column("scopes", Text),
    Column("usd", Text),
    Column("owner", Text),
    Column("expires_at", Text),
)
