"""GPUs that may be seen."""

import pytest

from rlhflint.launchers.devices import device_names, visible_devices
from rlhflint.text import Traced


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        ("0,1,2", ("0", "1", "2")),
        ("3", ("3",)),
        (" 0, 1", ("0", "1")),
        ("", ()),
        ("-1", ()),
        ("0,-1,2", ("0",)),
        ("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", ("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",)),
        ("MIG-GPU-8932f937/1/2,1", ("MIG-GPU-8932f937/1/2", "1")),
        ("all", None),
        ("0-3", None),
        ("0,,1", None),
    ],
)
def test_a_value_of_cuda_visible_devices(text, devices):
    assert device_names(text) == devices


def test_a_value_that_is_not_known_may_have_a_default():
    count = visible_devices(Traced.hole("$G is given outside", default="0,1"))
    assert (count.number, count.default, count.because) == (None, 2, "$G is given outside")
