"""Shell scripts, Python files, and other texts that name what moves.

Of scripts the names follow the port; comments stay, as those of C++ do.  What is
data for a program of its own is left alone, and noted.
"""
import bisect
import io
import re
import tokenize

from port import added_includes, build_leaves, findings
from port.names import strip_root

_RULE = "names in scripts"
# Group 1: a comment, which no line of a C++ file within the script is.
_SHELL_LINE = re.compile(r"^([^\S\n]*#(?!!|\s*(?:define|ifdef|ifndef|undef|include)\s+[\w\"<])"
                         r"[^\n]*)|[^\n]+|\n", re.M)
_SHEBANG = re.compile(r"#![^\n]*?\b(?:(bash|dash|ksh|zsh|sh)|(python)[\d.]*)\b")
_IMPORT = re.compile(r"^[^\S\n]*(from|import)[^\S\n]+(mediapipe(?:\.\w+)*)([^\n]*)", re.M)
_NAMED = re.compile(r"[\"']mediapipe[\"']|[/.\\_-]mediapipe|mediapipe[/.\\_-]\w")
_VARIABLE_NAME = re.compile(r"MEDIAPIPE_\w+\Z")
# Other files whose commands are run; of the rest, texts that people read are left out.
_COMMANDS = (".bat", ".cmd", ".ps1", ".cmake", ".mk", "CMakeLists.txt", "Makefile")
_PROSE = (".md", ".rst", ".html", ".htm", ".ipynb", ".svg", ".css", ".patch", ".diff", ".log")
_PROSE_NAME = re.compile(r"(?:.*/)?(?:LICENSE|NOTICE|AUTHORS|README|CHANGELOG|OWNERS|\.git)[^/]*\Z")


def kind(path, text):
    """"shell", "python" or None."""
    if path.endswith((".sh", ".bash")):
        return "shell"
    if path.endswith(".py"):
        return "python"
    found = _SHEBANG.match(text)
    return None if found is None else "shell" if found[1] else "python"


def port_shell(edit, port):
    """Ports a shell script; one line of the report tells of names that stay."""
    left, written = [], []
    for found in _SHELL_LINE.finditer(edit.text):
        if found[1] is None and found.group() != "\n":
            line = edit.line(found.start())
            new = port.scripts.translate(found.group(), lambda problem, at=line: edit.find_at_line(
                at, problem))
            edit.replace(found.start(), found.end(), new, _RULE)
            written.append(new)
            if port.scripts.leftover(new) is not None:
                left.append(line)
    tell_left(edit, left)
    _tell_written(edit, "\n".join(written), port)


def _tell_written(edit, text, port):
    """Reports what the code lacks that a script writes, in the line of its first #include."""
    advice = added_includes.advice(text, port)
    if advice is not None:
        edit.find_at_line(edit.line(edit.text.index("include")), advice)


def tell_left(edit, lines):
    """Reports lines in which a name stays."""
    if lines:
        more = "" if len(lines) == 1 else f", and in {len(lines) - 1} more lines"
        edit.find_at_line(lines[0], f'"mediapipe" stays here{more}: change it where it is the name '
                          "of a file, a target or code")


def port_python(edit, port):
    """Ports the strings and imports of a Python file."""
    spans = _strings(edit.text)
    if spans is None:
        if "mediapipe" in edit.text:
            edit.find(0, "cannot be read as Python 3, and is copied as it is: change the paths in "
                      "it by hand")
        return
    left, written = [], []
    for start, end, is_text in spans:
        body = edit.text[start:end]
        line = edit.line(start)
        if not is_text:
            continue
        new = port.scripts.translate(body, lambda problem, at=line: edit.find_at_line(at, problem))
        edit.replace(start, end, new, _RULE)
        if "include" in body:
            written.append(build_leaves.value_of(new))
        if _NAMED.search(new) and port.scripts.leftover(new) is not None and \
                not _VARIABLE_NAME.match(new.strip("\"'")):
            left.append(line)
    _imports(edit, port, spans)
    tell_left(edit, left)
    _tell_written(edit, "\n".join(written), port)


def _imports(edit, port, spans):
    starts = [start for start, _, _ in spans]

    def is_code(position):
        index = bisect.bisect_right(starts, position) - 1
        return index < 0 or position >= spans[index][1]

    renamed, lost = {}, []
    for found in _IMPORT.finditer(edit.text):
        if not is_code(found.start(2)):
            continue
        new = _module(found[2], found[1] == "from" and found[3], port)
        if new is None:
            lost.append(edit.line(found.start()))
        else:
            edit.replace(found.start(2), found.end(2), new, _RULE)
            if found[1] == "import" and " as " not in found[3]:
                renamed[found[2]] = new
    for old, new in renamed.items():
        for found in re.finditer(r"(?<![\w.])" + re.escape(old) + r"(?![\w])", edit.text):
            if is_code(found.start()):
                edit.replace(found.start(), found.end(), new, _RULE)
    if lost:
        edit.find_at_line(lost[0], "imports MediaPipe's Python: " + findings.LANGUAGE_ADVICE)


def _module(name, imported, port):
    """What a module or package of the tree is called here, or None.

    imported: the rest of a line `from NAME import ...`, or False."""
    path = name.replace(".", "/")
    wanted = re.findall(r"\w+", imported.partition("import")[2]) if imported else []
    own = port.tree.own_file(path + ".py") or (
        wanted and port.tree.own_file(f"{path}/{wanted[0]}.py")) or (
            port.tree.own_file(path + "/__init__.py"))
    if not own or own not in port.tree.files:
        return None
    return port.tree.moved_path(path).replace("/", ".") or None


def _strings(text):
    """[(start, end, whether it is no text about the code)] of all strings and comments."""
    starts = [0]
    for line in io.StringIO(text, newline=""):
        starts.append(starts[-1] + len(line))
    found, before = [], tokenize.NEWLINE
    quiet = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    middle = getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type in (tokenize.STRING, middle, tokenize.COMMENT):
                start, end = (starts[row - 1] + column for row, column in (token.start, token.end))
                is_doc = before == tokenize.NEWLINE  # a string that is a statement
                found.append((start, end, token.type != tokenize.COMMENT and not is_doc))
            if token.type not in quiet and token.type != tokenize.COMMENT:
                before = token.type
    except (tokenize.TokenError, SyntaxError):
        return None
    return found


def note_data(edit, port):
    """Tells of a text that no rule ports, and that names files that move."""
    path = edit.path
    if path.endswith(_PROSE) or _PROSE_NAME.match(path) or "mediapipe" not in edit.text:
        return
    names = port.strings.paths(edit.text)
    is_script = path.endswith(_COMMANDS)
    for start, name in names:
        moved = port.moved_path(name)
        if moved != name and (is_script or port.tree.own_file(name.rstrip("/.")) is not None or
                              port.checkout.has_file(strip_root(name))):
            edit.find(start, f'names "{name}", which is "{moved}" here; the file is copied as it '
                      "is: change it " + ("there" if is_script else "if a program reads it"),
                      hand=is_script)
            return
    position = port.scripts.leftover(edit.text) if is_script else None
    if position is not None:
        tell_left(edit, [edit.line(position)])
