"""rlhflint reads how an RLHF training run is about to be launched and says what will go wrong."""

__version__ = "0.1.0"
