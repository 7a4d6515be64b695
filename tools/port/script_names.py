"""Names in what is run, or writes code: commands of rules, shell scripts, Python's strings.

    names = ScriptNames(port)
    names.translate(text, tell)  # tell: is called with what is wrong with a label
    names.leftover(text)         # where a name stays that nobody translated

Paths, labels, types and code that is written follow the port.  Variables of the
environment, and of --define, keep their names: what reads them does so by text.
"""
import re

from port import label_parts, labels
from port.names import strip_root, translate, written

_LABEL = re.compile(r"(?<![\w/:.@])(?:@{1,2}(?:org_)?mediapipe)?//mediapipe(?:/[\w./+-]*)?"
                    r"(?::[\w./+=~*%{}-]*)?(?![\w])")
_LOCATION = re.compile(r"(?<=\$\()((?:location|execpath|rootpath|rlocationpath)s?\s+)([^()\s]+)"
                       r"(?=\s*\))")
# A word may stand behind an escaped line break: printf 'a\nnamespace mediapipe {'.
_WORD = r"(?:\b|(?<=\\n)|(?<=\\t))"
_CODE = re.compile(_WORD + r"namespace\s+mediapipe\b|" + _WORD + r"package\s+mediapipe(?=[;.])|"
                   r"(?<![\w$])-DMEDIAPIPE_\w+|(?<=-U)MEDIAPIPE_\w+|"
                   r"#\s*(?:define|undef|ifdef|ifndef)\s+MEDIAPIPE_\w+|"
                   r"\bdefined\s*\(?\s*MEDIAPIPE_\w+|\bMEDIAPIPE_\w+_H_+\b")
_FLAG_PATH = re.compile(r"(?<![\w-])(-I|-L|-isystem\s*|-iquote\s*|-include\s*)(mediapipe/[\w./-]*)")
_BEHIND = (r"((?:\$\w+|\$\{[^}\s]*\}|\$\(\w+\)|\bbazel-(?:bin|out|genfiles|testlogs))/)"
           r"(mediapipe/(?:%s)(?![\w-])[\w./-]*)")
_MACRO = re.compile(r"(?<!\w)MEDIAPIPE_\w+")
# A variable, of a shell or of the environment.
_VARIABLE = re.compile(
    r"\$\$?\{?[#!]?MEDIAPIPE_\w+|(?<![\w$-])MEDIAPIPE_\w+\+?=|--define[ =]MEDIAPIPE_\w+|"
    r"\b(?:export|unset|declare|local|readonly|read)\s[^\n;&|]*?MEDIAPIPE_\w+|"
    r"(?:getenv|environ|env)\W{1,6}(?:get\W{1,3})?MEDIAPIPE_\w+|--(?:action|test)_env[ =]MEDIAPIPE_\w+")
_ADDRESS = re.compile(r"\w+://[^\s'\"]*|[\w.-]*google[\w-]*/mediapipe\b|\S+@\S*mediapipe\S*|"
                      r"\bmediapipe\.(?:dev|io|org)\b")
_LEFT = re.compile(r"mediapipe|MEDIAPIPE_\w+|\bMedia[Pp]ipe(?=\w)|(?<=\w)Media[Pp]ipe")


class ScriptNames:
    """The rule for the texts of one port."""

    def __init__(self, port):
        self._port = port
        self._behind = re.compile(_BEHIND % "|".join(map(re.escape, port.strings.folders)))
        own = {name for name in port.tree.types | port.tree.defined
               if translate(name) != name and name.lower() != "mediapipe"}
        self._own = re.compile(r"(?<![\w$])(?:" + "|".join(sorted(map(re.escape, own))) +
                               r")(?!\w)") if own else None

    def translate(self, text, tell, resolve=None, macros=False, variables=True):
        """tell: is given what is wrong with a label; resolve: a label here, as
        labels.port_label(); macros: whether all macros in the text are code; variables: whether
        it may have some of a shell in it."""
        if "ediapipe" not in text and "EDIAPIPE" not in text and "ediaPipe" not in text and \
                "$(" not in text:
            return self._port.strings.translate(text)
        resolve = resolve or (lambda label: labels.port_label(label, self._port))
        return written(text, lambda t: self._translate(t, tell, resolve, macros, variables))

    def _translate(self, text, tell, resolve, macros, variables):
        text = _LOCATION.sub(lambda m: m[1] + self._label(m[2], tell, resolve), text)
        text = _LABEL.sub(lambda m: self._label(m.group(), tell, resolve), text)
        text = _FLAG_PATH.sub(lambda m: m[1] + self._port.moved_path(m[2]), text)
        text = self._behind.sub(lambda m: m[1] + self._port.moved_path(m[2]), text)
        text = self.code(text)
        text = self._port.strings.translate(text)
        for pattern in ([self._own] if self._own else []) + ([_MACRO] if macros else []):
            kept = [m.span() for m in _VARIABLE.finditer(text)] if variables else []
            text = pattern.sub(lambda m, kept=tuple(kept): m.group() if any(
                start <= m.start() < end for start, end in kept) else translate(m.group()), text)
        return text

    @staticmethod
    def code(text):
        """A text with the code in it ported that is surely code."""
        return _CODE.sub(lambda m: translate(m.group()), text) if "ediapipe" in text or \
            "MEDIAPIPE" in text else text

    def _label(self, text, tell, resolve):
        """One label, or what begins or matches labels, as it is here."""
        dots = "..." if text.endswith("...") else ""
        if label_parts.HOLE.search(text) and not text.startswith(("//", "@")):
            return text  # it is filled in later
        bare = text if dots else text.rstrip(".")
        rest = text[len(bare):]
        if label_parts.is_part(bare):
            return label_parts.port_part(bare, self._port) + rest
        name = labels.split(bare)[2]
        if dots or name in ("all", "*", "all-targets"):
            package, colon, name = bare.partition(":") if not dots else (bare, "", "")
            return labels.pattern(package, self._port) + colon + name + rest
        label, problem = resolve(bare)
        if problem:
            tell(problem)
        return (label or strip_root(bare)) + rest

    @staticmethod
    def leftover(text):
        """The position of a name of MediaPipe's that stays, or None; addresses on the web, and
        variables, are none."""
        spans = [m.span() for pattern in (_ADDRESS, _VARIABLE) for m in pattern.finditer(text)]
        for found in _LEFT.finditer(text):
            if not any(start <= found.start() < end for start, end in spans):
                return found.start()
        return None
