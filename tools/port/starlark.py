"""What Python allows and Starlark does not: Bazel cannot load a file with it.

BUILD and .bzl files are read as Python, which they nearly are.  The rest of such
a file is ported; the report has a line for each place.
"""
import ast
import io
import re
import tokenize

_MOST = 20  # lines for one file

# Nothing of Starlark (that of Bazel 4.2), wherever it stands.
_NOWHERE = {
    ast.AnnAssign: "a type", ast.Assert: "assert", ast.AsyncFor: "async",
    ast.AsyncFunctionDef: "async", ast.AsyncWith: "async", ast.Await: "await",
    ast.ClassDef: "a class", ast.Delete: "del", ast.GeneratorExp: "a generator",
    ast.Global: "global", ast.Import: "import", ast.ImportFrom: "import",
    ast.Is: "is", ast.IsNot: "is not", ast.JoinedStr: "an f-string", ast.Lambda: "lambda",
    ast.Match: "match",
    ast.MatMult: "@", ast.NamedExpr: ":=", ast.Nonlocal: "nonlocal", ast.Pow: "**",
    ast.Raise: "raise", ast.Set: "a set", ast.SetComp: "a set", ast.Try: "try",
    ast.While: "while", ast.With: "with", ast.Yield: "yield", ast.YieldFrom: "yield",
}
_CONSTANTS = {complex: "an imaginary number", type(...): "..."}
_ALONE = {ast.FunctionDef: "def", ast.For: "a for statement", ast.If: "an if statement",
          ast.Return: "return", ast.Break: "break", ast.Continue: "continue"}
_PREFIX = re.compile(r"[A-Za-z]*")
_ESCAPE = re.compile(r"\\(\r\n|.)", re.DOTALL)


def check(edit, tree, is_build):
    """Reports what of the file, whose syntax tree is `tree`, Bazel does not understand."""
    found = set(_strings(edit.text))
    for node in ast.walk(tree):
        for part in (node, getattr(node, "op", None), *getattr(node, "ops", ())):
            what = _NOWHERE.get(type(part)) or _what(part)
            if what is not None:
                found.add((getattr(node, "lineno", 1), what))
    found |= set(_in_build(tree) if is_build else _in_bzl(tree))
    for index, (line, what) in enumerate(sorted(found)):
        if index == _MOST:
            edit.find_at_line(line, f"and {len(found) - _MOST} more of the like")
            return
        edit.find_at_line(line, f"{what}: this is Python, and no Starlark, so Bazel cannot load "
                          "the file: write it otherwise")


def _what(node):
    """What is wrong with a node, wherever it stands, or None."""
    if isinstance(node, ast.Constant):
        return _CONSTANTS.get(type(node.value))
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return "a chain of comparisons"
    if isinstance(node, ast.Assign) and len(node.targets) > 1:
        return "two assignments in one"
    if isinstance(node, (ast.List, ast.Tuple)):
        return "* in a list" if any(isinstance(e, ast.Starred) for e in node.elts) else None
    if isinstance(node, ast.Dict):
        return "** in a dict" if None in node.keys else None
    if isinstance(node, ast.FunctionDef):
        return "a decorator" if node.decorator_list else "a type" if node.returns else None
    if isinstance(node, ast.For) and node.orelse:
        return "else of a for statement"
    if isinstance(node, ast.Name) and not node.id.isascii():
        return "a name that is not of ASCII"
    if isinstance(node, ast.arguments) and node.posonlyargs:
        return "/ among parameters"
    if isinstance(node, ast.arg) and node.annotation is not None:
        return "a type"
    return None


def _in_build(tree):
    for node in ast.walk(tree):
        if type(node) in _ALONE:
            yield node.lineno, _ALONE[type(node)] + " in a BUILD file"
        elif isinstance(node, ast.Call) and (
                any(isinstance(a, ast.Starred) for a in node.args) or
                any(k.arg is None for k in node.keywords)):
            yield node.lineno, "* or ** among arguments in a BUILD file"


def _in_bzl(tree):
    named, may_load = set(), True
    for place, statement in enumerate(tree.body):
        call = getattr(statement, "value", None)
        is_load = isinstance(call, ast.Call) and getattr(call.func, "id", "") == "load"
        if is_load and not may_load:
            yield statement.lineno, "a load() after another statement"
        is_doc = place == 0 and isinstance(statement, ast.Expr) and isinstance(call, ast.Constant)
        may_load = may_load and (is_load or is_doc)
        new = {statement.name} if isinstance(statement, ast.FunctionDef) else {
            part.id for target in getattr(statement, "targets", ()) for part in ast.walk(target)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        if new & named or isinstance(statement, ast.AugAssign):
            yield statement.lineno, "a second value for a name"
        named |= new
        if type(statement) in _ALONE and not isinstance(statement, ast.FunctionDef):
            yield statement.lineno, _ALONE[type(statement)] + " outside of a function"
        for node in ast.walk(statement):
            if isinstance(node, ast.FunctionDef) and node is not statement:
                yield node.lineno, "def within another"
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "load" and \
                    node is not call:
                yield node.lineno, "a load() within another statement"


def _strings(text):
    """(line, what is wrong) of strings."""
    before = None
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.NL, tokenize.COMMENT):
                continue
            if token.type == tokenize.NUMBER and "_" in token.string:
                yield token.start[0], "_ in a number"
            if token.type == tokenize.STRING:
                if before == tokenize.STRING:
                    yield token.start[0], "a string right after another, without a +"
                yield from _literal(token)
            before = token.type
    except (tokenize.TokenError, SyntaxError):
        return


def _literal(token):
    prefix = _PREFIX.match(token.string).group()
    if prefix.strip("r"):
        yield token.start[0], f'a string that begins with "{prefix}"'
    elif not prefix:
        for escape in _ESCAPE.finditer(token.string):
            if escape.group(1)[-1] not in "nrt\\'\"\n01234567":
                line = token.start[0] + token.string.count("\n", 0, escape.start())
                yield line, "an escape that Bazel does not know"
