"""The command: arguments, the report and the exit status."""
import os
import signal
import sys

from about_program import ProgramParser
from gxf import yaml_lines
from gxf.application import Application
from gxf.importer import import_application
from gxf.report import DIFFERS, NOT_MAPPED, NOTE, Report, shown
from gxf.yaml_lines import FileError, Mapping, Text, read_file

# As those of port_from_mediapipe.
OK, NEEDS_HANDS, FAILED = 0, 1, 2
_DESCRIPTION = """\
Makes a Syncline graph, in Protobuf text, of the YAML of a GXF application.

Entities become nodes, connections streams, scheduling terms conditions; clock,
scheduler and allocators become the graph's.  The report lists, with file and
line, what is not mapped, what differs in meaning, and the calculators needed."""
_EPILOG = """\
examples:
  import_gxf app.yaml --output=app.pbtxt
  import_gxf app.yaml parameters.yaml --types=types.yaml

exit status: 0 everything is mapped, 1 the graph is written and something needs
hands (comments in it say what), 2 usage, or a file cannot be read or written
docs/coming_from_gxf.md has the counterpart of everything."""
_NO_YAML = "it needs Python's YAML package: ./setup --yaml, or apt install python3-yaml"


class _Parser(ProgramParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(FAILED, shown(f"{self.prog}: {message}") + "\n")


def _parse(arguments):
    parser = _Parser("import_gxf", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("files", metavar="FILE", nargs="+", help="an application, and files of "
                        "parameters, which change components of the files before them")
    parser.add_argument("--output", metavar="FILE", help="the graph; default: standard output")
    parser.add_argument("--report", metavar="FILE", help="the report; default: standard error")
    parser.add_argument("--types", metavar="FILE", action="append", default=[],
                        help="YAML, a::Codelet: MyCalculator on each line; without a calculator, "
                        "the codelet is left out")
    parser.add_argument("--folder", metavar="DIR", action="append", default=[],
                        help="where the locations of subgraphs begin; default: beside the file, "
                        "then here")
    return parser.parse_args(arguments)


def _read_types(paths):
    """{codelet type: calculator or None}, the types as they stand in the files."""
    types = {}
    for path in paths:
        for document in read_file(path):
            if not isinstance(document, Mapping):
                raise FileError(f"{document.place}: has to be a mapping of types to calculators")
            for key, value in document.items():
                if value is not None and (not isinstance(value, Text) or not value):
                    raise FileError(f"{key.place}: a calculator has to be a name")
                types.pop(key, None)  # the place is that of the last one
                types[key] = None if value is None else str(value)
    return types


def _report_unused_types(types, application, report):
    used = {c.type for e in application.entities.values() for c in e.components}
    for name in types:
        if name not in used:
            report.add(name.place, NOTE, f'no component has the type "{name}", which --types '
                       "names a calculator for.")


def _check_outputs(options, read):
    """Raises FileError where an output would be written over a file that was read."""
    for option, path in (("--output", options.output), ("--report", options.report)):
        for other in read:
            if path is not None and os.path.exists(path) and os.path.samefile(path, other):
                raise FileError(f'{option}: "{path}" is "{other}", which was read; nothing is '
                                "written: choose another file")
    both = (options.output, options.report)
    if None not in both and _is_one_file(*both):
        raise FileError(f'--output: "{options.output}" is where --report writes to; nothing is '
                        "written: choose another file for one of them")


def _is_one_file(path, other):
    """By whatever name; neither need be there yet.  A device has nothing to lose."""
    if os.path.exists(path) and not os.path.isfile(path):
        return False
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.realpath(path) == os.path.realpath(other)


def _write(path, text, default):
    if path is None:
        _write_to_stream(text, default)
        return
    is_new = not os.path.lexists(path)
    try:
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    except OSError as error:  # of a full disk it does not know the file
        if is_new and os.path.isfile(path) and os.path.getsize(path) == 0:
            os.unlink(path)  # an empty file would look like a graph
        raise FileError(f'"{path}": {error.strerror}: check that the folder exists and has '
                        "room") from error


def _write_to_stream(text, stream):
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # Else the interpreter would try it once more at its end, and say so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise FileError(f"{stream.name}: {error.strerror}: it is where what is written without "
                        "--output or --report goes") from error


def _summary(report, graph):
    return (f"import_gxf: {sum(line == 'node {' for line in graph.splitlines())} nodes, "
            f"{report.count(NOT_MAPPED)} not mapped, {report.count(DIFFERS)} differ, "
            f"{report.count(NOTE)} notes\n")


def run(arguments):
    """Imports as the command line says; returns the exit status."""
    options = _parse(arguments)
    if yaml_lines.yaml is None:
        print(f"import_gxf: {_NO_YAML}", file=sys.stderr)
        return FAILED
    report = Report()
    application = Application(report, options.folder)
    types = _read_types(options.types)
    for path in options.files:
        application.load(path)
    _check_outputs(options, options.files + options.types + report.files())
    graph = import_application(application, types, report)
    _report_unused_types(types, application, report)
    names = ", ".join(os.path.basename(path) for path in options.files)
    graph = "# From " + shown(" ".join(names.split())) + " by import_gxf.\n" + graph
    _write(options.output, graph, sys.stdout)
    _write(options.report,
           "".join(f"{finding}\n" for finding in report.sorted()) + _summary(report, graph),
           sys.stderr)
    return NEEDS_HANDS if report.count(NOT_MAPPED) else OK


def _refusing(fd, name):
    """Standard output or error that was closed: what is written to it is an error."""
    stream = open(fd, "w" if fd else "r", closefd=False)
    stream.buffer.raw.name = f"<{name}>"
    return stream


def main(arguments):
    """run(), with the signals and errors of a well-behaved program."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for name, fd in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:  # closed: a file that is opened would get its number
            os.open(os.devnull, os.O_RDONLY if fd else os.O_WRONLY)
            setattr(sys, name, _refusing(fd, name))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="surrogateescape")  # names need not be UTF-8
    try:
        return run(arguments)
    except FileError as error:
        print(shown(f"import_gxf: {error}"), file=sys.stderr)
    except OSError as error:
        print(shown(f'import_gxf: "{error.filename}": {error.strerror}'), file=sys.stderr)
    except KeyboardInterrupt:
        print("import_gxf: interrupted", file=sys.stderr)
        return 130
    return FAILED
