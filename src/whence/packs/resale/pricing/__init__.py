"""Price bands, demand and net proceeds: pure functions over comps."""
