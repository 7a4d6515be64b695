"""A manual page of what a program prints for --help=all and --help.

help2man was tried first: it takes the second line of our usage and flags whose
text is one blank away for running text, so the synopsis is lost.  The rules of
our help are few, and all programs keep them:

    Does this and that.                    NAME, of the first paragraph
    usage: program FILE                    SYNOPSIS, as it is
      --flag=VALUE  text                   OPTIONS
    Examples:                              EXAMPLES, as they are
    Exit status: 0 good, 1 bad             EXIT STATUS

Anything else is DESCRIPTION, and what is indented there stays as it is.  That
of argparse is of this form, too.
"""
import re

# "  --from=T, --to=T   text", "  -h, --help   text", "  --output DIR  text".
_FLAG = re.compile(
    r"^  ((?:-\w, )?--[^\s,]+(?:,\.\.\.)?(?:, --[^\s,]+)*(?: [A-Z][A-Z0-9]*)?)(?:\s+(\S.*))?$")
# A row of a table within the text of a flag.
_ROW = re.compile(r"^ {3,}(\S+) {2,}(\S.*)$")
# A remark on the flags above it.
_REMARK = re.compile(r"^  [A-Z]")
_FLAG_FILE = re.compile(r"^  (\S+) {2,}(\S.*)$")
_HEADINGS = ("options:", "positional arguments:")


def _escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def _as_it_is(lines):
    return [".nf", *map(_escaped, lines), ".fi"]


def _blocks(text):
    """The paragraphs, each a list of lines."""
    return [block.split("\n") for block in re.split(r"\n\s*\n", text.strip("\n"))]


def _is_flags(block):
    return any(_FLAG.match(line) for line in block)


def _flags(block):
    """.TP of each flag of a block."""
    out = []
    text = None  # of the entry before; no list without one
    for line in block:
        match = _FLAG.match(line)
        if _REMARK.match(line):
            out.append((None, [line.strip()]))
            text = out[-1][1]
            continue
        if match is None and text is not None:
            text.append(line if _ROW.match(line) else line.strip())
            continue
        if match is None:
            out.append((line.strip(), []))
        else:
            out.append((match.group(1), [match.group(2)] if match.group(2) else []))
        text = out[-1][1]
    lines = []
    for flag, words in out:
        if flag is None:
            lines += [".PP", *_text_of(words)]
            continue
        # Several flags may share the text of the last one.
        lines += [".TP", ".B " + _escaped(flag), *(_text_of(words) or ["\\&"])]
    return lines


def _text_of(lines):
    """Lines as running text, but rows of a table as rows."""
    out, running = [], []
    for line in lines:
        row = _ROW.match(line)
        if not row:
            running.append(line)
            continue
        if running:
            out.append(_escaped(" ".join(running)))
        running = []
        out += [".br", _escaped(f"{row.group(1)}: {row.group(2)}")]
    return out + ([_escaped(" ".join(running))] if running else [])


def _description(block):
    """A paragraph; what is indented below its first lines stays as it is."""
    plain = [line for line in block if not line.startswith(" ")]
    if not plain:
        return [".PP", *_as_it_is(block)]
    if len(plain) == len(block):
        return [".PP", *map(_escaped, block)]
    first = next(i for i, line in enumerate(block) if line.startswith(" "))
    return [".PP", *map(_escaped, block[:first]), *_as_it_is(block[first:])]


class _Sections:
    """What was found of each section, as lines of roff."""

    def __init__(self, text):
        self.name = ""
        self.synopsis = []
        self.description = []
        self.options = []
        self.examples = []
        self.exit_status = []
        for block in _blocks(text):
            self._take(block)

    def _take(self, block):
        head = block[0].lower()
        if head.startswith("usage:"):
            first = block[0][len("usage:"):].strip()
            indent = block[0].index(first)
            self.synopsis = [first] + [line[indent:] if not line[:indent].strip() else line
                                       for line in block[1:]]
        elif head.startswith("examples:"):
            self.examples = [line[2:] for line in block[1:]]
        elif head.startswith("exit status:"):
            rest = " ".join(line.strip() for line in block)[len("exit status:"):].strip()
            self.exit_status = [_escaped(rest[0].upper() + rest[1:])]
        elif head in _HEADINGS:
            self._take_options(block[1:])
        elif _is_flags(block):
            self._take_options(block)
        elif not self.name:
            self.name = " ".join(block)
        else:
            self.description += _description(block)

    def _take_options(self, block):
        if _is_flags(block):
            self.options += _flags(block)
            return
        for line in block:
            match = _FLAG_FILE.match(line)
            if match:
                self.options += [".TP", ".I " + _escaped(match.group(1)),
                                 _escaped(match.group(2))]
            else:
                self.options.append(_escaped(line.strip()))


def manual_page(program, all_help, short_help, version, date, others):
    """The page in roff, section 1.

    `date` is "2026-11-30"; `others` are programs to look at, too.  ValueError:
    the help lacks a section."""
    sections = _Sections(all_help)
    if not sections.examples:
        sections.examples = _Sections(short_help).examples
    for name in ("name", "synopsis", "options", "examples", "exit_status"):
        if not getattr(sections, name):
            raise ValueError(f'"{program} --help" has no {name.replace("_", " ")}: it needs '
                             "what tools/package/manual_page.py reads there")
    summary = re.split(r"[.;:](?:\s|$)", sections.name)[0]
    lines = [
        f'.TH {program.upper()} 1 "{date}" "Syncline {version.partition("+")[0]}" "Syncline"',
        ".SH NAME",
        f"{program} \\- " + _escaped(summary[0].lower() + summary[1:]),
        ".SH SYNOPSIS", *_as_it_is(sections.synopsis),
        ".SH DESCRIPTION", _escaped(sections.name), *sections.description,
        ".SH OPTIONS", *sections.options,
        ".SH EXIT STATUS", *sections.exit_status,
        ".SH EXAMPLES", *_as_it_is(sections.examples),
        ".SH FILES",
        "/usr/share/doc/syncline/docs: the pages that are called docs/... here",
        ".SH SEE ALSO",
        ", ".join(f"\\fB{other}\\fR(1)" for other in others),
    ]
    return "\n".join(lines) + "\n"
