"""The command: arguments, progress, the report and the exit status."""
import difflib
import os
import signal
import sys

from about_program import ProgramParser
from port import shown as names
from port.checkout import Checkout
from port.port import Finding, Options, Port
from port.shown import shown
from port.source_tree import SourceTree

OK, NEEDS_HANDS, USAGE = 0, 1, 2
_DESCRIPTION = """\
Ports a copy of a tree of MediaPipe code to Syncline; the original is only read.

By the rule mediapipe -> syncline, MediaPipe -> Syncline, MEDIAPIPE -> SYNCLINE,
and "mediapipe/X" -> "X" it changes C++, BUILD files, protos and scripts; it
takes the macros of all of MediaPipe's versions, and what Debian's Abseil lacks.
Text graphs load as they are and stay.  The report says for each file what
changed, what is left to do, and how."""
_EPILOG = """\
examples:
  port_from_mediapipe acme                  a copy beside it, acme_syncline
  port_from_mediapipe acme --dry_run        only says what would change

exit status: 0 everything is ported, 1 something needs hands, 2 usage
docs/coming_from_mediapipe.md shows a whole move."""


class _Parser(ProgramParser):
    def error(self, message):
        super().error(shown(message))


def parse(arguments):
    """The options; ends the program with status 2 on a wrong one."""
    parser = _Parser("port_from_mediapipe", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("dir", metavar="DIR", help="the tree: a workspace, or a folder in one")
    parser.add_argument("--output", metavar="DIR2",
                        help="where the copy goes; default: DIR_syncline beside DIR")
    parser.add_argument("--overwrite", action="store_true",
                        help="write into DIR2 even if it holds files")
    parser.add_argument("--dry_run", action="store_true",
                        help="write nothing; print a unified diff, and the report to stderr")
    parser.add_argument("--at", metavar="PATH",
                        help="where the copy will lie in the Syncline checkout, as //PATH; default:"
                        " by the rule, or where DIR2 is if that is in this checkout")
    parser.add_argument("--place", metavar="PATH",
                        help='where DIR lies in its workspace ("mediapipe/acme", "" for the '
                        "workspace itself); default: found out")
    parser.add_argument("--graphs", action="store_true",
                        help="rewrite the names in text graphs too")
    parser.add_argument("--keep_std_types", action="store_true",
                        help="leave std::string_view and std::optional alone")
    parser.add_argument("--verbose", action="store_true",
                        help="the report also names files that are merely copied")
    return parser, parser.parse_args(arguments)


def _inside(path, folder):
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _folders(parser, arguments):
    """(DIR, DIR2), checked."""
    source = os.path.realpath(arguments.dir)
    if not os.path.isdir(source):
        parser.error(f'"{arguments.dir}" is not a folder')
    output = os.path.realpath(arguments.output or source + "_syncline")
    if _inside(output, source) or _inside(source, output):
        parser.error(f'the output "{output}" must lie outside of "{source}", and not around it')
    if os.path.lexists(output) and not os.path.isdir(output):
        parser.error(f'the output "{output}" is not a folder')
    if (not arguments.dry_run and not arguments.overwrite and os.path.isdir(output)
            and os.listdir(output)):
        parser.error(f'the output "{output}" holds files already: name another with --output, or '
                     "say --overwrite")
    return source, output


def _clean(parser, option, path):
    if path is None:
        return None
    path = os.path.normpath(path.strip("/")) if path.strip("/") else ""
    if path == ".":
        path = ""
    if path.startswith(".."):
        parser.error(f"{option} takes a path from the root of a workspace")
    return path


class _Progress:
    """A line on a terminal, while files go by."""

    def __init__(self, total):
        self.total = total
        self.shown = sys.stderr.isatty()

    def step(self, number, path):
        if self.shown and (number % 20 == 0 or number == self.total):
            print(f"\r\033[Kporting {number}/{self.total} {shown(path[:60])}", end="",
                  file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _describe(result, verbose):
    """The report's lines on one file."""
    changes = ", ".join(f"{rule} {count}" for rule, count in sorted(result.rules.items()))
    if not (changes or result.findings or verbose):
        return []
    path = names.path(result.path)
    moved = f" -> {names.path(result.output)}" if result.output not in (None, result.path) else ""
    state = changes if changes else ("copied" if result.copied else "left out")
    lines = [f"{path}{moved}: {state}"]
    for finding in result.findings:
        place = f"{path}:{finding.line}" if finding.line else path
        lines.append(f"  {'TO DO' if finding.hand else 'note '} {place}: {finding.text}")
    return lines


def _diff(result):
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(
            result.old.splitlines(keepends=True), result.new.splitlines(keepends=True),
            names.path("a/" + result.path), names.path("b/" + result.output)))


def run(arguments, root):
    """Ports as the command line says; returns the exit status."""
    parser, arguments = parse(arguments)
    source, output = _folders(parser, arguments)
    place = _clean(parser, "--place", arguments.place)
    at = _clean(parser, "--at", arguments.at)
    checkout = Checkout(root)
    tree = SourceTree(source, place, at)
    root = os.path.realpath(root)
    in_checkout = _inside(output, root)
    if at is None and in_checkout:
        by_rule, tree.at = tree.at, os.path.relpath(output, root)
        at = tree.at if tree.at != by_rule else None
    port = Port(tree, checkout, Options(
        at=at, in_checkout=in_checkout, graphs=arguments.graphs,
        std_types=not arguments.keep_std_types))
    report = sys.stderr if arguments.dry_run else sys.stdout
    place = tree.place or "the root of a workspace"
    print(shown(f'port: {source} as "{place}"; the copy belongs at "//{tree.at}" of a Syncline '
                "checkout"), file=report)
    return _port_all(port, arguments, output, report)


def _write(port, result, output):
    try:
        port.write(result, output)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or str(error)
        result.findings.append(Finding(0, True, f"cannot be written: {why}; the copy is without "
                                       "it"))


def _port_all(port, arguments, output, report):
    progress = _Progress(len(port.tree.files))
    files = changed = hands = 0
    for result in port.run():
        files += 1
        progress.step(files, result.path)
        changed += bool(result.rules)
        if arguments.dry_run:
            if result.new is not None and result.new != result.old:
                progress.end()
                print(_diff(result), end="")
        else:
            _write(port, result, output)
        hands += sum(f.hand for f in result.findings)
        for line in _describe(result, arguments.verbose):
            progress.end()
            print(shown(line), file=report)
    progress.end()
    where = "nothing written" if arguments.dry_run else f"the copy is {output}"
    print(shown(f"port: {files} files, {changed} changed, {hands} to do; {where}"), file=report)
    return NEEDS_HANDS if hands else OK


def main(arguments, root):
    """run(), with the signals and errors of a well-behaved program."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="surrogateescape")  # names need not be UTF-8
    try:
        return run(arguments, root)
    except KeyboardInterrupt:
        print("\nport: interrupted; the copy is incomplete", file=sys.stderr)
        return 130
    except OSError as error:
        print(shown(f'port: "{error.filename}": {error.strerror}'), file=sys.stderr)
        return NEEDS_HANDS
