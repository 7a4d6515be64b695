"""Syntax errors that can be seen without a compiler: what is opened and not closed.

The port goes on with the rest of the file; the report says where to look.
"""
import re

# Endings of files that building fills in; their signs may be of no language.
TEMPLATE = re.compile(r"\.(?:in|tmpl|tpl|template)\Z")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_CONDITIONALS = {"if", "ifdef", "ifndef", "else", "elif", "endif"}
_GRAPH_TOKEN = re.compile(
    r"#[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[{}\[\]\"']", re.DOTALL)
_TEMPLATE = re.compile(r"%\s*(?:if|for|else|end)\b|%\s*\w+\s*%")


def check_cpp(edit, tokens):
    """Reports the first thing of C++ or of a .proto that is not closed, and each #if."""
    if TEMPLATE.search(edit.path):
        return
    _conditionals(edit, tokens)
    broken = _broken_token(tokens, edit)
    if broken is not None:
        edit.find(*broken)
    else:
        _brackets(edit, tokens)


def check_graph(edit):
    """Reports what is not closed in a message of Protobuf text."""
    if _TEMPLATE.search(edit.text) or TEMPLATE.search(edit.path):
        return  # its conditions and loops have a syntax of their own
    stack = []
    for found in _GRAPH_TOKEN.finditer(edit.text):
        sign = found.group()
        if sign in ('"', "'"):
            edit.find(found.start(), "a string is not closed: mend the syntax")
            return
        if not _follow(edit, stack, sign, found.start()):
            return
    if stack:
        _not_closed(edit, *stack[-1])


def _broken_token(tokens, edit):
    """(position, what is wrong) of the first literal or comment without an end, or None."""
    for index, token in enumerate(tokens):
        if token.kind == "comment" and token.text.startswith("/*") and (
                len(token.text) < 4 or not token.text.endswith("*/")):
            return token.start, "a comment is not closed: mend the syntax"
        if token.kind == "raw":
            mark = token.text[token.text.index('"') + 1:token.text.index("(")]
            if not re.search(r"\)" + re.escape(mark) + r'"\w*\Z', token.text):
                return token.start, "a raw string is not closed: mend the syntax"
        if token.text == '"' and token.kind == "sign" and not edit.is_dead(token.start) and \
                not _is_message(tokens, index):
            return token.start, "a string is not closed: mend the syntax"
    return None


def _is_message(tokens, index):
    """Whether a token stands in the text of an #error or #warning."""
    line = []
    while index and tokens[index].kind != "newline":
        index -= 1
        line.append(tokens[index].text)
    return "error" in line[-4:] or "warning" in line[-4:]


def _directives(tokens):
    """(index, word) of each line that begins with #; word is "" for an #include."""
    line_start = True
    for index, token in enumerate(tokens):
        if token.kind == "newline":
            line_start = True
        elif token.kind not in ("blank", "comment"):
            if line_start and (token.kind == "include" or token.text == "#"):
                yield index, next((t.text for t in tokens[index + 1:index + 4]
                                   if t.kind == "name"), "") if token.text == "#" else ""
            line_start = False


def _conditionals(edit, tokens):
    opened = []
    for index, word in _directives(tokens):
        if word in ("if", "ifdef", "ifndef"):
            opened.append(tokens[index].start)
        elif word in ("else", "elif", "endif") and not opened:
            edit.find(tokens[index].start, f"#{word} without an #if: mend the syntax")
            return
        elif word == "endif":
            opened.pop()
    if opened:
        edit.find(opened[-1], "#if without an #endif: mend the syntax")


def _brackets(edit, tokens):
    """Follows brackets; of the branches of an #if, each begins where the #if did."""
    directives = dict(_directives(tokens))
    stack, branches, in_directive = [], [], False
    for index, token in enumerate(tokens):
        if token.kind == "newline":
            in_directive = False
        word = directives.get(index)
        if word is not None:
            in_directive = True
            if word in ("if", "ifdef", "ifndef"):
                branches.append(list(stack))
            elif word in ("else", "elif") and branches:
                stack = list(branches[-1])
            elif word == "endif" and branches:
                branches.pop()
        if in_directive or token.kind != "sign" or edit.is_dead(token.start):
            continue
        if not _follow(edit, stack, token.text, token.start):
            return
    if stack:
        _not_closed(edit, *stack[-1])


def _follow(edit, stack, sign, position):
    """Takes one sign; False after an error."""
    if sign in _PAIRS.values():
        stack.append((sign, position))
    elif sign in _PAIRS:
        if not stack:
            edit.find(position, f'"{sign}" closes nothing: mend the syntax')
            return False
        if stack[-1][0] != _PAIRS[sign]:
            _not_closed(edit, *stack[-1])
            return False
        stack.pop()
    return True


def _not_closed(edit, sign, position):
    edit.find(position, f'"{sign}" is not closed: mend the syntax')
