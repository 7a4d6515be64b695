"""The strings in an attribute of a rule: through sums, constants and select().

    for leaf in leaves(node, scope): leaf.node, leaf.value, leaf.is_glob

A select() whose answer is known here (conditions of CONDITIONS in labels.py)
counts as that answer; of any other, every branch counts.  Its keys never do:
they are settings, neither files nor deps.
"""
import ast
from collections import namedtuple

from port import build_targets, build_values, labels

Leaf = namedtuple("Leaf", "node value is_glob")

_SELECTS = ("select", "with_or")
_MOST_NODES = 20000  # of one attribute: constants may stand in each other many times over


class Scope:
    """What the names in an expression stand for."""

    def __init__(self, constants=(), variables=()):
        """constants: name -> the node that the file assigns to it.
        variables: name -> value, of a loop."""
        self.constants, self.variables = dict(constants), dict(variables)


def constants(tree):
    """name -> node, of the assignments at the top of a BUILD file."""
    return {statement.targets[0].id: statement.value for statement in tree.body
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)}


def value_of(text):
    """What a string means that is written so; the text itself if it is none."""
    try:
        value = ast.literal_eval(f"({text})")
    except (SyntaxError, ValueError):
        return text
    return value if isinstance(value, str) else text


def texts_of(tree, arguments, tables=()):
    """The string nodes of some arguments of all calls, of the constants that they name, and of
    the indices of some tables: ctx.var["x"], ctx.os.environ.get("x")."""
    found, named, waiting = set(), constants(tree), []
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in arguments:
            waiting.append(node.value)
        elif isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") in tables:
            waiting.append(node.slice)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get" and getattr(
                node.func.value, "attr", "") in tables:
            waiting += node.args[:1]
        elif isinstance(node, ast.Compare) and any(
                getattr(c, "attr", "") in tables for c in node.comparators):
            waiting.append(node.left)
    while waiting:
        for part in ast.walk(waiting.pop()):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                found.add(part)
            elif isinstance(part, ast.Name) and part.id in named:
                waiting.append(named.pop(part.id))
    return found


def inner_names(tree):
    """The nodes that name arguments and variables of functions: no other file knows them."""
    found = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            known = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
            names = [n for part in function.body for n in ast.walk(part)
                     if isinstance(n, ast.Name)]
            known |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
            found.update(n for n in names if n.id in known)
    return found


def names(node):
    """The nodes in an expression that name constants and variables of around it."""
    if node is None:
        return []
    bound = {part.id for loop in ast.walk(node) if isinstance(loop, ast.comprehension)
             for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    called = {part for call in ast.walk(node) if isinstance(call, ast.Call)
              for part in ast.walk(call.func)}
    return [part for part in ast.walk(node) if isinstance(part, ast.Name)
            and part not in called and part.id not in bound]


def is_select(node):
    """Whether a node is select({...}), or selects.with_or({...}) of Skylib."""
    return (isinstance(node, ast.Call) and bool(node.args) and isinstance(node.args[0], ast.Dict)
            and getattr(node.func, "id", getattr(node.func, "attr", "")) in _SELECTS)


def branches(call):
    """[(labels of the conditions, value)] of a select(); a label that is no string is None."""
    table = call.args[0]
    found = []
    for key, value in zip(table.keys, table.values):
        conditions = key.elts if isinstance(key, ast.Tuple) else [key]
        found.append(([getattr(c, "value", None) for c in conditions], value))
    return found


def chosen(call, answer):
    """The value of the branch that a select() takes here, or None.

    answer: label -> True, False, or None for what cannot be told."""
    default, taken = None, None
    for conditions, value in branches(call):
        for label in conditions:
            if label == "//conditions:default":
                default = value
                continue
            known = answer(label)
            if known is None:
                return None
            if known and taken is None:
                taken = value
    return taken if taken is not None else default


def leaves(node, scope, answer=labels.CONDITIONS.get):
    """The strings that an attribute is made of, in order."""
    found, waiting, left = [], [(node, False, scope)], _MOST_NODES
    while waiting and left > 0:
        node, is_glob, scope = waiting.pop()
        left -= 1
        value = build_values.value(node, scope.variables) if isinstance(
            node, (ast.Constant, ast.BinOp, ast.Name, ast.Call, ast.Subscript)) else None
        if isinstance(value, str):
            found.append(Leaf(node, value, is_glob))
        elif isinstance(value, list) and _varies(node, scope):
            found += [Leaf(node, text, is_glob) for text in value if isinstance(text, str)]
        elif isinstance(node, ast.ListComp):
            turns = _turns(node, scope)
            left -= len(turns)
            waiting += [(node.elt, is_glob, inner) for inner in reversed(turns)]
        else:
            waiting += [(part, is_glob or below, scope) for part, below in reversed(
                _parts(node, scope, answer))]
    return found


def _varies(node, scope):
    """Whether a node stands for a variable of a loop, or for what another file defines."""
    return getattr(node, "id", getattr(getattr(node, "value", None), "id", None)) \
        not in scope.constants and isinstance(node, (ast.Name, ast.Subscript))


def _turns(comprehension, scope):
    """The scopes of the turns of a loop within a list."""
    turns = build_values.turns(comprehension.generators, scope.variables) or ()
    return [Scope(scope.constants, turn) for turn in turns]


def _parts(node, scope, answer):
    """[(node, whether it holds patterns)] of which an expression is made."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [(item, False) for item in node.elts]
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        # A text of which a part is not known is no label.
        is_text = any(isinstance(s, ast.Constant) for s in sides)
        return [] if is_text else [(side, False) for side in sides]
    if isinstance(node, ast.BoolOp):
        return [(side, False) for side in node.values]
    if isinstance(node, ast.IfExp):
        return [(node.body, False), (node.orelse, False)]
    if isinstance(node, ast.Subscript):
        chosen_part = _entry(node, scope)
        return [(chosen_part, False)] if chosen_part is not None else []
    if isinstance(node, ast.Name):
        constant = scope.constants.get(node.id)
        return [(constant, False)] if constant is not None else []
    if is_select(node):
        taken = chosen(node, answer)
        return [(taken, False)] if taken is not None else [
            (value, False) for _, value in branches(node)]
    if isinstance(node, ast.Call):
        is_glob = getattr(node.func, "id", "") == "glob"
        include = build_targets.keyword(node, "include")
        arguments = node.args + ([include] if include is not None else [])
        return [(a, is_glob) for a in arguments]
    return []


def _entry(node, scope):
    """The node that TABLE["x"] stands for, or None."""
    table = scope.constants.get(getattr(node.value, "id", None))
    if isinstance(table, ast.Dict):
        for key, value in zip(table.keys, table.values):
            if getattr(key, "value", None) == getattr(node.slice, "value", node):
                return value
    return None
