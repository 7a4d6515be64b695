"""Names and texts of others on a line of the report: none is a command to the terminal."""
import re
import unicodedata

_PLAIN = re.compile(r"[\w./+@%=,~:#()-]+")


def shown(text):
    """A text with its control characters, and bytes that are no UTF-8, escaped."""
    return "".join(_escape(c) if unicodedata.category(c).startswith("C") else c for c in text)


def _escape(char):
    if "\udc80" <= char <= "\udcff":  # a byte that is no UTF-8, as Python keeps it
        return f"\\x{ord(char) - 0xdc00:02x}"
    return char.encode("unicode_escape").decode()


def quoted(text):
    """A name in quotes, with quotes and backslashes in it escaped."""
    return '"' + shown(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def path(name):
    """A path: as it is, or quoted if it has spaces or signs in it."""
    plain = name.isprintable() and _PLAIN.fullmatch(name)
    return name if plain else quoted(name)
