"""What the import has to say: each thing once, with its place.

NOT_MAPPED: is missing from the graph.  DIFFERS: is there, and means something
else.  NOTE: something to know or to supply.
"""
import unicodedata
from typing import NamedTuple

from gxf.yaml_lines import Place

NOT_MAPPED, DIFFERS, NOTE = "not mapped", "differs", "note"


def shown(value):
    """A value of others, in whose text nothing is a command to a terminal, nor ends a line."""
    return "".join(c if unicodedata.category(c) != "Cc" else c.encode("unicode_escape").decode()
                   for c in str(value))


class Finding(NamedTuple):
    place: Place
    kind: str
    text: str

    def __str__(self):
        return shown(f"{self.place}: {self.kind}: {self.text}")


class Report:
    def __init__(self):
        self.findings = []
        self._known = set()
        self._files = []

    def add_file(self, file):
        """Files are reported in this order."""
        if file not in self._files:
            self._files.append(file)

    def files(self):
        """All that were read."""
        return list(self._files)

    def add(self, place, kind, text):
        finding = Finding(place, kind, text)
        if finding not in self._known:
            self._known.add(finding)
            self.findings.append(finding)

    def count(self, kind):
        return sum(finding.kind == kind for finding in self.findings)

    def sorted(self):
        """By file and line."""
        order = {file: i for i, file in enumerate(self._files)}
        return sorted(self.findings, key=lambda f: (order.get(f.place.file, -1), f.place.line))
