"""The Dagster code location: the one ``Definitions`` object."""

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.resources import CitevalResource

defs = assemble(CitevalResource())
