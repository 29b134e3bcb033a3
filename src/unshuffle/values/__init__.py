"""Tables of values: what a game has of them is an `unshuffle.values.building.Values`."""
