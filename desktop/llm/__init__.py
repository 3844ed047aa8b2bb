"""Everything between the tools and a model: formats (pure) apart from services (network)."""
