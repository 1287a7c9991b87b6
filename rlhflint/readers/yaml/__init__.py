"""The YAML reader: keys and values with their places, typed as PyYAML's safe loader types them."""

from rlhflint.readers.yaml.document import read_yaml

__all__ = ["read_yaml"]
