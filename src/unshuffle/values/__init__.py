"""Value tables: those of a game are an `unshuffle.values.building.Values`."""
