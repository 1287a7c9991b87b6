"""What lets findings through: comments, in any kind of file and checked themselves, and a baseline of findings."""
