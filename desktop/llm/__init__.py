"""Everything between the tools and a model: converters (`formats`), and network (`services`)."""
