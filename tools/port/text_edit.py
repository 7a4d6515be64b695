"""A text with the changes that rules want: each by its place in the original.

Rules see the original only, so none can undo or repeat another's change, and
every line number they report is one that the user's editor shows.
"""
import bisect
from collections import Counter, namedtuple

# hand: somebody has to do something; otherwise it is good to know.
Finding = namedtuple("Finding", "line hand text")


class TextEdit:
    """One file's text, its changes and what is to be said about it."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.findings = []
        self.dead_regions = []  # nothing is found there
        self._inserted = []
        self._changes = {}  # start -> (end, new text, rule)
        self._line_starts = [0]
        for position, char in enumerate(text):
            if char == "\n":
                self._line_starts.append(position + 1)
        self.newline = "\r\n" if "\r\n" in text[:10000] else "\n"

    def line(self, position):
        return bisect.bisect_right(self._line_starts, position)

    def replace(self, start, end, new, rule):
        """Replaces text[start:end]; the first rule that asks for it wins."""
        if self.text[start:end] == new or start in self._changes:
            return
        self._changes[start] = (end, new, rule)

    def replace_token(self, token, new, rule):
        self.replace(token.start, token.start + len(token.text), new, rule)

    def insert(self, position, new, rule):
        """Puts text in front of what is at `position`."""
        self._inserted.append((position, new, rule))

    def remove_line(self, position, rule):
        """Removes the whole line around `position`."""
        number = self.line(position)
        start = self._line_starts[number - 1]
        end = (self._line_starts[number]
               if number < len(self._line_starts) else len(self.text))
        self._changes[start] = (end, "", rule)

    def is_dead(self, position):
        """Whether it stands where nothing is compiled."""
        return any(start <= position < end for start, end in self.dead_regions)

    def find(self, position, text, hand=True):
        """Reports something, unless it stands where nothing is compiled."""
        if not self.is_dead(position):
            self.find_at_line(self.line(position), text, hand)

    def find_at_line(self, line, text, hand=True):
        finding = Finding(line, hand, text)
        if finding not in self.findings:
            self.findings.append(finding)

    def rules(self):
        """How often each rule changed something."""
        return Counter(rule for *_, rule in [*self._changes.values(), *self._inserted])

    def written(self, rule):
        """The texts that a rule put in."""
        return [new for _, new, by in self._changes.values() if by == rule]

    def result(self):
        changes = [(start, 1, end, new) for start, (end, new, _) in self._changes.items()]
        changes += [(at, 0, at, new) for at, new, _ in self._inserted]
        parts, position = [], 0
        for start, is_replacement, end, new in sorted(changes):
            if start < position and is_replacement:
                continue  # inside a longer change that came first
            start = max(start, position)
            parts += [self.text[position:start], new]
            position = max(end, start)
        return "".join(parts) + self.text[position:]
