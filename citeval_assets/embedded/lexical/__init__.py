"""``embedded/lexical-1``: a judge that weighs clues of words, numbers and names."""
