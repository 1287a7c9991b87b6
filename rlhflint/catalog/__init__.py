"""What every release of a framework accepts: extracted data, the reviewed overlay over it, and how to ask them."""
