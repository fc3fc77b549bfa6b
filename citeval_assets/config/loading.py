"""``load_settings``: a project folder and an environment give the settings, or an error."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from citeval_assets.config.crosschecks import cross_check, implicit_name, imported_name
from citeval_assets.config.data import DatasetConfig
from citeval_assets.config.discovered import with_discovered
from citeval_assets.config.errors import ConfigError, did_you_mean
from citeval_assets.config.files import UnreadableText, read_text_file
from citeval_assets.config.settings import ConfigFile, Settings, StorageConfig
from citeval_assets.config.validation import check_document
from citeval_assets.config.yaml_text import read_yaml
from citeval_assets.keys import is_plain_name
from citeval_assets.playbooks.registry import all_playbooks

CONFIG_FILE = "citeval.yaml"
GOLDEN_FOLDER = "data/golden"
IMPORTED_FOLDER = "data/imported"
"""``citeval import`` writes <playbook>/<name>.jsonl here; no entry is needed for them."""


def load_settings(project: Path, environ: Mapping[str, str]) -> Settings:
    """Read ``citeval.yaml`` of a project folder.

    Args:
        project: the project folder.
        environ: the environment variables; read are DAGSTER_HOME and the one that
            ``storage.ledger_url_env`` names.

    Raises:
        ConfigError: with every fault found in the file.
    """
    folder = project.resolve()
    config = read_config(folder / CONFIG_FILE)
    state_dir = _state_dir(folder, config.storage, environ)
    datasets, warnings = _with_implicit(folder, config)
    models, passed_over = with_discovered(config.models, state_dir)
    return Settings(
        project_dir=folder,
        state_dir=state_dir,
        ledger_url=_ledger_url(state_dir, config.storage, environ),
        models=models,
        systems=config.systems,
        datasets=tuple(_with_review(dataset, config) for dataset in datasets),
        retrievers=config.retrievers,
        gates=config.gates,
        calibration=config.calibration,
        sampling=config.sampling,
        review=config.review,
        budget=config.budget,
        automation=config.automation,
        storage=config.storage,
        warnings=(*warnings, *passed_over),
    )


def read_config(path: Path) -> ConfigFile:
    """Read and check one configuration file.

    Raises:
        ConfigError: with every fault found in the file.
    """
    file = path.name
    try:
        text = read_text_file(path)
    except UnreadableText as error:
        remedy = "" if path.exists() else _missing_remedy(path)
        raise ConfigError(str(path), "", f"{error}{remedy}") from None
    document = read_yaml(text, file)
    config = check_document(document, ConfigFile)
    imported = [found.name for found in _implicit_files(path.parent) if found.imported]
    problems = cross_check(config, document, imported)
    if problems:
        raise ConfigError.of(problems)
    return config


def _missing_remedy(path: Path) -> str:
    for other in (path.with_suffix(".yml"), path.with_suffix(".json")):
        if other.exists():
            return f"; rename {other.name} to {path.name}"
    return "; run `citeval init` there, or name the project folder with --project"


def _state_dir(folder: Path, storage: StorageConfig, environ: Mapping[str, str]) -> Path:
    if storage.state_dir is not None:
        return (folder / Path(storage.state_dir).expanduser()).resolve()
    home = environ.get("DAGSTER_HOME", "").strip()
    if not home:
        return folder / "dagster_home" / "citeval"
    if not Path(home).is_absolute():
        raise ConfigError(
            "environment", "DAGSTER_HOME", f"must be an absolute path, found {home!r}"
        )
    return Path(home) / "citeval"


def _ledger_url(state_dir: Path, storage: StorageConfig, environ: Mapping[str, str]) -> str:
    if storage.ledger_url is not None:
        return storage.ledger_url
    if storage.ledger_url_env is None:
        return f"sqlite:///{(state_dir / 'ledger.db').as_posix()}"
    url = environ.get(storage.ledger_url_env, "").strip()
    if not url:
        raise ConfigError(
            CONFIG_FILE,
            "storage.ledger_url_env",
            f"the environment variable {storage.ledger_url_env} is not set; set it to the address "
            "of the ledger, such as postgresql+psycopg2://user:password@host/database",
        )
    return url


@dataclass(frozen=True, slots=True)
class _ImplicitFile:
    """A case file that is a dataset although no entry names it."""

    playbook: str
    name: str
    path: str
    imported: bool


def _implicit_files(folder: Path) -> Iterator[_ImplicitFile]:
    """Yield ``data/golden/<playbook>.jsonl`` and ``data/imported/<playbook>/<name>.jsonl``."""
    for path in sorted((folder / GOLDEN_FOLDER).glob("*.jsonl")):
        name = implicit_name(path.stem)
        yield _ImplicitFile(path.stem, name, f"{GOLDEN_FOLDER}/{path.name}", False)
    for path in sorted((folder / IMPORTED_FOLDER).glob("*/*.jsonl")):
        playbook = path.parent.name
        name = imported_name(playbook, path.stem)
        yield _ImplicitFile(playbook, name, f"{IMPORTED_FOLDER}/{playbook}/{path.name}", True)


def _with_implicit(
    folder: Path, config: ConfigFile
) -> tuple[tuple[DatasetConfig, ...], tuple[str, ...]]:
    """Add the files that are datasets without an entry, unless an entry names them."""
    named = {dataset.path for dataset in config.datasets}
    taken = {dataset.name.lower(): i for i, dataset in enumerate(config.datasets)}
    implicit: list[DatasetConfig] = []
    warnings: list[str] = []
    for found in _implicit_files(folder):
        if any(str(place) in named for place in (found.path, *PurePosixPath(found.path).parents)):
            continue
        if found.playbook not in all_playbooks():
            hint = did_you_mean(found.playbook, all_playbooks())
            warnings.append(
                f"{found.path} is not read: no dataset names it and {found.playbook!r} is no "
                f"playbook{hint}"
            )
            continue
        if not is_plain_name(found.name):
            warnings.append(
                f"{found.path} is not read: {found.name!r} is no plain name; use letters, digits, "
                "'.', '_' and '-' for the name of the file"
            )
            continue
        if found.name.lower() in taken:
            raise ConfigError(
                CONFIG_FILE,
                f"datasets[{taken[found.name.lower()]}].name",
                f"{found.name!r} is the name {found.path} has without an entry; choose another, "
                "or name that file here",
            )
        implicit.append(DatasetConfig(name=found.name, playbook=found.playbook, path=found.path))
    return (*config.datasets, *implicit), tuple(warnings)


def _with_review(dataset: DatasetConfig, config: ConfigFile) -> DatasetConfig:
    """Fill in what the review section says where the dataset does not say it itself."""
    review = {
        "review_severity_threshold": config.review.severity_threshold,
        "refuse_critical": config.review.refuse_critical,
    }
    missing = {k: v for k, v in review.items() if k not in dataset.model_fields_set}
    return dataset.model_copy(update=missing)
