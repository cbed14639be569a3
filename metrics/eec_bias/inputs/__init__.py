"""What a user hands over, scores, labels and tables, checked and reduced to the sums that every test needs."""
