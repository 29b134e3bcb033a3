"""Which plan of Spider is best for one who sees only the face-up cards."""
