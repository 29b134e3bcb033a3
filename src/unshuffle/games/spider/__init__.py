"""Spider: two packs in ten piles; runs of one suit, from king to ace, leave the table."""
