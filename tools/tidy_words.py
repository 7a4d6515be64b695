"""The words of the project: docs/glossary.md, and words to use instead.

tidy.py asks problems(path, lines) for every file, and glossary_problems(lines)
for the glossary: at most MAX_TERMS terms, each of them once and with its
meaning.  Of code, only the comments are checked, and the names of NAMES.
"""
import re

GLOSSARY = "docs/glossary.md"
MAX_TERMS = 40
TERM = re.compile(r"\| \*\*([^*]+)\*\* \| *([^|]*?) *\|")

# A word, what to say instead, and the folders and pages in which the word has
# the meaning that the glossary gives it.
WORDS = [
    (r"watermarks?", "bound", ()),
    (r"time[ -]stamps?", "timestamp", ()),
    (r"side-packets?", "side packet", ()),
    (r"input-sets?", "input set", ()),
    (r"back pressure|backpressure", "back-pressure", ()),
    (r"call-backs?", "callback", ()),
    (r"dead lock|dead-lock", "deadlock", ()),
    (r"sub-graphs?", "subgraph", ()),
    (r"relief", "what is raised or made larger", ("framework/graph/", "framework/run/")),
    (r"news", "what has changed, or what has come",
     ("framework/node/condition_gate", "framework/node/node", "docs/architecture.md")),
    (r"takes? late", "TakesWhenCallStarts", ()),
    (r"plain schedules?", "first schedule", ()),
    (r"plain nodes?", "node of a calculator", ()),
]
_PATTERNS = [(re.compile(rf"(?<![\w./-])({word})(?![\w/(-]|\.\w)"), instead,
              places) for word, instead, places in WORDS]


# A name in code, what to choose instead, and the folders where that is checked.
NAMES = [
    (r"its(?:_\w+)?", "a name that says what it is",
     ("framework/c/", "framework/calculator/", "framework/component/",
      "framework/condition/", "framework/expansion/", "framework/formats/",
      "framework/graph/", "framework/graph_text/", "framework/memory/",
      "framework/node/", "framework/packet/", "framework/plan/",
      "framework/policy/", "framework/recording/", "framework/run/",
      "framework/scheduler/", "framework/stream/", "framework/tool/",
      "calculators/", "util/", "gpu/")),
    (r"Turn|Kept", "a name that says what comes, or what is kept",
     ("framework/", "calculators/", "util/", "gpu/")),
    (r"(?!back_edge)\w*[Ee]dge\w*",
     "what has changed: an edge is a stream on its way to a reader",
     ("framework/run/", "framework/scheduler/", "framework/stream/")),
]
_NAMES = [(re.compile(rf"\b({name})\b"), instead, folders)
          for name, instead, folders in NAMES]


def _code(path, lines):
    """(number, text) for each line of code that is no test's."""
    if path.endswith((".h", ".cc")) and "_test" not in path:
        for number, line in enumerate(lines, 1):
            yield number, re.sub(r'"(?:\\.|[^"\\])*"', '""', line).split("//")[0]


def _prose(path, lines):
    """(number, text) for each line of prose: of a page, or of a comment."""
    if path.endswith(".md"):
        fenced = False
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced:
                yield number, re.sub(r"`[^`]*`", "", line)
    elif path.endswith((".h", ".cc", ".proto")):
        for number, line in enumerate(lines, 1):
            found = re.search(r"(?:^|\s)//(.*)", line)
            if found:
                yield number, re.sub(r"`[^`]*`|\"[^\"]*\"", "", found.group(1))


def problems(path, lines):
    """(number, reason) for each word that has another one here."""
    if path == GLOSSARY:
        return
    for number, text in _prose(path, lines):
        for pattern, instead, places in _PATTERNS:
            found = pattern.search(text)
            if found and not path.startswith(places):
                yield number, (f'"{found.group(1)}" is not the word here: say '
                               f'"{instead}" ({GLOSSARY})')
    for number, text in _code(path, lines):
        for pattern, instead, folders in _NAMES:
            found = pattern.search(text)
            if found and path.startswith(folders):
                yield number, (f'"{found.group(1)}" is no good name here: choose '
                               f'{instead} ({GLOSSARY})')


def glossary_problems(lines):
    """(number, reason) for what is wrong with the glossary."""
    seen = {}
    for number, line in enumerate(lines, 1):
        found = TERM.match(line)
        if not found:
            continue
        term, meaning = found.groups()
        if term in seen:
            yield number, f'"{term}" stands in line {seen[term]} already'
        seen.setdefault(term, number)
        if not meaning:
            yield number, f'"{term}" has no meaning'
        if len(seen) == MAX_TERMS + 1:
            yield number, f"more than {MAX_TERMS} terms"
