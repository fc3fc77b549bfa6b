"""Turn other people's files into test cases."""
