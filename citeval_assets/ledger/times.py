"""The one spelling of time in the ledger: UTC, microseconds, sortable as text."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """Return ``moment`` as ``2026-11-30T05:38:00.000000+00:00``.

    Raises:
        ValueError: The time has no zone, so nobody knows which moment it is.
    """
    if moment.tzinfo is None:
        raise ValueError("a time without zone was handed to the ledger; use datetime.now(UTC)")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
