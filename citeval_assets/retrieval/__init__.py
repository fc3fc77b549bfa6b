"""Retrievers: where passages come from."""
