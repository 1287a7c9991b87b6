"""GPUs that may be seen."""

import pytest

from rlhflint.launchers.machines.devices import device_names, docker_devices, visible_devices
from rlhflint.text import Span, Traced


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


@pytest.mark.parametrize(
    ("text", "number", "because"),
    [
        ("2", 2, ""),
        ('"device=0,1"', 2, ""),
        ("device=3", 1, ""),
        ("all", None, "--gpus all gives every GPU of the machine"),
        ("some", None, "--gpus is 'some'"),
    ],
)
def test_what_a_container_is_given(text, number, because):
    count = docker_devices(Traced.made(text, Span("run.sh", 3, 9)))
    assert (count.number, count.because) == (number, because)


def test_what_a_container_is_given_from_outside():
    assert docker_devices(Traced.hole("$G is given outside")).because == "$G is given outside"


@pytest.mark.parametrize(("text", "because"), [("all", "CUDA_VISIBLE_DEVICES is 'all'"), ("0,1", "")])
def test_devices_that_are_neither_numbers_nor_ids(text, because):
    assert visible_devices(Traced.made(text, Span("run.sh", 3, 9))).because == because


def test_a_value_that_is_not_known_may_have_a_default():
    count = visible_devices(Traced.hole("$G is given outside", default="0,1"))
    assert (count.number, count.default, count.because) == (None, 2, "$G is given outside")
