"""What earlier runs found, given again where nothing that it rests on has changed."""
