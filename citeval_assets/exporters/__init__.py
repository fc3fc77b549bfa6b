"""Write results in other people's formats."""
