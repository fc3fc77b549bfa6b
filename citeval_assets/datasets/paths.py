"""Which files a dataset may be read from: regular ones inside the project's data folder."""

import stat
from collections.abc import Iterator
from pathlib import Path

from citeval_assets.config.data import DatasetConfig
from citeval_assets.config.settings import Settings

CASE_SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
"""Kinds of files cases are read from."""


class FileRefused(ValueError):
    """A dataset file that is not read; the message says why and what to do."""


def dataset_files(settings: Settings, dataset: DatasetConfig) -> Iterator[Path]:
    """Yield the files of a dataset: the file it names, or all case files of the folder.

    Raises:
        FileRefused: where there is no such file or folder.
    """
    path = settings.project_dir / dataset.path
    if path.is_dir():
        check_path(settings, path, dataset.allow_links)
        found = [p for p in sorted(path.rglob("*")) if _holds_cases(p)]
        if not found:
            raise FileRefused(f"the folder holds no {', '.join(CASE_SUFFIXES)} file")
        yield from found
    else:
        yield path


def _holds_cases(path: Path) -> bool:
    return path.suffix.lower() in CASE_SUFFIXES and not path.name.startswith(".")


def check_path(settings: Settings, path: Path, allow_links: bool) -> None:
    """Raise where a path leaves the data folder, passes through a link, or is not there.

    The data folder itself may be a link: where it lies is the operator's decision.

    Raises:
        FileRefused: naming what is wrong.
    """
    data = settings.data_dir
    if ".." in path.parts or not path.is_relative_to(data):
        raise FileRefused("it lies outside the project's data/ folder; move it there")
    if not allow_links:
        _refuse_links(data, path)
        if not path.resolve().is_relative_to(data.resolve()):
            raise FileRefused("it leads out of the project's data/ folder; move the file there")
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise FileRefused(
            f"the file cannot be read ({error.strerror}); put it there, or mend the path of the "
            "dataset in citeval.yaml"
        ) from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise FileRefused("it is neither a file nor a folder; put a plain file there")


def _refuse_links(data: Path, path: Path) -> None:
    inner = path.relative_to(data)
    walked = data
    for part in inner.parts:
        walked = walked / part
        if walked.is_symlink():
            raise FileRefused(
                f"{walked.relative_to(data.parent).as_posix()} is a link; copy the file there, or "
                "set allow_links: true for this dataset"
            )
