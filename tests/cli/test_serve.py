"""``citeval serve``: whom it lets in, and that it comes up and goes down as asked."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "judge.house"])
def test_others_are_let_in_with_a_token_only(citeval, project: Path, host: str) -> None:
    answer = citeval("--project", project, "serve", "--host", host)
    assert answer.code == 2
    assert "--token-env" in answer.stderr


def test_a_short_or_missing_token_is_refused(citeval, project: Path, monkeypatch) -> None:
    for token in ("", "short"):
        monkeypatch.setenv("PAGES_TOKEN", token)
        arguments = ("serve", "--host", "0.0.0.0", "--token-env", "PAGES_TOKEN")
        answer = citeval("--project", project, *arguments)
        assert answer.code == 2 and "16 characters" in answer.stderr


def test_a_taken_port_is_named(citeval, project: Path, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "home"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = citeval("--project", project, "serve", "--port", str(port))
    assert answer.code == 2
    assert f"port {port}" in answer.stderr and "--port" in answer.stderr


@pytest.mark.slow
def test_it_serves_until_it_is_interrupted(project: Path, tmp_path: Path) -> None:
    environ = {
        **os.environ, "DAGSTER_HOME": str(tmp_path / "home"), "PAGES_TOKEN": "a-token-long-enough",
    }  # fmt: skip
    options = ["--port", "0", "--host", "0.0.0.0", "--token-env", "PAGES_TOKEN", "--json"]
    command = [sys.executable, "-m", "citeval_assets.cli", "--project", str(project), "serve"]
    command += options
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        document = json.loads(process.stdout.readline())
        port = document["url"].rpartition(":")[2]
        url = f"http://127.0.0.1:{port}/"
        with pytest.raises(HTTPError) as refused:
            urlopen(url)
        assert refused.value.code == 401
        asked = Request(url, headers={"Authorization": "Bearer a-token-long-enough"})
        with pytest.raises(HTTPError) as empty:
            urlopen(asked)
        assert empty.value.code == 503
        assert "Nothing has been published yet" in empty.value.read().decode()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait(20) == 130 and rest == ""
