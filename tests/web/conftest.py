from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from citeval_assets.web.site import Site
from tests.web.served import make_site, visiting


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A published project. Shared: tests look at it and change nothing."""
    return make_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def visitor(site: Site) -> Iterator[TestClient]:
    with visiting(site) as client:
        yield client
