"""What is remembered from one run to the next."""
