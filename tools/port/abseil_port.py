"""C++: what newer Abseils have and Debian's has not, rewritten token by token.

Logging becomes glog's, the wrappers and attributes of nullability go, the
helpers that Syncline offers itself are taken from there, and std::string_view
and std::optional become Abseil's, which Debian keeps apart from them.
"""
import re

from port import abseil
from port.implied import REPLACEMENTS

_RULE = "Abseil"
_STRING_METHODS = {"append", "assign", "compare", "find", "find_first_of", "find_last_of", "rfind",
                   "insert", "replace"}


def port_abseil(edit, code, port):
    """Rewrites the code tokens of one file."""
    declarations = _declarations(code)
    for i, token in enumerate(code):
        if token.kind in ("string", "raw") and token.text.endswith('"sv'):
            edit.find(token.start, 'Abseil\'s string_view has no literals: write '
                      'absl::string_view("...") for "..."sv')
        if token.kind != "name":
            continue
        qualifier = scope(code, i)
        if token.text == "absl_testing" and _text(code, i + 1) in ("::", ";", "{"):
            edit.replace_token(token, "syncline", _RULE)
        elif (qualifier == "testing" and token.text in ("proto", "status")
              and _text(code, i + 1) in ("::", ";")):
            _replace_qualified(edit, code, i, "syncline")
        elif qualifier == "" and _text(code, i - 1) in (".", "->"):
            _field_takes_string(edit, code, i, declarations)
        elif qualifier == "absl":
            _absl_name(edit, code, i)
        elif qualifier == "std" and port.options.std_types:
            _std_name(edit, code, i)
        elif qualifier is None:
            _macro(edit, code, i, port)
            _method(edit, code, i, declarations, port)
            _string_meets_view(edit, code, i, declarations)


def written(edit):
    """The replacements that stand in the file and need a header."""
    found = set()
    for new in edit.written(_RULE):
        found.add("log" if re.match(r"[DPV]?(LOG|CHECK)", new) else new.split("(")[0])
    return found & set(REPLACEMENTS)


def scope(code, i):
    """The name before `::` in front of token i; "" for `::x` and `.x`; or None."""
    if i and code[i - 1].text in (".", "->"):
        return ""
    if i and code[i - 1].text == "::":
        return code[i - 2].text if i > 1 and code[i - 2].kind == "name" else ""
    return None


def _text(code, i):
    return code[i].text if 0 <= i < len(code) else ""


def _closing(code, i):
    """The index of what closes the bracket at i, or None."""
    pairs = {"(": ")", "[": "]", "{": "}", "<": ">"}
    opening, closing, depth = code[i].text, pairs[code[i].text], 0
    for j in range(i, min(len(code), i + 2000)):
        text = code[j].text
        if text == opening:
            depth += 1
        elif text == closing:
            depth -= 1
        elif text == ";" and opening == "<":
            return None
        if depth == 0:
            return j
    return None


def _declarations(code):
    """name -> [(index, type)] of what is declared as a string or a string_view."""
    found = {}
    for i, token in enumerate(code):
        if token.text in ("string", "string_view") and scope(code, i) in ("absl", "std"):
            j = i + 1
            while _text(code, j) in ("&", "const"):
                j += 1
            if j < len(code) and code[j].kind == "name":
                found.setdefault(code[j].text, []).append((j, token.text))
    return found


def _type_at(declarations, code, i):
    """What the name at i is declared as: by the declaration before it, else the first."""
    places = declarations.get(_text(code, i))
    if not places:
        return None
    before = [kind for place, kind in places if place < i]
    return before[-1] if before else places[0][1]


# --- names

def _replace_qualified(edit, code, i, new):
    """Replaces absl::NAME, from the qualifier on."""
    edit.replace(code[i - 2].start, code[i].start + len(code[i].text), new, _RULE)


def _absl_name(edit, code, i):
    name = code[i].text
    if name in abseil.NAMES:
        _replace_qualified(edit, code, i, abseil.NAMES[name])
    elif name in abseil.WRAPPERS and _text(code, i + 1) == "<":
        end = _closing(code, i + 1)
        if end is None:
            edit.find(code[i].start, f"absl::{name} is not in Debian's Abseil: write the bare type")
            return
        start = i - 3 if _text(code, i - 3) == "::" else i - 2
        edit.replace(code[start].start, code[i + 1].start + 1, "", _RULE)
        edit.replace_token(code[end], "", _RULE)
    elif name == "InitializeLog" and _text(code, i + 1) == "(":
        _replace_qualified(edit, code, i, "google::InitGoogleLogging")
        if _text(code, i + 2) == ")":
            edit.replace_token(code[i + 2], '"program")', _RULE)
    elif name in abseil.NO_SUCH_NAME:
        edit.find(code[i].start, f"absl::{name} is not in Debian's Abseil: "
                  f"{abseil.NO_SUCH_NAME[name]}")


def _std_name(edit, code, i):
    new = abseil.STD_TYPES.get(code[i].text)
    if new:
        _replace_qualified(edit, code, i, new)


# --- macros

def _macro(edit, code, i, port):
    token, name = code[i], code[i].text
    if name == "AbslStringify":
        edit.find(token.start, "Debian's Abseil does not call AbslStringify: "
                  + abseil.NO_SUCH_NAME[name])
    elif name in abseil.ATTRIBUTES and name not in port.tree.defined:
        _drop(edit, code, i, with_arguments=abseil.ATTRIBUTES[name])
    elif name == "QFATAL" and _text(code, i - 1) == "(":
        edit.replace_token(token, "FATAL", _RULE)
    elif _text(code, i + 1) == "(" and name not in port.tree.defined:
        new = abseil.log_macro(name)
        if new:
            edit.replace_token(token, new, _RULE)
            _check_log_methods(edit, code, i)
        elif abseil.NO_SUCH_MACRO.match(name):
            edit.find(token.start, f"{name} is not in glog: use LOG_EVERY_N, LOG_FIRST_N or "
                      "LOG_IF_EVERY_N")


def _drop(edit, code, i, with_arguments):
    end = _closing(code, i + 1) if with_arguments and _text(code, i + 1) == "(" else i
    if end is None:
        return
    stop = code[end].start + len(code[end].text)
    if edit.text[stop:stop + 1] == " ":
        stop += 1
    edit.replace(code[i].start, stop, "", _RULE)


def _check_log_methods(edit, code, i):
    end = _closing(code, i + 1)
    if end is not None and _text(code, end + 1) == "." and _text(code, end + 3) == "(":
        method = _text(code, end + 2)
        if method in ("WithPerror", "WithVerbosity", "WithTimestamp", "WithThreadID",
                      "AtLocation", "NoPrefix", "ToSinkOnly", "ToSinkAlso", "WithMetadataFrom"):
            edit.find(code[end + 2].start, f"glog's LOG has no .{method}(): leave it out")


# --- calls

def _method(edit, code, i, declarations, port):
    """x.starts_with(y), for a string_view x; mutex_.lock(); MutexLock l(mutex_)."""
    token = code[i]
    if (_text(code, i + 1) == "." and _text(code, i + 2) in ("starts_with", "ends_with")
            and _text(code, i + 3) == "(" and _type_at(declarations, code, i) == "string_view"):
        _starts_with(edit, code, i)
    elif token.text in port.tree.mutexes and _text(code, i + 1) == ".":
        new = {"lock": "Lock", "unlock": "Unlock", "lock_shared": "ReaderLock",
               "unlock_shared": "ReaderUnlock", "try_lock": "TryLock",
               "try_lock_shared": "ReaderTryLock"}.get(_text(code, i + 2))
        if new and _text(code, i + 3) == "(":
            edit.replace_token(code[i + 2], new, _RULE)
    elif (token.text in port.tree.mutexes and _text(code, i - 1) in ("(", "{")
          and _text(code, i + 1) in (")", "}", ",") and code[i - 2].kind == "name"
          and _text(code, i - 3).endswith("MutexLock")):
        edit.replace_token(token, "&" + token.text, _RULE)


def _starts_with(edit, code, i):
    end = _closing(code, i + 3)
    if end is None:
        return
    function = "absl::StartsWith" if code[i + 2].text == "starts_with" else "absl::EndsWith"
    view, argument = code[i].text, code[i + 4]
    if end == i + 5 and argument.kind == "char":
        edit.replace_token(argument, 'absl::string_view("%s")' %
                           argument.text[1:-1].replace('"', '\\"'), _RULE)
    edit.replace(code[i].start, code[i].start + len(view), function, _RULE)
    edit.replace(code[i + 1].start, code[i + 3].start + 1, f"({view}, ", _RULE)


def _field_takes_string(edit, code, i, declarations):
    """proto.set_name(view): Protobuf 3.21 takes a std::string."""
    if (code[i].text.startswith(("set_", "add_")) and _text(code, i + 1) == "("
            and _text(code, i + 3) == ")"
            and _type_at(declarations, code, i + 2) == "string_view"):
        edit.replace_token(code[i + 2], f"std::string({code[i + 2].text})", _RULE)


def _string_meets_view(edit, code, i, declarations):
    """s = v, s += v and s.find(v): std::string takes a std::string_view only."""
    if _type_at(declarations, code, i) != "string":
        return
    argument = None
    if _text(code, i + 1) in ("=", "+=") and _text(code, i + 3) in (";", ")"):
        argument = i + 2
    elif (_text(code, i + 1) == "." and _text(code, i + 2) in _STRING_METHODS
          and _text(code, i + 3) == "(" and _text(code, i + 5) in (")", ",")):
        argument = i + 4
    if argument is not None and _type_at(declarations, code, argument) == "string_view":
        token = code[argument]
        edit.replace_token(token, f"std::string({token.text})", _RULE)
