"""What TRL accepts at a release, together with a release of transformers.

Everywhere `trl` is a release that the catalog lists (see `store.releases().place`), or a `tree.Tree`: a vendored or
installed package that was read from its source. `transformers` is a release that the catalog lists. Classes are named
by their key (`trl:SFTConfig`, `experimental.kto:KTOConfig`, `scripts.grpo:GRPOScriptArguments`); `imports.class_at`
gives it for an import path. Functions that speak of a class over its whole history (`over_releases`) take its bare name
too.
"""
