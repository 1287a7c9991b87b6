"""verl, experimental: names and types of the settings of its PPO trainer."""
