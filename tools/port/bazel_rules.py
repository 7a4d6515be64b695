"""Which arguments a rule takes: Bazel's own (4.2, as `bazel info build-language`
tells), and the macros and rules of the checkout's .bzl files, read from there.

Newer Bazels, and macros of other workspaces, take more; such an argument keeps
the whole package from being loaded.
"""
import ast
import os
import re

from port import build_targets

# What every rule takes, and what all but aliases and settings do.
_COMMON = ("name visibility tags testonly deprecation features compatible_with restricted_to "
           "distribs licenses exec_compatible_with exec_properties target_compatible_with "
           "toolchains")
_TEST = "args env env_inherit flaky local shard_count size timeout"
_CC = ("copts data defines deps includes linkopts linkstatic local_defines nocopts srcs "
       "win_def_file")
_PROGRAM = "additional_linker_inputs dynamic_deps malloc stamp"
_JAVA = ("data deps javacopts resource_jars resource_strip_prefix resources runtime_deps srcs")

NATIVE = {name: frozenset((_COMMON + " " + attributes).split()) for name, attributes in {
    "alias": "actual",
    "cc_binary": f"{_CC} {_PROGRAM} args env linkshared output_licenses",
    "cc_import": "alwayslink data hdrs interface_library shared_library static_library "
                 "system_provided",
    "cc_library": f"{_CC} alwayslink hdrs include_prefix linkstamp strip_include_prefix "
                  "textual_hdrs",
    "cc_proto_library": "data deps",
    "cc_test": f"{_CC} {_PROGRAM} {_TEST}",
    "config_setting": "constraint_values define_values flag_values values",
    "filegroup": "data output_group output_licenses path srcs",
    "genrule": "cmd cmd_bash cmd_bat cmd_ps exec_tools executable heuristic_label_expansion local "
               "message output_licenses output_to_bindir outs srcs stamp tools",
    "java_binary": f"{_JAVA} args classpath_resources create_executable deploy_env "
                   "deploy_manifest_lines env jvm_flags launcher main_class output_licenses stamp",
    "java_library": f"{_JAVA} exported_plugins exports neverlink proguard_specs",
    "java_lite_proto_library": "data deps strict_deps",
    "java_proto_library": "data deps strict_deps",
    "proto_library": "data deps exports import_prefix srcs strip_import_prefix",
    "py_binary": "args data deps env imports legacy_create_init main output_licenses "
                 "python_version srcs srcs_version stamp",
    "py_library": "data deps imports srcs srcs_version",
    "py_test": f"{_TEST} data deps imports legacy_create_init main python_version srcs "
               "srcs_version stamp",
    "sh_binary": "args data deps env output_licenses srcs",
    "sh_library": "data deps srcs",
    "sh_test": f"{_TEST} data deps srcs",
    "test_suite": "tests",
}.items()}

# What package() of newer Bazels takes, and this one does not.
PACKAGE_ARGUMENTS = frozenset(("default_applicable_licenses", "default_package_metadata"))


class Signatures:
    """The arguments of the rules and macros of a checkout."""

    def __init__(self, checkout):
        self._checkout = checkout
        self._files = {}

    def arguments(self, path, name):
        """What `name` of the .bzl file at `path` takes; None for anything, or if
        that cannot be told."""
        return self._arguments(path, name, ())

    def _arguments(self, path, name, asked):
        node, loaded = self._find(path, name)
        if (path, name) in asked or node is None:
            return None
        if isinstance(node, ast.Call):
            return self._rule(node)
        taken = {a.arg for a in node.args.args + node.args.kwonlyargs}
        if node.args.kwarg is None:
            return frozenset(taken)
        taken |= _read(node, node.args.kwarg.arg)
        passed_to = [call.func for call in calls_with(node, node.args.kwarg.arg)]
        for function in passed_to:
            own = self._callee(path, function, loaded, asked + ((path, name),))
            if own is None:
                return None
            taken |= own
        # Arguments that nothing gets are ignored, so any will do.
        return frozenset(taken) if passed_to else None

    def _callee(self, path, function, loaded, asked):
        if isinstance(function, ast.Attribute):  # native.cc_library
            return NATIVE.get(function.attr)
        name = getattr(function, "id", "")
        if name in loaded:
            return self._arguments(*loaded[name], asked)
        if self._find(path, name)[0] is not None:
            return self._arguments(path, name, asked)
        return NATIVE.get(name)

    def _find(self, path, name):
        """(what a file calls by a name, or None; what the file loads)."""
        definitions, loaded = self._file(path)
        return definitions.get(name), loaded

    @staticmethod
    def _rule(call):
        """What a rule() takes."""
        attributes = build_targets.keyword(call, "attrs")
        if getattr(call.func, "id", "") != "rule" or not isinstance(attributes, ast.Dict):
            return None
        return frozenset(_COMMON.split()) | {
            key.value for key in attributes.keys if isinstance(key, ast.Constant)}

    def _file(self, path):
        """({name: function or call}, {loaded name: (path, name there)}) of a .bzl file."""
        if path not in self._files:
            text = self._checkout.text(path)
            tree = build_targets.parse(text) if text is not None else None
            definitions, loaded = {}, {}
            for statement in tree.body if tree else ():
                value = getattr(statement, "value", None)
                if isinstance(statement, ast.FunctionDef):
                    definitions[statement.name] = statement
                elif isinstance(statement, ast.Assign) and isinstance(value, ast.Call):
                    definitions[getattr(statement.targets[0], "id", "")] = value
                elif isinstance(value, ast.Call) and getattr(value.func, "id", "") == "load":
                    loaded.update(_loaded(value, os.path.dirname(path)))
            self._files[path] = definitions, loaded
        return self._files[path]


def _read(function, name):
    """What a macro reads out of its **NAME itself."""
    return {argument.value for call in ast.walk(function) if isinstance(call, ast.Call)
            and getattr(call.func, "attr", "") in ("pop", "get", "setdefault")
            and getattr(call.func.value, "id", "") == name
            for argument in call.args[:1] if isinstance(argument, ast.Constant)}


def calls_with(function, name):
    """The calls that get **NAME, or **f(NAME), in the body of a macro."""
    return [node for node in ast.walk(function) if isinstance(node, ast.Call)
            and any(k.arg is None and any(getattr(part, "id", "") == name
                                          for part in ast.walk(k.value)) for k in node.keywords)]


def _loaded(call, folder):
    """name -> (path, name there) of one load()."""
    strings = [a.value for a in call.args if isinstance(a, ast.Constant)]
    label = re.sub(r"^@{1,2}(?:org_)?mediapipe(?=//)", "", str(strings[0])) if strings else ""
    if not label.startswith(("//", ":")):
        return {}
    path = label[2:].replace(":", "/").lstrip("/") if label.startswith("//") else \
        os.path.join(folder, label[1:])
    found = {name: (path, name) for name in strings[1:]}
    found.update({k.arg: (path, k.value.value) for k in call.keywords
                  if isinstance(k.value, ast.Constant)})
    return found
