"""The Dagster code location: the one ``Definitions`` object."""

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.resources import citeval_resource

defs = assemble(citeval_resource)
