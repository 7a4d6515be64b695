"""Kinds of parameters: from a value of YAML to a value of Protobuf text.

Each kind is a function that returns the text, or None if the value is none of
that kind.  REFERENCES name other components; who knows the application turns
them into text.
"""
import re
from fractions import Fraction

from gxf.text_proto import quote
from gxf.yaml_lines import Text

_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_PERIOD = re.compile(r"\s*\+?((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?)"
                     r"\s*(ns|us|ms|s|min|h|hz|khz)?\s*", re.IGNORECASE)
_SIZE = re.compile(r"\s*([0-9]{1,20})(?:\.[0-9]+)?\s*([KMGT]?B)?\s*", re.IGNORECASE)
_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
_RATES = {"hz": 10**9, "khz": 10**6}
_BOOLS = {"true": "true", "yes": "true", "on": "true", "1": "true",
          "false": "false", "no": "false", "off": "false", "0": "false"}

# Kinds that need to know the rest of the application.
INPUT, INPUTS, OUTPUT, ALLOCATOR, CLOCK = "input", "inputs", "output", "allocator", "clock"
REFERENCES = (INPUT, INPUTS, OUTPUT, ALLOCATOR, CLOCK)


def _integer(value, low, high):
    if not isinstance(value, Text) or not _INT.fullmatch(value) or len(value) > 25:
        return None
    number = int(value)
    return str(number) if low <= number <= high else None


def int32(value):
    return _integer(value, -2**31, 2**31 - 1)


def uint32(value):
    return _integer(value, 0, 2**32 - 1)


def int64(value):
    return _integer(value, -2**63, 2**63 - 1)


def uint64(value):
    return _integer(value, 0, 2**64 - 1)


def double(value):
    if not isinstance(value, Text) or not _FLOAT.fullmatch(value):
        return None
    # No zeros in front, which would make the number octal.
    return re.sub(r"^(-?)0+(?=[0-9])", r"\1", value.lstrip("+"))


def size(value):
    """A number of bytes with a unit, as text."""
    match = _SIZE.fullmatch(value) if isinstance(value, Text) else None
    if match is None:
        return None
    factor = 1024 ** " KMGT".index((match[2] or " ")[0].upper().replace("B", " "))
    return quote(value.strip()) if int(match[1]) * factor < 2**64 else None


def string(value):
    """Any text."""
    return quote(value) if isinstance(value, Text) else None


def boolean(value):
    return _BOOLS.get(value.lower()) if isinstance(value, Text) else None


def threads(value):
    """As many as a graph is granted; 0 is one for each core."""
    return _integer(value, 0, 4096)


def positive(kind):
    """Those of a kind that are above 0."""
    def convert(value):
        text = kind(value)
        return text if text is not None and float(text) > 0 else None
    return convert


def not_negative(kind):
    """Those of a kind that are 0 or above."""
    def convert(value):
        text = kind(value)
        return text if text is not None and float(text) >= 0 else None
    return convert


def period_ns(value):
    """The nanoseconds of "10ms", "100 Hz"; a number alone is nanoseconds.

    None of what is none, or none that a clock in nanoseconds could count.
    """
    match = _PERIOD.fullmatch(value) if isinstance(value, Text) else None
    if match is None:
        return None
    number, unit = Fraction(match[1]), (match[2] or "ns").lower()
    if unit in _RATES:
        number = _RATES[unit] / number if number else Fraction(0)
    else:
        number *= _UNITS[unit]
    return round(number) if 1 <= round(number) < 2**63 else None


def period(value):
    """A text with which period_ns can do something."""
    return quote(value.strip().lstrip("+")) if period_ns(value) is not None else None


def choice(**names):
    """One of a few words, or its number in their order."""
    by_number = list(names.values())

    def convert(value):
        if not isinstance(value, Text):
            return None
        number = uint64(value)
        if number is not None:
            return by_number[int(number)] if int(number) < len(by_number) else None
        return names.get(value) or (str(value) if value in by_number else None)
    return convert


class repeated:  # pylint: disable=invalid-name
    """A list of a kind, or those of it whose positions are in `keep`; a value alone is one."""

    def __init__(self, kind, keep=None):
        self.kind = kind
        self.keep = keep

    def items(self, value):
        return [item for i, item in enumerate(as_list(value))
                if self.keep is None or i in self.keep]


def as_list(value):
    """The values of a list, or the only one; nothing of None."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
