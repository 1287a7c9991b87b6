"""Options that are not given."""

from __future__ import annotations

from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.unset import unset_value
from rlhflint.value import Known, OneOf, Unknown


def bf16(release, fp16):
    return unset_value(config_fields("trl:SFTConfig", release, "4.57.6")["bf16"], {"fp16": fp16}.__getitem__)


def test_half_precision_follows_the_other_half_precision():
    assert bf16("0.24.0", Known(False)) == Known(True)
    assert bf16("0.24.0", Known(True)) == Known(False)
    assert bf16("0.24.0", OneOf(False, "$FP16")) == OneOf(True, "$FP16")
    assert bf16("0.24.0", Unknown("$FP16 is not known")) == Unknown("$FP16 is not known")
    assert bf16("0.18.0", Known(False)) == Known(False)


def test_a_choice_between_two_values_needs_the_option_it_hangs_on():
    loss = config_fields("trl:SFTConfig", "1.10.0", "4.57.6")["loss_type"]
    assert unset_value(loss, {"use_liger_kernel": Known(False)}.__getitem__) == Known("chunked_nll")
    assert unset_value(loss, {"use_liger_kernel": Known(True)}.__getitem__) == Known("nll")
    assert isinstance(unset_value(loss, {"use_liger_kernel": Unknown("?")}.__getitem__), Unknown)


def test_a_computed_default_stays_unknown():
    optim = config_fields("trl:SFTConfig", "1.10.0", "4.57.6")["optim"]
    assert isinstance(unset_value(optim, {}.__getitem__), Unknown)
