"""From a symptom or a log to what in the configuration likely leads to it; the table is `entries.toml`."""
