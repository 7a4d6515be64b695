"""Macros of the tree, and rules that nothing here builds: which deps they get."""
import unittest

from port.testing import PortCase

_CLOCK = ('#include "mediapipe/framework/calculator_framework.h"\n'
          "namespace mediapipe { Clock* clock; }\n")
_CHECKOUT = {
    "framework/deps/clock.h": "",
    "framework/deps/timer.h": "",
    "framework/deps/BUILD": 'cc_library(name = "clock", hdrs = ["clock.h"])\n'
                            'cc_library(name = "timer", hdrs = ["timer.h"], deps = [":a"])\n',
}


class MacrosCase(PortCase):

    def build(self, text, files, folder="mediapipe/acme", **options):
        """What becomes of the BUILD file of a folder with these files."""
        results = self.port({f"{folder}/BUILD": text,
                             **{f"{folder}/{name}": t for name, t in files.items()}},
                            checkout=_CHECKOUT, **options)
        self.results = results
        self.found = [tuple(f) for f in results[f"{folder}/BUILD"].findings]
        return results[f"{folder}/BUILD"].new


class DepsTest(MacrosCase):
    """Deps go only into calls that take them, and are given once."""
    MACROS = (
        '_D = ["//mediapipe/framework:calculator_framework"]\n'
        "def tiny(name, srcs):\n    native.cc_library(name = name, srcs = srcs, deps = _D)\n"
        "def star(name, **kwargs):\n    native.cc_library(name = name, deps = _D, **kwargs)\n"
        "def passes(name, **kwargs):\n    native.cc_library(name = name, **kwargs)\n"
        "def through(name, **kwargs):\n    passes(name = name, **kwargs)\n"
        "def adds(name, srcs = [], deps = []):\n"
        "    native.cc_library(name = name, srcs = srcs, deps = deps + _D)\n"
        'def pops(name, **kwargs):\n    deps = kwargs.pop("deps", []) + _D\n'
        "    native.cc_library(name = name, deps = deps, **kwargs)\n"
        'def sets(name, **kwargs):\n    kwargs["deps"] = _D\n'
        "    native.cc_library(name = name, **kwargs)\n"
        "def files(name, **kwargs):\n    native.filegroup(name = name, **kwargs)\n"
        "def plain(name):\n    native.cc_library(name = name, srcs = [name + \".cc\"], deps = _D)\n"
        "def stem(name, **kwargs):\n"
        "    native.cc_library(name = name, srcs = [\"%s.cc\" % name], **kwargs)\n"
        "def all(name):\n    native.cc_library(name = name, srcs = native.glob([\"*.cc\"]))\n")

    def deps(self, call, macro, load='load(":m.bzl", "%s")\n'):
        load %= macro
        new = self.build(load + call + "\n", {"m.bzl": self.MACROS, "a.cc": _CLOCK})
        return new.partition("\n")[2].strip()

    def test_macros_that_take_no_deps_get_none_and_a_line_says_so(self):
        for macro in ("tiny", "star", "sets", "files"):
            call = f'{macro}(name = "a", srcs = ["a.cc"])'
            self.assertEqual(self.deps(call, macro), call)
            (line, hand, text), = self.found
            self.assertEqual((line, hand), (2, True), macro)
            self.assertIn('":a" needs', text)
            self.assertIn("//framework/deps:clock", text)
            self.assertIn(f"which {macro}() does not take", text)
            self.assertIn('"mediapipe/acme/m.bzl"', text)
            self.assertEqual("//framework:calculator_framework" in text, macro == "files", macro)

    def test_macros_that_take_deps_get_what_they_do_not_give(self):
        clock = '"//framework/deps:clock"'
        both = clock + ', "//framework:calculator_framework"'
        for macro, deps in (("passes", both), ("through", both), ("adds", clock), ("pops", clock)):
            self.assertEqual(self.deps(f'{macro}(name = "a", srcs = ["a.cc"])', macro),
                             f'{macro}(name = "a",\n    deps = [{deps}], srcs = ["a.cc"])', macro)
            self.assertEqual(self.found, [])

    def test_deps_may_be_given_by_place(self):
        self.assertEqual(self.deps('adds("a", ["a.cc"], [":b"])\nfilegroup(name = "b")', "adds"),
                         'adds("a", ["a.cc"], ["//framework/deps:clock", ":b"])\n'
                         'filegroup(name = "b")')

    def test_a_macro_by_another_name_or_from_the_root_is_the_same(self):
        for load in ('load(":m.bzl", x = "%s")\n', 'load("//mediapipe/acme:m.bzl", x = "%s")\n',
                     'load("@mediapipe//mediapipe/acme:m.bzl", x = "%s")\n'):
            self.assertEqual(self.deps('x(name = "a", srcs = ["a.cc"])', "tiny", load),
                             'x(name = "a", srcs = ["a.cc"])')
            self.assertEqual([f[:2] for f in self.found], [(2, True)])

    def test_libraries_that_the_checkout_writes_shortly_are_known(self):
        checkout = {
            "framework/clock.h": '#include "framework/deps/clock.h"\n',
            "framework/deps/clock.h": "", "framework/deps/timer.h": "",
            "framework/source.proto": "",
            "framework/deps/BUILD":
                'syncline_library(name = "times", parts = ["clock", "timer"])\n',
            "framework/BUILD":
                'forwarding_headers(headers = {"clock": "//framework/deps:times"})\n'
                'forwarding_protos(protos = ["source"])\n'}
        for label, header, new in (
                ("framework:clock", "deps/timer.h", "framework:clock"),
                ("framework:clock", "clock.h", "framework:clock"),
                ("framework:source_cc_proto", "source.pb.h", "framework:source_cc_proto"),
                ("framework:source_proto", "deps/timer.h",
                 'framework/deps:times", "//framework:source_proto')):
            results = self.port({
                "mediapipe/acme/BUILD": 'cc_library(name = "a", srcs = ["a.cc"], deps = ['
                                        f'"//mediapipe/{label}"])\n',
                "mediapipe/acme/a.cc": f'#include "mediapipe/framework/{header}"\n'},
                                checkout=checkout)
            result = results["mediapipe/acme/BUILD"]
            self.assertIn(f'deps = ["//{new}"])', result.new)
            self.assertEqual(result.findings, [])

    def test_a_file_that_only_a_macro_names_is_of_its_target(self):
        self.assertEqual(self.deps('plain(name = "a")', "plain"), 'plain(name = "a")')
        (line, hand, text), = self.found
        self.assertEqual((line, hand), (2, True))
        self.assertIn('":a" needs //framework/deps:clock, which plain() does not take', text)
        self.assertEqual(self.deps('[stem(name = x, alwayslink = 1) for x in ["a"]]', "stem"),
                         '[stem(name = x,\n    deps = ["//framework/deps:clock", '
                         '"//framework:calculator_framework"], alwayslink = 1) for x in ["a"]]')
        self.assertEqual(self.found, [])

    def test_deps_are_added_to_the_whole_of_a_condition(self):
        for given in ('[":b"] if 1 > 0 else []', 'None or [":b"]'):
            rule = 'cc_library(name = "a", srcs = ["a.cc"], deps = %s)\nfilegroup(name = "b")\n'
            self.assertEqual(self.build(rule % given, {"a.cc": _CLOCK}), rule % (
                f'({given}) + ["//framework/deps:clock", "//framework:calculator_framework"]'))

    def test_deps_of_a_constant_of_the_tree_are_there_already(self):
        macros = ('D = [":c"]\nALL = D + ["//mediapipe/framework/deps:clock"]\n')
        rule = 'load(":m.bzl", "ALL")\ncc_library(name = "a", srcs = ["a.cc"], deps = ALL%s)\n'
        new = self.build(rule % "" + 'cc_library(name = "c", srcs = ["a.cc"])\n',
                         {"m.bzl": macros, "a.cc": _CLOCK})
        self.assertIn("deps = ALL + [\"//framework:calculator_framework\"])", new)
        self.assertEqual(self.found, [])

    def test_in_a_loop_a_label_is_added_only_where_no_turn_has_it(self):
        clock = '["//mediapipe/framework/deps:clock"]'
        for turns, alike in ((f'[("a", {clock}), ("b", {clock})]', True),
                             (f'{{"a": {clock}, "b": {clock}}}.items()', True),
                             (f'[("a", {clock}), ("b", [])]', False)):
            new = self.build(f"T = {turns}\n[cc_library(name = n, srcs = [\"a.cc\"], deps = d) "
                             "for n, d in T]\n", {"a.cc": _CLOCK})
            self.assertIn('deps = d + ["//framework:calculator_framework"]', new)
            self.assertEqual([f[:2] for f in self.found], [] if alike else [(2, True)], turns)
            if not alike:
                self.assertIn('":a" and what is made with it may need //framework/deps:clock: add '
                              "them where its deps come from, if they are not there",
                              self.found[0][2])

    def test_deps_of_which_nothing_is_known_get_none_and_a_line_says_so(self):
        for given in ("deps = NOBODY", "deps = D[:1]", "**dict(NOBODY)", '**{"deps": [":b"]}'):
            rule = (f'D = [":b"]\ncc_library(name = "a", srcs = ["a.cc"], {given})\n'
                    'filegroup(name = "b")\n')
            self.assertEqual(self.build(rule, {"a.cc": _CLOCK}), rule)
            (line, hand, text), = self.of_deps()
            self.assertEqual((line, hand), (2, True))
            self.assertIn("//framework/deps:clock, //framework:calculator_framework", text)
        self.assertIn('deps = ["//framework/deps:clock"', self.build(
            'T = {"alwayslink": 1}\ncc_library(name = "a", srcs = ["a.cc"], **T)\n',
            {"a.cc": _CLOCK}))
        self.assertEqual(self.of_deps(), [])

    def of_deps(self):
        """What the port found, but for ** in a BUILD file, which Bazel does not take."""
        return [f for f in self.found if "* or ** among arguments" not in f[2]]

    def test_what_a_macro_of_the_tree_gets_in_another_argument_is_there(self):
        macro = ("def lib(name, extra = [], deps = [], **kwargs):\n"
                 "    native.cc_library(name = name, deps = deps + extra, **kwargs)\n")
        new = self.build('load(":m.bzl", "lib")\nlib(name = "a", srcs = ["a.cc"], '
                         'extra = ["//mediapipe/framework/deps:clock"])\n',
                         {"m.bzl": macro, "a.cc": _CLOCK})
        self.assertIn('deps = ["//framework:calculator_framework"]', new)
        self.assertEqual(new.count("deps:clock"), 1)

    def test_a_file_that_only_a_macro_finds_has_a_line(self):
        self.assertEqual(self.deps('all(name = "a")', "all"), 'all(name = "a")')
        (line, hand, text), = self.found
        self.assertEqual((line, hand), (2, True))
        self.assertIn('"a.cc" is in no target that the port can read, and needs '
                      "//framework/deps:clock:", text)

    def test_groups_of_files_get_no_deps_but_who_compiles_them(self):
        new = self.build('filegroup(name = "g", srcs = ["a.cc", "a.h"])\n'
                         'genrule(name = "r", srcs = ["a.cc"], outs = ["b"], cmd = "")\n'
                         'cc_library(name = "a", srcs = [":g"])\n'
                         'cc_library(name = "b", srcs = ["//mediapipe/acme:a.cc"])\n',
                         {"a.cc": _CLOCK, "a.h": ""})
        deps = ',\n    deps = ["//framework/deps:clock", "//framework:calculator_framework"]'
        self.assertEqual(new, 'filegroup(name = "g", srcs = ["a.cc", "a.h"])\n'
                         'genrule(name = "r", srcs = ["a.cc"], outs = ["b"], cmd = "")\n'
                         f'cc_library(name = "a"{deps}, srcs = [":g"])\n'
                         f'cc_library(name = "b"{deps}, srcs = ["//acme:a.cc"])\n')
        self.assertEqual(self.found, [])

    def test_an_unknown_rule_gets_deps_only_beside_its_own(self):
        load = 'load("@bazel_skylib//x:y.bzl", "odd")\n'
        new = self.build(load + 'odd(name = "a", srcs = ["a.cc"])\n', {"a.cc": _CLOCK})
        self.assertNotIn("deps", new)


class FreeNamesTest(MacrosCase):
    """Macros of the tree whose targets have other names than that of the call."""
    FREE = (
        ('def m(names):\n    for n in names:\n        native.cc_library(name = n, srcs = [n + ".cc"'
         '], deps = ["//mediapipe/framework:calculator_framework"])\n', 'm(names = ["a", "b"])'),
        ('def m():\n    [native.cc_library(name = n, srcs = [n + ".cc"], deps = '
         '["//mediapipe/framework:calculator_framework"]) for n in ["a", "b"]]\n', "m()"),
        ('def m(*names):\n    for n in names:\n        one(name = n)\n'
         'def one(name):\n    native.cc_library(name = name, srcs = [name + ".cc"], deps = '
         '["//mediapipe/framework:calculator_framework"])\n', 'm("a_all", "b")'),
        ('def m(name):\n    x = "%s_%s" % ("a", name)\n    native.cc_library(name = x, srcs = '
         'native.glob(["*.cc"]), deps = ["//mediapipe/framework:calculator_framework"])\n',
         'm(name = "all")'))
    BOUND = ("x", 'name + "_x"', '"%s_%s" % (name, "x")', '"{}_x".format(name)',
             '"{n}_x".format(n = name)', '"{0}_x".format(name)')

    def test_labels_to_their_targets_stay_and_their_files_have_a_line(self):
        for macro, call in self.FREE:
            rest = 'filegroup(name = "y", srcs = [":a"], data = [":b_not"])\n'
            text = f'load(":m.bzl", "m")\n{call}\n{rest}'
            self.assertEqual(self.build(text, {"m.bzl": macro, "a.cc": _CLOCK, "far/BUILD": (
                'cc_library(name = "far", deps = ["//mediapipe/acme:a"])\n')}), text)
            self.assertIn((2, True, '"a.cc" is in no target that the port can read, and needs '
                           "//framework/deps:clock: add them to the deps of the target that has "
                           'it, in "mediapipe/acme/m.bzl"'), self.found)
            self.assertEqual(sorted(f[:2] for f in self.found), [(2, True), (3, False), (3, False)])
            self.assertIn('"//acme:b_not" may be made at mediapipe/acme/BUILD:2',
                          "".join(f[2] for f in self.found))
            far = self.results["mediapipe/acme/far/BUILD"]
            self.assertIn('deps = ["//acme:a"]', far.new)
            self.assertEqual([f.hand for f in far.findings], [False])

    def test_beside_macros_that_begin_with_their_name_a_label_that_leads_nowhere_goes(self):
        for name in self.BOUND:
            new = self.build(
                'load(":m.bzl", "m")\nm(name = "all")\n'
                'cc_library(name = "y", srcs = ["a.cc"], deps = [":all_x", ":none"])\n', {
                    "m.bzl": f'def m(name):\n    x = name\n    native.cc_library(name = {name})\n'
                             "    native.alias(name = name)\n", "a.cc": ""})
            self.assertIn('deps = [":all_x"]', new)
            self.assertEqual([f[:2] for f in self.found], [(3, True)], name)

    # What is in the .bzl file, and the call.
    NOT_SEEN = (
        ("def one(n):\n    native.filegroup(name = n)\n"
         "def m(name, names):\n    for n in names:\n        one(n)\n", 'm(name = "x", names = N)'),
        ("def m(tag, names):\n    for name in names:\n        native.filegroup(name = name)\n",
         'm("manual", N)'),
        ("def m(base, name):\n    native.filegroup(name = base)\n", 'm(name = "x", base = "a_u")'),
        ('def m(name, names):\n    for n in names:\n        args = {"name": n}\n'
         "        native.filegroup(**args)\n", 'm(name = "x", names = N)'),
        ("def m(name, names):\n    base = name\n    for base in names:\n"
         "        native.filegroup(name = base)\n", 'm(name = "x", names = N)'),
        ('def m(name):\n    name = name.replace("lib_", "")\n    native.filegroup(name = name)\n',
         'm(name = "lib_a_u")'),
        ('def m(**kwargs):\n    kwargs["name"] = "a_u"\n    native.filegroup(**kwargs)\n',
         'm(name = "x")'),
        ('def m(**kwargs):\n    kwargs.update(dict(name = "a_u"))\n'
         "    native.filegroup(**kwargs)\n",
         'm(name = "x")'),
        ("def m(name, make):\n    make(\"a_u\")\n", 'm(name = "x", make = 1)'),
        ('def m(name, kind):\n    R[kind](name = "a_u")\n', 'm(name = "x", kind = 1)'),
        ('def _m(name):\n    native.filegroup(name = "a_u")\nm = _m\n', 'm(name = "x")'),
        ('load(":o.bzl", o = "m")\nm = o\n', 'm(name = "x")'),
        ('load(":o.bzl", "lib")\ndef m(name):\n    lib.m(name = name)\n', 'm(name = "x")'),
        ("def _m():\n    native.filegroup(name = \"a_u\")\nm = struct(m = _m)\n", "m.m()"),
        ("m = made()\n", 'm(name = "x")'))
    SEEN = (
        "def m(**kwargs):\n    native.filegroup(**kwargs)\n",
        'def m(**kwargs):\n    kwargs["tags"] = []\n    kwargs.update(a = 1)\n    one(**kwargs)\n'
        "def one(name, tags, a):\n    native.filegroup(name = name)\n",
        'def m(**kwargs):\n    name = kwargs.pop("name")\n'
        "    native.filegroup(name = name, **kwargs)\n",
        'def m(**kwargs):\n    native.filegroup(name = kwargs["name"] + "_x")\n',
        'def m(name, d = {}):\n    name += "_x"\n    native.filegroup(name = name, **d)\n',
        "def m(name, make = native.filegroup):\n    make(name = name)\n    print(len(name))\n",
        'def m(name, x = 1):\n    n = name + "_a" if x else name\n    one([], n)\n'
        "def one(srcs, n):\n    native.filegroup(name = n, srcs = srcs + native.glob([]))\n",
        "def _m(name):\n    native.filegroup(name = name)\nm = _m\n",
        "m = rule(implementation = 1)\n",
        'load(":o.bzl", "m2")\nm = m2\n',
        'load("//tools:x.bzl", "paths")\ndef m(name):\n    native.filegroup(name = name, '
        'srcs = [paths.join("a", name)])\n')

    def test_what_is_not_seen_to_be_named_by_its_call_may_make_any_label(self):
        other = 'def m(name):\n    native.filegroup(name = "a_u")\nlib = struct(m = m)\n'
        for macro, call in self.NOT_SEEN:
            text = (f'load(":m.bzl", "m")\nN = ["a_u"]\n{call}\n'
                    'filegroup(name = "y", srcs = [":a_u"])\n')
            self.assertEqual(self.build(text, {"m.bzl": macro, "o.bzl": other}), text)
            self.assertEqual([f[:2] for f in self.found], [(4, False)], macro)

    def test_what_is_seen_to_be_named_by_its_call_makes_no_other_label(self):
        for macro in self.SEEN:
            new = self.build(
                'load(":m.bzl", "m")\nm(name = "all")\n'
                'cc_library(name = "y", srcs = ["a.cc"], deps = [":all", ":none"])\n', {
                    "m.bzl": macro, "a.cc": "",
                    "o.bzl": "def m2(name):\n    native.filegroup(name = name)\n"})
            self.assertIn('deps = [":all"]', new, macro)

    def test_of_what_is_called_by_no_name_of_a_macro_nothing_is_known(self):
        bzl = ('def s(name, names):\n    for n in names:\n        native.filegroup(name = n)\n'
               "lib = struct(s = s)\nM = {1: s}\nFS = [s]\ndef make():\n    return s\n")
        for name, call in (("lib", 'mk = lib.s\nmk(name = "x", names = ["a_u"])'),
                           ("s", 'mk = s\nmk(name = "x", names = ["a_u"])'),
                           ("M", '\nM[1](name = "x", names = ["a_u"])'),
                           ("FS", '\n[f(name = "x", names = ["a_u"]) for f in FS]'),
                           ("make", '\nmake()(name = "x", names = ["a_u"])')):
            text = f'load(":m.bzl", "{name}")\n{call}\nfilegroup(name = "y", srcs = [":a_u"])\n'
            self.assertEqual(self.build(text, {"m.bzl": bzl}), text)
            self.assertEqual([f[:2] for f in self.found], [(4, False)], call)
        for name in ('"s"', 'mk = "s"'):
            called = name.partition(" ")[0].strip('"')
            text = (f'load(":m.bzl", {name})\n{called}(name = "x", names = ["a_u"])\n'
                    'filegroup(name = "y", srcs = [":a_u"])\n')
            self.assertEqual(self.build(text, {"m.bzl": bzl}), text)

    RULES = ('a = rule(attrs = {"out": attr.output()})\n'
             'b = rule(attrs = {"to": attr.output_list()})\n')
    FILES = (  # what is called, and what is in the .bzl file
        ('genrule(name = "g", outs = UNKNOWN)', ""),
        ('genrule(name = "g", outs = outs("a"))', 'def outs(n):\n    return [n + "_t.h"]\n'),
        ('m(name = "g")', 'def m(name):\n    native.genrule(name = name, outs = ["a_t.h"])\n'),
        ('m(name = "g", to = "a_t.h")', "def m(name, to):\n    one(name = name, to = [to])\n"
         "def one(name, to):\n    native.genrule(name = name, outs = to)\n"),
        ('b(name = "g", to = ["a_t.h"])', RULES),
        ('m(name = "g")', 'def m(name):\n    b(name = name, to = ["a_t.h"])\n' + RULES))
    SAID = (
        ('N = ["a"]\ngenrule(name = "g", outs = [n + "_t.h" for n in N])', ""),
        ('D = {"a": 1}\ngenrule(name = "g", outs = ["%s_t.h" % n for n in D] + ["x.h"])', ""),
        ('genrule(name = "g", outs = ["x.h"] + select({":c": ["a_t.h"]}))', ""),
        ('[genrule(name = n, outs = [n + "_t.h"]) for n in ["a"]]', ""),
        ('a(name = "g", out = "a_t.h")', RULES),
        ('m(name = "g", outs = ["a_t.h"])', "def m(name, outs):\n    native.genrule(name = name, "
         'outs = outs)\n'),
        ('m(name = "a")', "def m(name):\n    native.genrule(name = name, "
         'outs = [name + "_t.h"])\n'))

    def test_a_target_of_a_file_that_something_may_make_stays(self):
        for call, bzl in self.FILES + self.SAID:
            loads = ", ".join(f'"{name}"' for name in ("outs", "m", "a", "b") if name + "(" in call)
            text = ((f'load(":m.bzl", {loads})\n' if loads else "\n") + call.lstrip() + "\n"
                    'filegroup(name = "x", srcs = ["a_t.h"])\n'
                    'filegroup(name = "y", srcs = [":x", ":a_t.h"])\n')
            self.assertEqual(self.build(text, {"m.bzl": bzl}), text)
            notes = 0 if (call, bzl) in self.SAID else 2
            self.assertEqual([f[1] for f in self.found if "may be made" in f[2]], [False] * notes,
                             call)

    def test_of_several_macros_a_file_is_of_the_one_that_names_it(self):
        macro = self.FREE[0][0]
        self.build('load(":m.bzl", "m")\nm(names = ["b"])\nm(names = ["a"])\n',
                   {"m.bzl": macro, "a.cc": _CLOCK})
        self.assertEqual([f[:2] for f in self.found], [(3, True)])

    def test_a_long_row_of_macros_is_not_followed_to_its_end(self):
        for length, kept in ((3, ""), (700, '":none"')):
            bzl = "".join(f"def m{i}(name):\n    m{i + 1}(name = name)\n" for i in range(length))
            new = self.build('load(":m.bzl", "m0")\nm0(name = "all")\n'
                             'cc_library(name = "y", srcs = ["a.cc"], deps = [":none"])\n',
                             {"m.bzl": bzl + f"def m{length}(name):\n    pass\n", "a.cc": ""})
            self.assertIn(f"deps = [{kept}]", new)

    def test_macros_that_call_each_other_without_end_are_survived(self):
        macro = "def m(name):\n    n(name = name)\ndef n(name):\n    m(name = name)\n"
        text = 'load(":m.bzl", "m")\nm(name = "a")\nfilegroup(name = "y", srcs = [":a"])\n'
        self.assertEqual(self.build(text, {"m.bzl": macro}), text)


class ArgumentsTest(MacrosCase):
    """Arguments that a macro of the tree hands on to what does not know them."""

    def test_what_is_handed_on_and_not_known_goes(self):
        bzl = ('load("//mediapipe/framework/port:build_config.bzl", "mediapipe_proto_library")\n'
               'def my_lib(name, **kwargs):\n    own = kwargs.pop("own", 1)\n'
               "    native.cc_library(name = name, **kwargs)\n"
               "def my_proto(name, **kwargs):\n"
               "    mediapipe_proto_library(name = name, **kwargs)\n")
        text = ('load(":m.bzl", "my_lib", "my_proto")\n'
                'my_lib(name = "a", own = 2, srcs = ["a.cc"], aspect_hints = [], '
                'implementation_deps = [":b"])\n'
                'my_proto(name = "b", visibility = [], gone = 1)\n')
        self.assertEqual(self.build(text, {"m.bzl": bzl, "a.cc": ""}).partition("\n")[2],
                         'my_lib(name = "a",\n    deps = [":b"], own = 2, srcs = ["a.cc"])\n'
                         'my_proto(name = "b")\n')
        self.assertEqual([f[:2] for f in self.found], [(2, False), (2, False), (3, False),
                                                       (3, False)])

    def test_implementation_deps_within_a_macro_are_deps_or_told(self):
        bzl = ("def a(name, x, y):\n    native.cc_library(name = name, implementation_deps = %s)\n"
               "    native.cc_library(name = name, implementation_deps = y, deps = x)\n")
        self.build("", {"m.bzl": bzl % '["//mediapipe/framework:subgraph"]'})
        result = self.results["mediapipe/acme/m.bzl"]
        self.assertEqual(result.new, (bzl % '["//framework:subgraph"]').replace(
            "implementation_deps", "deps", 1))
        self.assertEqual([tuple(f)[:2] for f in result.findings if f.line > 1],
                         [(2, False), (3, True)])


class MadeTest(MacrosCase):

    def test_a_header_that_a_macro_may_make_lies_in_the_tree(self):
        for header, new, hand in (("made_a.h", "x/acme/made_a.h", False),
                                  ("other.h", "acme/other.h", True)):
            self.build('load(":m.bzl", "m")\nm(name = "made")\n', {
                "m.bzl": 'def m(name):\n    native.genrule(name = name, outs = [name + "_a.h"])\n',
                "a.cc": f'#include "mediapipe/acme/{header}"\n'}, at="x")
            result = self.results["mediapipe/acme/a.cc"]
            self.assertEqual(result.new, f'#include "{new}"\n')
            self.assertEqual([tuple(f)[:2] for f in result.findings][:1], [(1, hand)])


class LoadsTest(MacrosCase):

    def test_a_neighbour_that_did_not_come_along_is_synclines(self):
        text = 'load(":build_config.bzl", "mediapipe_proto_library")\n'
        self.assertEqual(self.build(text, {}, "mediapipe/framework/port", at="x"),
                         'load("//framework/port:build_config.bzl", "syncline_proto_library")\n')
        self.assertEqual(self.found, [])

    def test_a_neighbour_that_nobody_has_is_commented_out_with_what_needs_it(self):
        text = 'load(":gone.bzl", "x", y = "z")\nx(name = "a")\ny(name = "b")\n'
        self.assertEqual(self.build(text, {}), "".join(f"# {line}\n" for line in text.splitlines()))
        self.assertEqual([f[:2] for f in self.found], [(1, True), (2, True), (3, True)])

    def test_of_a_load_by_other_names_the_missing_goes(self):
        self.assertEqual(self.build(
            'load("//mediapipe/framework/port:build_config.bzl", p = "mediapipe_proto_library", '
            'q = "mediapipe_gone")\nq(name = "b")\np(name = "a_proto")\n', {}),
            'load("//framework/port:build_config.bzl", p = "syncline_proto_library")\n'
            '# q(name = "b")\np(name = "a_proto")\n')


    def test_names_within_a_macro_stay(self):
        bzl = ('def %s_lib(name, mediapipe_srcs, **mediapipe_rest):\n    mediapipe_x = [name]\n'
               "    for mediapipe_y in mediapipe_x:\n"
               "        %s_other(srcs = mediapipe_srcs + [mediapipe_y], **mediapipe_rest)\n"
               "def %s_other(srcs):\n    pass\n")
        self.build("", {"m.bzl": bzl % (("mediapipe",) * 3)})
        self.assertEqual(self.results["mediapipe/acme/m.bzl"].new, bzl % (("syncline",) * 3))


class CyclesTest(MacrosCase):
    """Targets that lead to each other."""

    def test_a_cycle_has_a_line_where_it_begins(self):
        text = ('cc_library(name = "x", srcs = ["a.cc"], deps = [":a"])\n'
                'cc_library(name = "a", srcs = ["a.cc"], deps = ["//mediapipe/acme/b"])\n')
        other = ('cc_library(name = "b", srcs = ["b.cc"], deps = select({\n'
                 '    "//mediapipe:android": [], "//conditions:default": [":c"]}))\n'
                 'alias(name = "c", actual = "//mediapipe/acme:a")\n')
        self.build(text, {"a.cc": "", "b/b.cc": "", "b/BUILD": other})
        (line, hand, told), = self.results["mediapipe/acme/b/BUILD"].findings
        self.assertEqual((line, hand), (1, True))
        self.assertIn('"//acme/b" -> "//acme/b:c" -> "//acme:a" -> "//acme/b"', told)
        self.assertEqual(self.found, [])

    def test_what_is_made_and_what_is_grouped_leads_on_too(self):
        self.build('genrule(name = "g", srcs = [":f"], outs = ["a.cc"], cmd = "")\n'
                   'filegroup(name = "f", srcs = ["a.cc"])\n', {"x.cc": ""})
        (line, hand, told), = self.found
        self.assertEqual((line, hand), (1, True))
        self.assertIn('"//acme:a.cc" -> "//acme:g" -> "//acme:f" -> "//acme:a.cc"', told)

    def test_branches_that_are_never_taken_close_none(self):
        self.build('cc_library(name = "a", srcs = ["a.cc"], deps = [":b"])\n'
                   'cc_library(name = "b", srcs = ["a.cc"], deps = select({\n'
                   '    "//mediapipe:android": [":a"], "//conditions:default": []}))\n'
                   'sh_test(name = "t.sh", srcs = ["t.sh"])\n', {"a.cc": "", "t.sh": ""})
        self.assertEqual(self.found, [])

    def test_a_dep_that_leads_back_is_not_added(self):
        text = 'cc_library(name = "a", srcs = ["a.cc"])\n'
        self.assertEqual(self.build(text, {"a.cc": '#include "mediapipe/framework/deps/timer.h"\n'},
                                    "mediapipe/framework/deps"), text)
        (line, hand, told), = self.found
        self.assertEqual((line, hand), (1, True))
        self.assertIn('"//framework/deps:a" needs //framework/deps:timer, which leads back', told)


class ForeignTest(MacrosCase):
    """Rules that Bazel has itself, for what is not built here."""

    def test_targets_for_phones_are_commented_out_and_told(self):
        text = ('objc_library(name = "a", srcs = ["a.mm"])\n'
                'android_library(name = "b", srcs = ["B.kt"])\n'
                'java_library(name = "c", srcs = ["C.java"])\n')
        self.assertEqual(self.build(text, {"a.mm": "", "B.kt": "", "C.java": ""}),
                         "".join(f"# {line}\n" for line in text.splitlines()))
        self.assertEqual([f[:2] for f in self.found], [(1, True), (2, True), (3, True)])
        self.assertIn('":a" is of objc_library, and is commented out', self.found[0][2])

    def test_those_whose_files_are_elsewhere_only_count(self):
        text = 'objc_library(name = "ios_a", srcs = ["ios_a.mm"])\n'
        self.assertEqual(self.build(text, {"x.h": ""}), "# " + text)
        self.assertEqual([f[:2] for f in self.found], [(1, False)])

    def test_a_target_of_a_macro_of_the_tree_without_its_file_is_absent_too(self):
        text = 'load(":m.bzl", "lib")\nlib(name = "eps", srcs = ["eps.cc"])\n'
        self.assertEqual(self.build(text, {"m.bzl": "def lib(name, srcs):\n    pass\n"}),
                         text.replace("\nlib", "\n# lib"))

    def test_a_macro_of_the_tree_of_that_name_is_its_own(self):
        text = 'load(":m.bzl", "ios_lib")\nios_lib(name = "a", srcs = ["a.cc"])\n'
        self.assertEqual(self.build(text, {
            "m.bzl": "def ios_lib(name, srcs):\n    pass\n", "a.cc": ""}), text)
        self.assertEqual(self.found, [])


if __name__ == "__main__":
    unittest.main()
