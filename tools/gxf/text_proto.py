"""Writes Protobuf text, and makes names that it can have."""
import contextlib
import re


def quote(text):
    """A string."""
    out = []
    for byte in text.encode("utf-8", "surrogateescape"):
        c = chr(byte)
        if c in '"\\':
            out.append("\\" + c)
        elif 32 <= byte < 127:
            out.append(c)
        else:
            out.append(f"\\{byte:03o}")
    return '"' + "".join(out) + '"'


def word(text):
    """Letters, digits and _, no digit first; never empty."""
    made = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "x"
    return "_" + made if made[0].isdigit() else made


def unique(name, taken):
    """`name`, or with a number behind it; added to the set `taken`."""
    made, number = name, 1
    while made in taken:
        number += 1
        made = f"{name}_{number}"
    taken.add(made)
    return made


class Writer:
    """Lines, indented by the blocks that are open."""

    def __init__(self):
        self.lines = []
        self._depth = 0

    def line(self, text):
        self.lines.append("  " * self._depth + text)

    def field(self, name, value):
        """A field whose value is text in its final form."""
        self.line(f"{name}: {value}")

    def string(self, name, value):
        self.field(name, quote(value))

    def comment(self, text):
        """One line, whatever `text` holds."""
        self.line("# " + " ".join(text.split()))

    def insert_comments(self, at, texts):
        """Comments before the line with the number `at`, indented as the next line would be."""
        end = len(self.lines)
        for text in texts:
            self.comment(text)
        self.lines[at:at] = self.lines[end:]
        del self.lines[len(self.lines) - len(texts):]

    @contextlib.contextmanager
    def block(self, name):
        """A message; without anything in it, it is one line."""
        start = len(self.lines)
        self.line(name + " {")
        self._depth += 1
        yield
        self._depth -= 1
        if len(self.lines) == start + 1:
            self.lines[start] = "  " * self._depth + name + " {}"
        else:
            self.line("}")

    @contextlib.contextmanager
    def options(self, message):
        """options { [syncline.MESSAGE.ext] { ... } }"""
        with self.block("options"), self.block(f"[syncline.{message}.ext]"):
            yield

    def text(self):
        return "".join(line + "\n" for line in self.lines)
