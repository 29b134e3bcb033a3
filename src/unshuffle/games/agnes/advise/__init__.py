"""What each move of Agnes Sorel is worth to one who sees only the face-up cards."""
