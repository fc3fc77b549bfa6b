"""Amounts of money on the command line: exact, finite, not negative."""

from decimal import Decimal, InvalidOperation

import click


class UsdAmount(click.ParamType):
    """US dollars as a decimal number."""

    name = "USD"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """Read an amount such as 2.50."""
        try:
            amount = Decimal(str(value))
        except InvalidOperation:
            self.fail(f"{value!r} is no amount: write US dollars such as 2.50", param, ctx)
        if not amount.is_finite() or amount < 0:
            self.fail(f"{value!r} is no amount to spend: write 0 or more", param, ctx)
        return amount


USD = UsdAmount()
