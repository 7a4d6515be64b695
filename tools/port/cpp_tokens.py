"""C++ cut into tokens, so that a rule never mistakes text for code.

    for token in tokens(text): token.kind, token.text, token.start

Kinds: include (a whole `#include "x"` up to the path), comment, raw, string,
char, number, name, newline, blank, sign.  Every character belongs to exactly
one token; what is not C++ (an unterminated string, say) becomes signs.
"""
import re
from collections import namedtuple

Token = namedtuple("Token", "kind text start")

_SUFFIX = r"(?:[A-Za-z_]\w*)?"
_MASTER = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in [
    ("include", r'^[^\S\n]*#[^\S\n]*(?:include|import)[^\S\n]*(?:"[^"\n]*"|<[^>\n]*>)'),
    ("comment", r"//(?:\\\r?\n|[^\n])*|/\*(?:(?!\*/).)*(?:\*/|\Z)"),
    ("raw", r'(?:u8|[uUL])?R"(?P<_mark>[^ ()\\\s]{0,16})\((?:(?!\)(?P=_mark)").)*'
            r'(?:\)(?P=_mark)"' + _SUFFIX + r'|\Z)'),
    ("string", r'(?:u8|[uUL])?"(?:\\(?:\r\n|.)|[^"\\\n])*"' + _SUFFIX),
    ("char", r"(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'" + _SUFFIX),
    ("number", r"\.?\d(?:[eEpP][+-]|'?[\w.])*"),
    ("name", r"[A-Za-z_$][\w$]*"),
    ("newline", r"\n"),
    ("blank", r"(?:[^\S\n]|\\\r?\n)+"),
    ("sign", r"::|->\*?|<<=|[<>=!+*/%&|^-]=|&&|\|\||\+\+|--|<<|."),
]), re.DOTALL | re.MULTILINE)

_QUOTED = re.compile(r'(?:"([^"]*)"|<([^>]*)>)$')
_LITERAL = re.compile(r'(?P<open>(?:u8|[uUL])?(?:R"(?P<mark>[^(]*)\(|"))'
                      r'(?P<body>.*)(?P<close>(?:\)(?P=mark))?")\w*$', re.DOTALL)


def tokens(text):
    """All tokens of `text`, in order."""
    return [Token(match.lastgroup if match.lastgroup != "_mark" else "raw",
                  match.group(), match.start())
            for match in _MASTER.finditer(text)]


def include_path(token):
    """What an include token includes."""
    quoted, angled = _QUOTED.search(token.text).groups()
    return angled if quoted is None else quoted


def is_quoted_include(token):
    return token.text.endswith('"')


def literal_body(token):
    """(start, end) of what stands between the quotes, within the token."""
    found = _LITERAL.match(token.text)
    return (found.start("body"), found.end("body")) if found else (0, 0)


def code(all_tokens):
    """The tokens that are neither blank nor comment."""
    return [t for t in all_tokens
            if t.kind not in ("blank", "newline", "comment")]
