"""Reads YAML, and keeps the place of everything in it.

A mapping becomes a Mapping, a sequence a List, a scalar a Text: the text as it
stands, since only who knows what is expected can say what "010" or "on" means.
What has no value (nothing, ~, null) is None.
"""
from typing import NamedTuple

try:
    import yaml
except ImportError:  # told by main.py
    yaml = None

# More than any application has.  Aliases of aliases could ask for any number.
MAX_VALUES = 200_000
MAX_DEPTH = 100


class Place(NamedTuple):
    """Where something stands."""
    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}"


class FileError(Exception):
    """Why a file cannot be used."""


class Text(str):
    """A scalar; `quoted` if it stood in quotes or is a block of text."""
    place = None
    quoted = False


class List(list):
    place = None


class Mapping(dict):
    """Keys are Text, in the order of the file."""
    place = None


class _Reader:
    """The documents of one file."""

    def __init__(self, file, text):
        self.file = file
        self.text = text
        self.left = MAX_VALUES

    def place(self, node):
        return Place(self.file, node.start_mark.line + 1)

    def error(self, node, text):
        return FileError(f"{self.place(node)}: {text}")

    def value(self, node, loader, depth):
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH:
            raise self.error(node, "there is more in this file than an application can hold")
        if isinstance(node, yaml.ScalarNode):
            if node.tag == "tag:yaml.org,2002:null":
                return None
            value = Text(node.value)
            value.quoted = node.style is not None
        elif isinstance(node, yaml.SequenceNode):
            value = List(self.value(item, loader, depth + 1) for item in node.value)
        else:
            loader.flatten_mapping(node)  # <<: *defaults
            value = self.mapping(node, loader, depth)
        value.place = self.place(node)
        return value

    def mapping(self, node, loader, depth):
        # What a merge brings comes first; what the mapping says itself counts.
        values = Mapping()
        for key_node, value_node in node.value:
            key = self.value(key_node, loader, depth + 1)
            if not isinstance(key, Text):
                raise self.error(key_node, "a key has to be a text")
            value = self.value(value_node, loader, depth + 1)
            values.pop(key, None)
            values[key] = value
        return values

    def documents(self):
        loader = yaml.SafeLoader(self.text)
        try:
            while loader.check_node():
                yield self.value(loader.get_node(), loader, 0)
        finally:
            loader.dispose()


def read_text(file, text):
    """The documents of `text`, which stood in `file`; empty ones are left out."""
    try:
        return [d for d in _Reader(file, text).documents() if d is not None]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = Place(file, mark.line + 1) if mark else file
        raise FileError(f"{where}: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise FileError(f"{file}: {' '.join(str(error).split())}") from error
    except (RecursionError, ValueError) as error:
        raise FileError(f"{file}: is no YAML that an application can have") from error


def read_file(path):
    """The documents of a file.  Raises FileError."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            return read_text(path, file.read())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: is no text in UTF-8") from error
