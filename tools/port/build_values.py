"""What expressions of BUILD files are, read without Bazel: strings, and lists of them.

What cannot be told is None.
"""
import ast
import operator
import re

_HOLE = re.compile(r"\{(\w*)\}")
# Of one constant, and of one loop: a file may add constants to each other without end.
_MOST_ITEMS = 20000
_MOST_COPIED = 2000  # items of one part of a list, since a loop may copy it in each turn
_MOST_SIGNS = 200000  # of what one comprehension makes
GLOB = "glob()"  # the variable that holds what finds the files of the package
BUDGET = "budget()"  # the variable that holds the Budget of the file
STEPS = 400000  # of one file
_TURN = 8  # steps of one turn of a loop
_TEXT_METHODS = ("lower", "replace", "strip", "upper")
# What changes the list or dict that it is called of.
CHANGING = frozenset(("append", "clear", "extend", "insert", "pop", "popitem", "remove",
                      "setdefault", "update"))

_COMPARED = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt,
             ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
_COMPUTED = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}


class Number(str):
    """A number, as a name has it."""


class Budget:
    """The steps that reading one file may take.  After them nothing more is known of it, since a
    file of a few lines may ask for more than anybody waits for."""

    def __init__(self):
        self._left = STEPS

    def spend(self, steps):
        """False: there are no more."""
        self._left -= steps
        return self._left >= 0


class _Table(list):
    """A dict of BUILD files, which in a loop is its keys."""

    def __init__(self, pairs):
        self.pairs = list(pairs)
        super().__init__(key for key, _ in self.pairs)


def value(node, variables):
    """A string or list from constants and loop variables, or None."""
    try:
        return _value(node, variables)
    except RecursionError:
        return None


def bind(target, bound):
    """name -> value, for one assignment."""
    if isinstance(target, ast.Name):
        return {target.id: bound}
    if isinstance(target, ast.Tuple) and isinstance(bound, list):
        return {t.id: v for t, v in zip(target.elts, bound) if isinstance(t, ast.Name)}
    return {}


def assigned(tree, known=()):
    """name -> value, of the assignments at the top of a file; known: of what it loads."""
    found = {BUDGET: Budget(), **dict(known)}
    for statement in tree.body:
        found.update(follow(statement, found))
    return found


def follow(statement, variables):
    """name -> value, of what a statement at the top of a file gives a value, or changes."""
    if isinstance(statement, ast.FunctionDef):
        return {}
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and not isinstance(
            statement.targets[0], (ast.Subscript, ast.Attribute)):
        bound = bind(statement.targets[0], value(statement.value, variables))
        return {**bound, **_changed(_touched(statement.value), None, variables)}
    name, new = _extended(statement, variables)
    if name is not None:
        return _changed([name], new, variables)
    return _changed(_touched(statement), None, variables)


def _changed(names, new, variables):
    """The new value of names, and of the others that stand for the same list."""
    found = {}
    for name in names:
        old = variables.get(name)
        found[name] = new
        if isinstance(old, list):
            found.update({other: new for other, known in variables.items() if known is old})
    return found


def _extended(statement, variables):
    """(name, its new value) of N += [...], N.append(x) and N.extend([...]); else (None, None)."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        added = ast.BinOp(ast.Name(statement.target.id), statement.op, statement.value)
        return statement.target.id, value(added, variables)
    call = getattr(statement, "value", None)
    method = getattr(getattr(call, "func", None), "attr", "")
    if not isinstance(call, ast.Call) or method not in ("append", "extend") or not isinstance(
            call.func.value, ast.Name) or len(call.args) != 1 or call.keywords:
        return None, None
    old, added = variables.get(call.func.value.id), value(call.args[0], variables)
    if method == "append":
        added = [added]
    is_known = _is_short(old) and isinstance(added, list)
    return call.func.value.id, old + list(added) if is_known else None


def _touched(statement):
    """The names of lists and dicts that something in a statement may change."""
    found = set()
    for part in ast.walk(statement):
        if isinstance(part, ast.Call) and getattr(part.func, "attr", "") in CHANGING:
            found.add(_root(part.func.value))
        elif isinstance(part, (ast.Subscript, ast.Attribute)) and isinstance(part.ctx, ast.Store):
            found.add(_root(part.value))
    return found - {None}


def _root(node):
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def items(loop, variables, certain=False):
    """What a loop goes through, without what its conditions leave out; None if unknown.

    A condition that cannot be told leaves nothing out, or if `certain`, is unknown too."""
    found = value(loop.iter, variables)
    conditions = getattr(loop, "ifs", ())
    if not isinstance(found, list) or not conditions:
        return found if isinstance(found, list) else None
    if not _spend(len(found) * (3 * len(conditions) + _copied(variables)), variables):
        return None
    truths = [[truth(c, {**variables, **bind(loop.target, item)}) for c in conditions]
              for item in found]
    if certain and any(None in known for known in truths):
        return None
    return [item for item, known in zip(found, truths) if False not in known]


def turns(generators, variables, certain=False):
    """The variables of each turn of some loops within each other; None if unknown."""
    found = [variables]
    for loop in generators:
        following = []
        for turn in found:
            through = items(loop, turn, certain)
            if through is None or len(following) + len(through) > _MOST_ITEMS or not _spend(
                    len(through) * (_TURN + _copied(turn)), variables):
                return None
            following += [{**turn, **bind(loop.target, item)} for item in through]
        found = following
    return found


def _spend(steps, variables):
    budget = variables.get(BUDGET)
    return not steps or budget is None or budget.spend(steps)


def _copied(variables):
    """The steps of a copy."""
    return len(variables) // 20


def truth(node, variables):
    """Whether a condition is true; None if that cannot be told."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = truth(node.operand, variables)
        return None if inner is None else not inner
    if isinstance(node, ast.BoolOp):
        decides = isinstance(node.op, ast.Or)
        parts = [truth(part, variables) for part in node.values]
        return decides if decides in parts else None if None in parts else not decides
    if isinstance(node, ast.Compare):
        return _compared(node, variables) if len(node.ops) == 1 else None
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("startswith", "endswith"):
        text, ends = value(node.func.value, variables), [value(a, variables) for a in node.args]
        if not isinstance(text, str) or len(ends) != 1 or not isinstance(ends[0], str):
            return None
        return text.startswith(ends[0]) if node.func.attr == "startswith" else \
            text.endswith(ends[0])
    known = value(node, variables)
    if known is None or isinstance(known, Number):
        return None if known is None else int(known) != 0
    return bool(known)


def _compared(node, variables):
    """a == b, a in b, and their opposites; of numbers, 1 < 2 too."""
    numbers = [_number(part, variables) for part in (node.left, node.comparators[0])]
    if None not in numbers and type(node.ops[0]) in _COMPARED:
        return _COMPARED[type(node.ops[0])](*numbers)
    left, right = value(node.left, variables), value(node.comparators[0], variables)
    if not isinstance(left, str) or isinstance(left, Number) or isinstance(right, Number):
        return None
    if isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and isinstance(right, str):
        return (left == right) is isinstance(node.ops[0], ast.Eq)
    if isinstance(node.ops[0], (ast.In, ast.NotIn)) and right is not None and _spend(
            len(right) // 50, variables) and (left in right or None not in right):
        return (left in right) is isinstance(node.ops[0], ast.In)
    return None


def _value(node, variables):
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return variables.get(node.id)
    found = _worked_out(node, variables)
    return found if _spend(len(found or "") // 100, variables) else None


def _worked_out(node, variables):
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(item, variables) for item in node.elts]
    if isinstance(node, ast.Dict):
        return _Table([_value(k, variables), _value(v, variables)]
                      for k, v in zip(node.keys, node.values))
    if isinstance(node, ast.ListComp):
        return _listed(node, variables)
    if isinstance(node, ast.Subscript):
        return _entry(_value(node.value, variables), node.slice, variables)
    if isinstance(node, ast.IfExp):
        is_true = truth(node.test, variables)
        return None if is_true is None else _value(
            node.body if is_true else node.orelse, variables)
    if isinstance(node, ast.Call):
        return _called(node, variables)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, variables), _value(node.right, variables)
        if isinstance(left, Number) or (isinstance(right, Number) and not isinstance(
                node.op, ast.Mod)):
            return _computed(node, variables)
        if isinstance(node.op, ast.Add) and type(left) is type(right) and left is not None \
                and len(left) + len(right) < _MOST_ITEMS:
            return left + right
        if isinstance(node.op, ast.Mult):
            return _repeated(left, _integer(node.right))
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            return _filled(left, [right] if isinstance(right, str) else right)
    return None


def _called(node, variables):
    """What a function makes, or a method of a text or a dict."""
    function, method = getattr(node.func, "id", ""), getattr(node.func, "attr", "")
    if method == "format":
        return _formatted(node, variables)
    if function == "glob" and GLOB in variables:
        return _globbed(node, variables)
    if function == "sorted":
        return _sorted(node, variables)
    if node.keywords:
        return None
    if function == "range":
        return _numbers(node, variables)
    given = [_value(a, variables) for a in node.args]
    if function == "list" and len(given) == 1 and isinstance(given[0], list):
        return list(given[0])
    if function == "len" and len(given) == 1 and isinstance(given[0], (list, str)):
        return Number(len(given[0]))
    if function == "str" and len(given) == 1 and isinstance(given[0], str):
        return str(given[0])
    if function == "reversed" and len(given) == 1 and _is_short(given[0]):
        return given[0][::-1]
    if function == "enumerate" and len(given) == 1 and isinstance(given[0], list):
        return [[Number(place), item] for place, item in enumerate(given[0])]
    if function == "zip" and all(isinstance(items, list) for items in given):
        return [list(items) for items in zip(*given)]
    of = _value(node.func.value, variables) if method else None
    if isinstance(of, _Table) and method in ("items", "keys", "values") and not given:
        return {"items": list(of.pairs), "keys": list(of),
                "values": [v for _, v in of.pairs]}[method]
    if isinstance(of, _Table) and method == "get" and 1 <= len(given) <= 2:
        return _found(of, given[0], (given + [None])[1])
    if isinstance(of, str) and method in ("elems", "join", "split"):
        return _split_or_joined(of, method, given)
    if isinstance(of, str) and method in _TEXT_METHODS and all(isinstance(g, str) for g in given):
        return _short(of, method, given)
    return None


def _sorted(node, variables):
    """sorted(LIST) and sorted(LIST, reverse = True), of texts or of numbers."""
    of = _value(node.args[0], variables) if len(node.args) == 1 else None
    turned = [k.value.value for k in node.keywords if k.arg == "reverse" and isinstance(
        k.value, ast.Constant) and isinstance(k.value.value, bool)]
    if not isinstance(of, list) or len(turned) != len(node.keywords) or not _spend(
            len(of) // 4, variables):
        return None
    if not all(isinstance(item, str) for item in of):
        return [None] * len(of)
    are_numbers = {isinstance(item, Number) for item in of}
    if len(are_numbers) > 1:
        return None
    return sorted(of, key=int if True in are_numbers else None, reverse=True in turned)


def _globbed(node, variables):
    """The files that a glob() finds, if all its patterns are known."""
    given = {"include": [], "exclude": [], **dict(zip(("include", "exclude"), (
        _value(a, variables) for a in node.args)))}
    given.update({k.arg: _value(k.value, variables) for k in node.keywords if k.arg in given})
    patterns = [*given.values()]
    if not all(isinstance(p, list) and all(isinstance(t, str) for t in p) for p in patterns):
        return None
    files = variables[GLOB](*map(tuple, patterns))
    return list(files) if files is not None and len(files) < _MOST_ITEMS else None


def _is_short(of):
    return isinstance(of, list) and not isinstance(of, _Table) and len(of) <= _MOST_COPIED


def _repeated(of, times):
    """["a"] * 2, and "a" * 2"""
    if times is None or not (isinstance(of, str) or _is_short(of)) or \
            len(of) * times > _MOST_COPIED:
        return None
    return of * times


def _found(table, key, default):
    """TABLE.get("x", default); None if a key of the table is not known."""
    if not isinstance(key, str) or None in table:
        return None
    return next((v for k, v in reversed(table.pairs) if k == key), default)


def _split_or_joined(text, method, given):
    """"a b".split(" "), "ab".elems() and " ".join(["a", "b"]), if that is not very long."""
    if method == "elems":
        return list(text) if not given and len(text) <= _MOST_COPIED else None
    if len(given) != 1 or not given[0]:
        return "" if given == [[]] and method == "join" else None
    if method == "split":
        is_read = isinstance(given[0], str) and text.count(given[0]) < _MOST_COPIED
        return text.split(given[0]) if is_read else None
    parts = given[0] if _is_short(given[0]) else [None]
    if not all(isinstance(part, str) for part in parts) or \
            sum(len(part) + len(text) for part in parts) > _MOST_ITEMS:
        return None
    return text.join(parts)


def _short(text, method, given):
    """A method of a text, if that does not make it very long."""
    if len(given) != (2 if method == "replace" else 0) or (
            method == "replace" and len(text) * (len(given[1]) + 1) > _MOST_ITEMS):
        return None
    return getattr(text, method)(*given)


def _listed(node, variables):
    """What a comprehension makes, of which every condition is known."""
    inner = [node.elt] + [part for loop in node.generators for part in loop.ifs]
    if any(isinstance(part, ast.ListComp) for top in inner for part in ast.walk(top)):
        return None  # loops within loops may take very long
    found, signs = [], 0
    known = turns(node.generators, variables, certain=True)
    for turn in known or ():
        found.append(_value(node.elt, turn))
        signs += len(found[-1] or "")
        if signs > _MOST_SIGNS:
            return None
    return None if known is None else found


def _entry(of, place, variables):
    """LIST[1], TABLE["x"], LIST[:2] and TEXT[:-3]."""
    if isinstance(place, ast.Slice):
        ends = [None if end is None else _integer(end) for end in (place.lower, place.upper)]
        if not (isinstance(of, str) or _is_short(of)) or place.step is not None or any(
                end is not None and known is None
                for end, known in zip((place.lower, place.upper), ends)):
            return None
        return of[slice(*ends)]
    if isinstance(of, _Table):
        key = _value(place, variables)
        return next((v for k, v in reversed(of.pairs) if k == key), None) if key else None
    index = _number(place, variables)
    return of[index] if index is not None and of is not None and \
        -len(of) <= index < len(of) else None


def _numbers(call, variables):
    """The numbers of a range()."""
    bounds = [_number(a, variables) for a in call.args]
    if not 1 <= len(bounds) <= 3 or None in bounds or (len(bounds) == 3 and bounds[2] == 0) or \
            len(range(*bounds)) >= _MOST_ITEMS:
        return None
    return [Number(number) for number in range(*bounds)]


def _computed(node, variables):
    """a + b and the like, of numbers."""
    left, right = _number(node.left, variables), _number(node.right, variables)
    if None in (left, right) or type(node.op) not in _COMPUTED or (
            right == 0 and isinstance(node.op, (ast.FloorDiv, ast.Mod))):
        return None
    found = _COMPUTED[type(node.op)](left, right)
    return Number(found) if abs(found) < 1 << 31 else None


def _number(node, variables):
    known = _integer(node)
    if known is None:
        text = _value(node, variables)
        known = int(text) if isinstance(text, Number) else None
    return known


def _integer(node):
    is_minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    number = getattr(node.operand if is_minus else node, "value", None)
    if type(number) is not int or not -(1 << 31) < number < 1 << 31:
        return None
    return -number if is_minus else number


def _filled(text, values):
    """"%s_%d" % (a, b)"""
    parts = re.split("%[sd]", text)
    if not isinstance(values, list) or len(parts) != len(values) + 1 or "%" in "".join(parts) or \
            not all(isinstance(v, str) for v in values) or \
            sum(map(len, values)) + len(text) > _MOST_ITEMS:
        return None
    return parts[0] + "".join(v + part for v, part in zip(values, parts[1:]))


def _formatted(node, variables):
    """"{}_test".format(name)"""
    text = _value(node.func.value, variables)
    values = [_value(a, variables) for a in node.args]
    named = {k.arg: _value(k.value, variables) for k in node.keywords}
    if not isinstance(text, str) or not all(
            isinstance(v, str) for v in [*values, *named.values()]):
        return None
    if _HOLE.sub("", text).count("{") + _HOLE.sub("", text).count("}"):
        return None  # more than Starlark's format() takes, or "{{"
    free = iter(values)
    table = {**{str(i): v for i, v in enumerate(values)}, **named}
    filled = [table.get(hole[1], None) if hole[1] else next(free, None)
              for hole in _HOLE.finditer(text)]
    if None in filled or sum(map(len, filled)) + len(text) > _MOST_ITEMS:
        return None
    rest = iter(filled)
    return _HOLE.sub(lambda _: next(rest), text)
