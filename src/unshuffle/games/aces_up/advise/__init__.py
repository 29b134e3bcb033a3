"""What each move of Aces Up is worth to one who does not know the stock."""
