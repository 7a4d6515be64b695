"""Writes docs/config_reference.md from the comments in framework/config/*.proto.

    python3 docs/config_reference.py           # writes the page
    python3 docs/config_reference.py --check   # fails if it is out of date

It reads our own .proto files, which clang-format keeps in one shape; it is no
parser for others.
"""

import pathlib
import re
import sys

# The path is not resolved, since in a test the checkout is a folder of links.
ROOT = pathlib.Path(__file__).absolute().parent.parent
PAGE = ROOT / "docs" / "config_reference.md"
FOLDER = ROOT / "framework" / "config"
# For these messages, only Syncline's own fields are listed.
CALCULATORS = "calculators/*/*.proto"

# The files in the order of the page: the most needed ones come first.
FILES = [
    "calculator", "calculator_options", "syncline_options", "stream_handler",
    "default_input_stream_handler", "fixed_size_input_stream_handler",
    "sync_set_input_stream_handler", "timestamp_align_input_stream_handler",
    "approximate_time_input_stream_handler", "latest_input_stream_handler",
    "timeout_input_stream_handler", "packets_left",
    "thread_pool_executor", "condition", "clock", "scheduler", "allocator",
    "block_memory_pool", "conditions", "parameters", "switch_container",
    "source",
    "calculator_graph_template", "node_chain_subgraph", "packet_generator",
    "packet_factory", "status_handler", "packet_generator_wrapper_calculator",
    "callback_packet_calculator", "graph_runtime_info", "calculator_profile", "trace_file",
    "field_data", "proto_descriptor",
]

# The messages in the order of the page, if it differs from that of the file.
FIRST = ["CalculatorGraphConfig", "CalculatorGraphConfig.Node"]

INTRO = """# Config reference

Every message that a graph can hold, and what each field does in Syncline. Made
from the comments in `framework/config/*.proto` by `docs/config_reference.py`;
edit those. Options of calculators are described in their own `.proto` files.

Names and numbers are MediaPipe's, so its text and binary graphs load. In a text
graph, `[mediapipe.X.ext]`, `[type.googleapis.com/mediapipe.X]` and registered
names such as `calculator: "mediapipe.X"` mean `syncline.X`.

Fields of Syncline's own have numbers from 10001 up; the table of them is at the
[end](#synclines-own-fields).

"""

OWN = """
## Syncline's own fields

Where a message that MediaPipe has too gets a field of Syncline's, its number is
10001 or above, so that no future number of MediaPipe's meets it. Each is listed
here.

"""

# Additions to the comment of a message.
NOTES = {
    "ProfilerConfig":
        "[Seeing inside](seeing_inside.md#mediapipes-profiler) says what differs "
        "from MediaPipe.",
}

NO_OWN = "There is none yet.\n"
FIRST_OWN_NUMBER = 10001
# From here on numbers belong to extensions and to MediaPipe's old names of fields.
END_OF_OWN_NUMBERS = 20000

FIELD = re.compile(
    r"(?P<label>repeated |optional |required )?(?P<type>map<[^>]+>|[\w.]+) "
    r"(?P<name>\w+)"
    r" = (?P<number>\d+)\s*(\[(?P<options>.*)\])?;")
VALUE = re.compile(r"(?P<name>[A-Z]\w*) = (?P<number>\d+);")


class Message:
  """A message or enum, with its members as (number, name, type, note, text)."""

  def __init__(self, kind, name, text):
    self.kind = kind
    self.name = name
    self.text = text
    self.members = []
    self.extension = None
    self.extension_range = None


def file_comment(lines):
  """The comment that a file begins with, as paragraphs of text."""
  comment = []
  for line in lines:
    if not line.startswith("//"):
      break
    comment.append(line[2:].removeprefix(" "))
  return comment


def statements(lines):
  """Yields (comment, statement); statements over several lines are joined."""
  comment, parts = [], []
  for line in lines:
    line = line.strip()
    if not parts and line.startswith("//"):
      comment.append(line[2:].removeprefix(" "))
      continue
    line = re.sub(r"\s*//.*$", "", line)
    if not line:
      if not parts:
        comment = []
      continue
    parts.append(line)
    if line[-1] in "{};":
      yield comment, " ".join(parts)
      comment, parts = [], []


def read(path):
  """All messages and enums of a file, outer ones first."""
  lines = path.read_text().splitlines()
  messages, scopes = [], []
  for comment, statement in statements(lines):
    opened = re.match(r"(message|enum|extend|oneof) ([\w.]+) \{", statement)
    current = next((s for s in reversed(scopes) if isinstance(s, Message)), None)
    if opened:
      kind, name = opened.groups()
      if kind in ("message", "enum"):
        outer = f"{current.name}." if current else ""
        current = Message(kind, outer + name, comment)
        messages.append(current)
        scopes.append(current)
      else:
        scopes.append((kind, name))
    elif statement.startswith("}"):
      scopes.pop()
    elif scopes and isinstance(scopes[-1], tuple) and scopes[-1][0] == "extend":
      number = re.search(r"= (\d+)", statement).group(1)
      current.extension = (scopes[-1][1], number)
    elif match := re.match(r"extensions (\d+) to max", statement):
      current.extension_range = match.group(1)
    elif current and (match := FIELD.fullmatch(statement)):
      current.members.append((int(match["number"]), match["name"],
                              type_text(match), options_text(match), comment))
    elif current and (match := VALUE.fullmatch(statement)):
      current.members.append((int(match["number"]), match["name"], "", "",
                              comment))
    elif not re.match(r"(syntax|package|import|reserved) ?", statement):
      raise SystemExit(f"{path}: cannot read `{statement}`")
  # If a file has only one message, the comment at the top of the file explains
  # it.
  if messages and not messages[0].text:
    messages[0].text = file_comment(lines)
  return messages


def type_text(match):
  label = "repeated " if (match["label"] or "").strip() == "repeated" else ""
  return f"{label}{match['type']}"


def options_text(match):
  default = re.search(r"default = ([^,\]]+)", match["options"] or "")
  return default.group(1).strip() if default else ""


def cell(comment):
  """A comment as one line of a table."""
  return " ".join(comment).replace("|", "\\|").strip()


def text(comment):
  """A comment as Markdown: indented lines are code."""
  out, code = [], False
  for line in comment:
    is_code = line.startswith("  ") or (code and not line)
    if is_code != code:
      if is_code:
        out.append("```proto")
      else:
        while out and not out[-1]:
          out.pop()
        out.extend(["```", ""])
      code = is_code
    out.append(line.removeprefix("  ") if code else line)
  if code:
    out.append("```")
  return "\n".join(out)


def section(message):
  out = [f"### {message.name}", ""]
  if message.text:
    out += [text(message.text), ""]
  if message.name in NOTES:
    out += [NOTES[message.name], ""]
  if message.extension:
    extendee, number = message.extension
    out += [f"Extension {number} of `{extendee}`: "
            f"`[syncline.{message.name}.ext]`.", ""]
  if message.extension_range:
    out += [f"Extensions have numbers from {message.extension_range} up.", ""]
  if message.members and message.kind == "enum":
    out += ["| # | value | meaning |", "|---|---|---|"]
    out += [f"| {number} | `{name}` | {cell(comment)} |"
            for number, name, _, _, comment in message.members]
  elif message.members:
    out += ["| # | field | type | default | meaning |", "|---|---|---|---|---|"]
    out += [f"| {number} | `{name}` | {kind} | {default} | {cell(comment)} |"
            for number, name, kind, default, comment in sorted(message.members)]
  return "\n".join(out).rstrip() + "\n"


def own_fields(messages):
  return [f"| {message.name} | {number} | `{field}` | {cell(comment)} |"
          for message in messages
          for number, field, _, _, comment in sorted(message.members)
          if FIRST_OWN_NUMBER <= number < END_OF_OWN_NUMBERS]


def page():
  found = sorted(path.stem for path in FOLDER.glob("*.proto"))
  if found != sorted(FILES):
    raise SystemExit(f"FILES is not {found}")
  own, sections = [], []
  for name in FILES:
    messages = read(FOLDER / f"{name}.proto")
    messages.sort(key=lambda m: FIRST.index(m.name) if m.name in FIRST else 99)
    sections.append(f"## {name}.proto\n")
    sections += [section(message) for message in messages]
    own += own_fields(messages)
  for path in sorted(ROOT.glob(CALCULATORS)):
    own += own_fields(read(path))
  table = NO_OWN
  if own:
    table = "\n".join(["| message | # | field | meaning |", "|---|---|---|---|"]
                      + own) + "\n"
  return INTRO + "\n".join(sections) + OWN + table


def main():
  wanted = page()
  if "--check" not in sys.argv:
    PAGE.write_text(wanted)
  elif PAGE.read_text() != wanted:
    raise SystemExit(f"{PAGE} is out of date: run "
                     "`python3 docs/config_reference.py`")


if __name__ == "__main__":
  main()
