"""The rule of translation: mediapipe -> syncline, in names and in strings.

A name of code is translated whole.  A string is prose until it shows that it
names something: a proto type (mediapipe.X), a C++ name (mediapipe::X) or a
path from the root (mediapipe/framework/x.pbtxt).  Prose stays as it is, and so
do comments, apart from those that repeat code: `// namespace mediapipe`, and
the guard behind #endif.
"""
import re

# Folders directly under mediapipe/.
FOLDERS = ("calculators", "docs", "examples", "framework", "gpu", "graphs", "java", "model_maker",
           "models", "modules", "objc", "opensource_only", "python", "tasks", "testdata", "util",
           "web", "webgpu")

_RULE = (("mediapipe", "syncline"), ("MediaPipe", "Syncline"), ("MEDIAPIPE", "SYNCLINE"),
         ("Mediapipe", "Syncline"))

# `mediapipe.a.B`: a package in small letters, then a type; never a web address.
_PROTO_NAME = re.compile(r"(?:(?<![\w./-])|(?<=type\.googleapis\.com/)|(?<=[^\w]\.))"
                         r"mediapipe\.(?:[a-z_]\w*\.)*[A-Z][\w.]*|"
                         r"(?<=\[)mediapipe\.[\w.]+(?=\])")
# The beginning of such a name, for code to put the rest behind it.
_BEGINNING = re.compile(r"(?:\A|(?<=[\[/:]))mediapipe(?=(?:\.|::)\Z)")
# `(anonymous namespace)` is how compilers print one, `{anonymous}` in GCC's messages.
_CPP_PART = r"(?:\w+|\(anonymous namespace\)|\{anonymous\}|\(anonymous\))"
_CPP_NAME = re.compile(r"(?<![\w])mediapipe::" + _CPP_PART + "(?:::" + _CPP_PART + ")*")
_FILE = re.compile(r"(?<![\w/.@:+-])(\./)?(?!mediapipe/)((?:\w[\w.+-]*/)+[\w.+-]+)")
_CLOSING = re.compile(r"(//|/\*)\s*(end\s+)?(of\s+)?namespace\b")


def translate(name):
    """The rule, for a name of code."""
    for old, new in _RULE:
        name = name.replace(old, new)
    return name


_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MASKED = {"n": "\x02", "r": "\x03", "t": "\x04", "f": "\x05", "v": "\x06"}
_UNMASKED = {sign: letter for letter, sign in _MASKED.items()}


def written(text, rule):
    """A rule for texts, for a literal as it is written: the `n` of `\\n` begins no name."""
    if "\\" not in text or "\x01" in text:
        return rule(text)
    masked = _ESCAPE.sub(
        lambda m: "\x01" + _MASKED[m[1]] if m[1] in _MASKED else m.group(), text)
    return re.sub("\x01([\x02-\x06])", lambda m: "\\" + _UNMASKED[m[1]], rule(masked))


def strip_root(path):
    """A path from the root of MediaPipe, as one from the root of Syncline."""
    return path[len("mediapipe/"):] if path.startswith("mediapipe/") else path


def _path_pattern(folders):
    names = "|".join(sorted(re.escape(f) for f in folders))
    return re.compile(r"(?<![\w/.@-])(\./|/)?(mediapipe/(?:" + names + r")(?![\w-])[\w./-]*)")


class StringRule:
    """Translates what names something inside strings, of C++ and of graphs."""

    def __init__(self, own_folders=(), registered=(), move=strip_root, is_own=None):
        """own_folders: under mediapipe/, in the tree to be ported.
        registered: names of its classes that the rule changes.
        move: where a path from the root of MediaPipe leads.
        is_own: whether another path is one of its files, if those move too."""
        self._move, self._is_own = move, is_own
        self.folders = sorted(set(FOLDERS) | set(own_folders))
        self._path = _path_pattern(self.folders)
        self._registered = (re.compile(
            r"(?<!\w)(" + "|".join(sorted(map(re.escape, registered))) + r")(?!\w)")
            if registered else None)

    def translate(self, text):
        if self._is_own is not None and "/" in text:
            text = _FILE.sub(lambda m: (m[1] or "") + self._move(m[2]) if self._is_own(m[2])
                             else m[0], text)
        if "ediapipe" not in text and "ediaPipe" not in text:
            return text
        text = _PROTO_NAME.sub(lambda m: translate(m.group()), text)
        text = _CPP_NAME.sub(lambda m: translate(m.group()), text)
        text = _BEGINNING.sub("syncline", text)
        text = self._path.sub(lambda m: (m[1] or "") + self._moved(m[2]), text)
        return self.translate_registered(text)

    def _moved(self, path):
        """Where a path leads, at the end of a sentence too."""
        bare = path.rstrip(".")
        return self._move(bare) + path[len(bare):]

    def paths(self, text):
        """[(position, path)] of the paths from the root of MediaPipe that a text names."""
        return [(found.start(2), found[2]) for found in self._path.finditer(text)]

    def translate_registered(self, text):
        if self._registered:
            text = self._registered.sub(lambda m: translate(m.group()), text)
        return text


def is_closing_comment(comment, line_before):
    """Whether a comment repeats the code that it closes."""
    return (_CLOSING.match(comment) is not None or
            re.match(r"\s*#\s*(endif|else|elif)\b", line_before) is not None)
