"""Reading text: sentences, citation markers, quotes, abstention phrases. Pure."""
