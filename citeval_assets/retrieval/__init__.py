"""Retrievers: where passages come from that cases do not bring themselves."""

from citeval_assets.retrieval.base import Retriever, RetrieverError, RetrieverUnreachable
from citeval_assets.retrieval.memory import SearchMemory
from citeval_assets.retrieval.opening import config_of, passages_wanted, retriever_for
from citeval_assets.retrieval.store import PassageStore
from citeval_assets.retrieval.wanted import wanted_ids

__all__ = [
    "PassageStore",
    "Retriever",
    "RetrieverError",
    "RetrieverUnreachable",
    "SearchMemory",
    "config_of",
    "passages_wanted",
    "retriever_for",
    "wanted_ids",
]
