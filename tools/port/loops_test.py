"""Loops in BUILD files, and what they go through: lists of the file and of its .bzl files."""
import ast
import time
import unittest
from unittest import mock

from port import build_values, own_globs
from port.build_values import Number
from port.testing import PortCase

_DEEP = 1005  # Python calls functions within functions up to 1000 deep
_CLOCK = ('#include "mediapipe/framework/calculator_framework.h"\n'
          "namespace mediapipe { Clock* clock; }\n")
_CHECKOUT = {"framework/deps/clock.h": "",
             "framework/deps/BUILD": 'cc_library(name = "clock", hdrs = ["clock.h"])\n'}
_ADDED = '"//framework/deps:clock", "//framework:calculator_framework"'


class ValuesTest(unittest.TestCase):
    """What an expression is worth."""

    def value(self, text, **variables):
        return build_values.value(ast.parse(text, mode="eval").body, variables)

    def test_comprehensions_go_through_what_their_conditions_let_by(self):
        for text, expected in (
                ('[(n, n + ".h") for n in L]', [["a", "a.h"], ["b", "b.h"]]),
                ('[n + m for n in L for m in ["x", "y"]]', ["ax", "ay", "bx", "by"]),
                ('[n for n in L if n != "a"]', ["b"]),
                ('[n for n in L if n == "a" or not n in ["a", "b"]]', ["a"]),
                ('[n for n in L if n not in ["b"] and n.startswith("a")]', ["a"]),
                ('[n for n in L if n.endswith("b")]', ["b"]),
                ('[n for n in L if T.get(n)]', None), ("[n for n in UNKNOWN]", None)):
            self.assertEqual(self.value(text, L=["a", "b"], T=None), expected, text)

    def test_entries_and_parts(self):
        for text, expected in (
                ("L[0]", "a"), ("L[-1]", "b"), ("L[2]", None), ("L[-3]", None), ("L[n]", None),
                ('{"a": "x", "b": "y"}["b"]', "y"), ('{"a": "x"}["c"]', None),
                ('"a_test.cc"[:-3]', "a_test"), ('"abc"[1:]', "bc"), ('"abc"[::2]', None),
                ("L[:1]", ["a"]), ("L[1:]", ["b"]), ("L[::2]", None), ("UNKNOWN[:1]", None),
                ('"ab"[i]', "b"), ("L[i]", "b"), ("L[j]", None),
                ('"a.cc".replace(".cc", ".h")', "a.h"), ('"A".lower()', "a"),
                ('{"a": "x"}.values()', ["x"]), ("list(enumerate(L))", [["0", "a"], ["1", "b"]]),
                ('zip(L, ["x", "y"])', [["a", "x"], ["b", "y"]]), ("zip(L, UNKNOWN)", None),
                ('sorted(["b", "a"])', ["a", "b"]), ('"x" if "a" in L else "y"', "x"),
                ('"x" if UNKNOWN else "y"', None)):
            self.assertEqual(self.value(text, L=["a", "b"], i=Number(1), j="-x"), expected, text)

    def test_numbers_are_counted_as_numbers(self):
        for text, expected in (
                ('"x%d" % (i * 2)', "x6"), ('"x%d" % (i + i)', "x6"), ('"x%d" % (1 + i)', "x4"),
                ('"x" + str(i - 5)', "x-2"), ('"%s" % (i // 2)', "1"), ('"%s" % (i % 2)', "1"),
                ('"a" if zero else "b"', "b"), ('"a" if not zero else "b"', "a"),
                ('"a" if i == 3 else "b"', "a"), ('"a" if 2 < i else "b"', "a"),
                ('"a" if i == "3" else "b"', None), ('"a" + i', None), ("i * L", None),
                ("i // zero", None), ("i % zero", None), ("i * 2000000000", None),
                ('"x%d" % len(L)', "x2"), ("range(len(L))", ["0", "1"]),
                ("range(zero, i, 2)", ["0", "2"]),
                ("[n for n in range(12) if n > 9]", ["10", "11"]),
                ("sorted(range(8, 12))", ["8", "9", "10", "11"])):
            self.assertEqual(self.value(text, L=["a", "b"], i=Number(3), zero=Number(0)), expected,
                             text)

    def test_keywords_count(self):
        for text, expected in (
                ('sorted(["a", "c", "b"], reverse = True)', ["c", "b", "a"]),
                ('sorted(["b", "a"], reverse = False)', ["a", "b"]),
                ("sorted(L, reverse = UNKNOWN)", None), ("sorted(L, key = len)", None),
                ("enumerate(L, start = 1)", None), ("sorted([UNKNOWN, 'a'])[:1]", [None])):
            self.assertEqual(self.value(text, L=["a", "b"]), expected, text)

    def test_lists_that_change_after_their_assignment(self):
        for text, expected in (
                ('N += ["b"]', ["a", "b"]), ('N.append("b")', ["a", "b"]), ('N.extend(["b", "c"])',
                 ["a", "b", "c"]), ("N += UNKNOWN", None), ("N.extend(UNKNOWN)", None),
                ('N.insert(0, "b")', None), ('N[0] = "b"', None), ("x = N.pop()", None),
                ('[N.append(x) for x in ["b"]]', None), ('M.append("b")', ["a", "b"]),
                ('M += ["b"]', ["a", "b"]), ("M.clear()", None), ('D["k"] = 1', ["a"]),
                ('def f():\n    N.append("b")', ["a"]), ('N.append("b")\nN = ["c"]', ["c"])):
            tree = ast.parse('N = ["a"]\nM = N\nD = {"x": 1}\n' + text)
            self.assertEqual(build_values.assigned(tree)["N"], expected, text)
        for text in ('D["b"] = 2', 'D.update({"b": 2})', 'D.setdefault("b", 2)'):
            self.assertIsNone(build_values.assigned(ast.parse('D = {"a": 1}\n' + text))["D"])

    def test_lists_that_are_turned_round_repeated_and_put_together(self):
        for text, expected in (
                ("reversed(L)", ["b", "a"]), ("reversed(UNKNOWN)", None),
                ('"a b".split(" ")', ["a", "b"]), ('"a b".split("")', None),
                ('"a b".split()', None), ('"ab".elems()', ["a", "b"]),
                ('["x"] * 2 + L', ["x", "x", "a", "b"]), ("L * 0", []), ('"x" * 2', "xx"),
                ("L * n", None), ('{"a": 1} * 2', None), ('"-".join(L)', "a-b"),
                ('"".join([])', ""), ('"".join([UNKNOWN])', None), ('"".join("ab")', None),
                ('{"k": L}.get("k", [])', ["a", "b"]), ('{"k": L}.get("x", [])', []),
                ('{"k": L}.get("x")', None), ('{UNKNOWN: L}.get("x", [])', None),
                ('{"k": L}.get(UNKNOWN, [])', None)):
            self.assertEqual(self.value(text, L=["a", "b"]), expected, text)

    def test_what_would_grow_without_end_is_not_known(self):
        long, many = "x" * 15000, [str(i) for i in range(15000)]
        for text in ("[n + LONG for n in MANY]", "[n for n in MANY for m in MANY]",
                     "[[m for m in MANY] for n in MANY]", 'LONG.replace("x", LONG)',
                     "MANY + MANY", "LONG + LONG", "MANY[:2]", "reversed(MANY)", "LONG * 2000",
                     '["x"] * 2000000000', 'LONG.split("x")', "LONG.elems()", '"".join(MANY)',
                     "LONG.join(LONG.split('y') * 9)"):
            self.assertIsNone(self.value(text, LONG=long, MANY=many), text)


class GlobTest(unittest.TestCase):
    """Which files a pattern finds."""
    FILES = ("a.h", "b/a.h", "b/c/a.h", "b/c/ab.cc", "b/c/d/aab.h", "c/b/x")

    def found(self, pattern, files=FILES):
        return [file for file in files if file in own_globs.matching(files, "", pattern)]

    def test_stars(self):
        for pattern, expected in (
                ("*.h", ["a.h"]), ("**/*.h", ["a.h", "b/a.h", "b/c/a.h", "b/c/d/aab.h"]),
                ("b/**", ["b/a.h", "b/c/a.h", "b/c/ab.cc", "b/c/d/aab.h"]), ("?/?.h", ["b/a.h"]),
                ("b/**/c/*", ["b/c/a.h", "b/c/ab.cc"]), ("**/c/**/a*b.h", ["b/c/d/aab.h"]),
                ("**/b/**/d/**", ["b/c/d/aab.h"]), ("*/*/*a*b*", ["b/c/ab.cc"]),
                ("**", list(self.FILES)), ("**/b/?", ["c/b/x"]), ("a.h", ["a.h"]), ("x*", [])):
            self.assertEqual(self.found(pattern), expected, pattern)

    def test_many_stars_take_no_time(self):
        for file, pattern in (("a" * 240 + ".h", "*a*a*a*a*a*a*a*b"), ("a" * 240, "*a" * 90 + "b"),
                              ("a/" * 200 + "f", "**/a" * 40 + "/x"),
                              ("a" * 9000, "*" * 9000 + "b")):
            self.assertEqual(self.found(pattern, (file,)), [])


class BudgetTest(PortCase):
    """Files of a few lines that ask for more than anybody waits for."""
    R = 'R = ["x%s" % i for i in range(15000)]\n'

    def port_in_time(self, text):
        start = time.process_time()
        result = self.port({"mediapipe/acme/BUILD": text, "mediapipe/acme/a.h": "#pragma once\n"})[
            "mediapipe/acme/BUILD"]
        self.assertLess(time.process_time() - start, 10, text)
        return [f.text for f in result.findings]

    def test_what_would_take_long_is_not_read(self):
        rule = '[cc_library(name = a, hdrs = ["a.h"]) for a in R %s]\n'
        for text in (self.R + rule % "for b in R if a == b", self.R + rule % "if sorted(R)[0] == a",
                     self.R + rule % "if a not in [b for b in R if b != a]",
                     "".join(f'C{i} = "c"\n' for i in range(2000)) + self.R + rule % ""):
            self.assertIn("what this loop goes through is not known", "".join(
                self.port_in_time(text)), text[-100:])

    def test_all_loops_of_a_file_share_a_limit(self):
        self.assertEqual(build_values.STEPS, 400000)
        loops = 'R = ["x%s" % i for i in range(1000)]\n' + "".join(
            f'[cc_library(name = "{i}_" + a, hdrs = ["a.h"]) for a in R]\n' for i in range(60))
        with mock.patch.object(build_values, "STEPS", 40000):
            told = self.port_in_time(loops)
        self.assertEqual(told, ["what this loop goes through is not known: the port has read none "
                                "of its targets"] * 57)

    def test_a_long_row_of_targets_that_need_each_other(self):
        start = time.process_time()
        for before, after in (("i", "i + 1"), ("i + 1", "i")):
            text = (f'[cc_library(name = "e%d" % ({before}), srcs = ["a.cc"], deps = [":e%d" % '
                    f'({after})]) for i in range(4000)]\n')
            new = self.port({"mediapipe/acme/BUILD": text, "mediapipe/acme/a.cc": _CLOCK},
                            checkout=_CHECKOUT)["mediapipe/acme/BUILD"].new
            self.assertIn(_ADDED, new)
        self.assertLess(time.process_time() - start, 15)

    def test_texts_that_grow_in_each_other_are_not_known(self):
        for grow in ('"%s%s%s%s" % (S, S, S, S)', '"{0}{0}{0}{0}".format(S)', "S + S + S"):
            self.port_in_time('S = "aaaaaaaa"\n' + f"S = {grow}\n" * 40 +
                              'cc_library(name = S, hdrs = ["a.h"])\n')


class LoopsCase(PortCase):

    def build(self, text, files=(), **options):
        """What becomes of the BUILD file of a folder with these files."""
        files = {"a.cc": _CLOCK, "b.cc": "int b;\n", **dict(files)}
        results = self.port({"mediapipe/acme/BUILD": text, "mediapipe/other/m.bzl": "N = 1\n",
                             **{f"mediapipe/acme/{name}": t for name, t in files.items()}},
                            checkout=_CHECKOUT, **options)
        self.found = [(f.line, f.text) for f in results["mediapipe/acme/BUILD"].findings]
        return results["mediapipe/acme/BUILD"].new


class ChangedTest(LoopsCase):
    """Lists and numbers of which a file makes other ones before a loop uses them."""
    RULE = '[cc_library(name = n + "_u", srcs = [n + ".cc"]) for n in %s]\n'
    TOP = 'cc_library(name = "top", deps = [":a_u", ":b_u"])\n'

    def test_labels_stay_of_what_loops_over_them_make(self):
        for before, names in (
                ('N = ["a"]\nN += ["b"]\n', "N"), ('N = ["a"]\nN.append("b")\n', "N"),
                ('N = ["a"]\nN.extend(["b"])\n', "N"), ('D = {"a": 1}\nD["b"] = 2\n', "D"),
                ('D = {"a": 1}\nD.update({"b": 2})\n', "D.keys()"),
                ("", 'sorted(["0", "a", "b"], reverse = True)[:2]'),
                ("", '["ab"[i] for i in range(2)]'),
                ("", '["b" if i else "a" for i in range(2)]')):
            new = self.build(before + self.RULE % names + self.TOP)
            self.assertIn('deps = [":a_u", ":b_u"]', new, before + names)
            self.assertEqual([f for f in self.found if "left out of deps" in f[1]], [])

    def test_numbers_in_names_are_those_that_bazel_counts(self):
        for made_of, names in (("i * 2 for i in range(1, 3)", (2, 4)),
                               ("i + j for i in range(2) for j in range(1, 2)", (1, 2)),
                               ("i for i in range(2) if not i", (0,))):
            value, _, loops = made_of.partition(" for ")
            deps = ", ".join(f'":x{name}"' for name in names)
            new = self.build(f'[cc_library(name = "x%d" % ({value}), srcs = ["b.cc"]) for '
                             f'{loops}]\ncc_library(name = "top", deps = [{deps}])\n')
            self.assertIn(f"deps = [{deps}]", new)
            self.assertEqual(self.found, [])


class LoadedTest(LoopsCase):
    """Lists that a BUILD file loads from a .bzl file of the tree."""
    LOOP = '[cc_library(name = n, srcs = [n + ".cc"]) for n in %s]\n'
    PORTED = ('[cc_library(name = n,\n    deps = [' + _ADDED + '], srcs = [n + ".cc"]) '
              'for n in %s]\n')

    def test_a_loop_over_a_loaded_list_is_gone_through(self):
        for label in (":m.bzl", "//mediapipe/acme:m.bzl", "@mediapipe//mediapipe/acme:m.bzl"):
            for names, used in (('"N"', "N"), ('M = "N"', "M"), ('"T"', "T.keys()"),
                                ('"P"', "[p[0] for p in P]")):
                new = self.build(f'load("{label}", {names})\n' + self.LOOP % used, {
                    "m.bzl": 'N = ["a", "b"]\nT = {"a": 1, "b": 2}\nP = [(n, "x") for n in N]\n'})
                self.assertEqual(new.partition("\n")[2], self.PORTED % used)
                self.assertEqual(self.found, [])

    def test_a_list_may_come_through_several_files(self):
        bzl = {"m.bzl": 'load(":o.bzl", L = "N")\nN = L + ["b"]\n', "o.bzl": 'N = ["a"]\n'}
        new = self.build('load(":m.bzl", "N")\n' + self.LOOP % "N", bzl)
        self.assertEqual((new.partition("\n")[2], self.found), (self.PORTED % "N", []))

    def test_a_long_row_of_loads_and_one_without_end_are_survived(self):
        for length, last, ported in ((_DEEP, 'N = ["a", "b"]\n', self.PORTED),
                                     (3, 'load(":0.bzl", "N")\n', self.LOOP)):
            row = {f"{i}.bzl": f'load(":{i + 1}.bzl", "N")\nN = N\n' for i in range(length)}
            new = self.build('load(":0.bzl", "N")\n' + self.LOOP % "N",
                             {**row, f"{length}.bzl": last})
            self.assertEqual(new.partition("\n")[2], ported % "N")

    def test_labels_that_a_loop_over_a_loaded_list_puts_together_are_looked_up(self):
        bzl = {"m.bzl": 'N = ["a", "b"]\n'}
        text = ('load(":m.bzl", "N")\n' + self.LOOP % "N" +
                'cc_library(name = "all", deps = ["//mediapipe/acme:%s" % n for n in N])\n')
        self.assertIn('deps = ["//acme:%s" % n for n in N])', self.build(text, bzl))
        self.assertEqual(self.found, [])
        self.build(text.replace(":%s", ":%s_not"), bzl)
        self.assertEqual([f[0] for f in self.found], [3, 3])

    def test_of_a_loaded_list_what_has_no_file_goes(self):
        bzl = {"m.bzl": 'N = ["a", "b", "c"]\n'}
        new = self.build('load(":m.bzl", "N")\n' + self.LOOP % "N", bzl)
        self.assertEqual(new.partition("\n")[2], self.PORTED % '["a", "b"]')

    def test_a_list_that_cannot_be_told_leaves_a_line_at_its_loop(self):
        for last in ("", 'm(name = "c")\n'):
            self.build('load(":m.bzl", "N", "m")\n' + self.LOOP % "N" + last,
                       {"m.bzl": "N = f()\ndef m(name):\n    pass\n"})
            self.assertEqual([f[0] for f in self.found], [2, 2])
            self.assertIn('"a.cc" is in no target that the port can read', self.found[1][1])
        self.build('filegroup(name = "x")\n')
        self.assertEqual(self.found, [])


class UnreadTest(LoopsCase):
    """Labels to what a loop may make that the port cannot read."""
    LOOPS = ('[cc_library(name = n + "_x", hdrs = [n]) for n in UNKNOWN]',
             '[cc_library(name = f(n), hdrs = [n]) for n in ["a", "b"]]',
             '[(cc_library(name = n + "_x"), cc_test(name = n + "_y")) for n in ["a", "b"]]',
             'cc_library(name = f("a_x"))')

    def test_labels_to_it_stay_with_a_note_in_all_packages(self):
        for loop in self.LOOPS:
            text = ('\ncc_library(name = "y", srcs = [":s_x"], deps = [":a_x", '
                    '"//mediapipe/acme:b_x"])\nalias(name = "z", actual = ":c_x")\n')
            far = 'cc_library(name = "far", deps = ["//mediapipe/acme:a_x"])\n'
            results = self.port({"mediapipe/acme/BUILD": loop + text,
                                 "mediapipe/acme/far/BUILD": far})
            near, far = (results[f"mediapipe/acme/{f}BUILD"] for f in ("", "far/"))
            self.assertEqual(near.new, loop + text.replace("//mediapipe/", "//"))
            self.assertIn('deps = ["//acme:a_x"]', far.new)
            (line, hand, told), = far.findings
            self.assertEqual((line, hand), (1, False))
            self.assertIn('"//acme:a_x" may be made at mediapipe/acme/BUILD:1', told)
            told = [(f.line, f.text.partition(" ")[0]) for f in near.findings
                    if "may be made at mediapipe/acme/BUILD:1" in f.text and not f.hand]
            self.assertEqual(sorted(told), [(2, '"//acme:a_x"'), (2, '"//acme:b_x"'),
                                            (2, '"//acme:s_x"'), (3, '"//acme:c_x"')])
            self.assertFalse([f for f in near.findings if f.hand])

    def test_files_that_it_may_make_stay_too(self):
        text = ('[genrule(name = f(n), outs = [f(n) + ".txt"]) for n in UNKNOWN]\n'
                'filegroup(name = "y", srcs = ["a.txt"])\n'
                'genrule(name = "z", srcs = [":a_x", "b.txt"], outs = ["z.txt"])\n')
        self.assertEqual(self.build(text, {"a.cc": ""}), text)
        self.assertEqual([(line, told.partition(" ")[0]) for line, told in self.found[-3:]],
                         [(2, '"//acme:a.txt"'), (3, '"//acme:a_x"'), (3, '"//acme:b.txt"')])

    def test_of_what_is_found_there_is_no_note(self):
        text = ('[cc_library(name = n + "_x") for n in UNKNOWN]\n'
                'cc_library(name = "y", srcs = ["a.cc"], deps = [":z", '
                '"//mediapipe/framework:subgraph"], visibility = ["//mediapipe/acme:__pkg__"])\n'
                'cc_library(name = "z", srcs = ["b.cc"], data = ["b.cc", "//mediapipe/acme:b.cc"])'
                '\nalias(name = "w", actual = ":z")\n')
        self.assertIn('deps = [":z", "//framework/deps:clock", '
                      '"//framework:calculator_framework", "//framework:subgraph"]',
                      self.build(text))
        self.assertFalse([text for _, text in self.found if "may be made" in text])

    def test_beside_loops_that_are_read_a_label_that_leads_nowhere_goes(self):
        text = ('[cc_library(name = n + "_x", srcs = [n + ".cc"]) for n in ["a", "b"]]\n'
                'cc_library(name = "y", srcs = ["a.cc"], deps = [":a_x", ":c_x"])\n')
        self.assertNotIn("c_x", self.build(text))
        self.assertEqual([line for line, _ in self.found], [2])
        self.assertIn("it is left out of deps", self.found[0][1])


class ConditionsTest(LoopsCase):
    """Loops with conditions, and loops over loops."""

    def test_what_a_condition_leaves_out_is_no_target(self):
        loop = '[cc_library(name = n, srcs = [n + ".cc"]) for n in ["a", "b", "c"] if n != "c"]\n'
        self.assertIn('for n in ["a", "b", "c"] if n != "c"]', self.build(loop))
        self.assertEqual(self.found, [])

    def test_a_condition_that_cannot_be_told_leaves_nothing_out(self):
        loop = '[cc_library(name = n, srcs = [n + ".cc"]) for n in ["a", "c"] if f(n)]\n'
        self.assertIn('for n in ["a"] if f(n)]', self.build(loop))

    def test_a_loop_over_a_part_of_a_list_is_gone_through(self):
        for used in ("ALL[:2]", "reversed(ALL[:2])", '"a b".split(" ")', '["a"] * 1 + ["b"]',
                     'D.get("k", [])', "[ALL[i] for i in range(2)]", '"ab".elems()',
                     '["".join([n, ""]) for n in ALL[:2]]'):
            top = 'ALL = ["a", "b", "c"]\nD = {"k": ["a", "b"]}\n'
            loop = f'[cc_library(name = n + "_x",%s srcs = [n + ".cc"]) for n in {used}]\n'
            rest = 'cc_library(name = "y", deps = [":a_x", ":b_x"])\n'
            self.assertEqual(self.build(top + loop % "" + rest),
                             top + loop % f"\n    deps = [{_ADDED}]," + rest)
            self.assertEqual(self.found, [], used)

    def test_a_loop_over_the_files_of_the_package_is_gone_through(self):
        files = {"c.cc": "int c;\n", "sub/d.cc": "int d;\n", "sub/BUILD": "", "low/e.cc": ""}
        for used in ('glob(["*.cc"], exclude = ["c.cc"])',
                     'glob(include = [n + ".cc" for n in ["a", "b"]])',
                     'glob(["**/*.cc"], ["c.*", "low/*"])', "FILES", "sorted(FILES)"):
            top = 'FILES = glob(["?.cc"], exclude = ["c*"], allow_empty = True)\n'
            loop = f'[cc_library(name = f[:-3] + "_x",%s srcs = [f]) for f in {used}]\n'
            rest = 'cc_library(name = "y", deps = [":a_x", ":b_x", ":%s"])\n'
            self.assertIn(loop % f"\n    deps = [{_ADDED}],", self.build(
                top + loop % "" + rest % "none", files), used)
            self.assertEqual([line for line, _ in self.found], [3], used)
            self.assertIn("it is left out of deps", self.found[0][1])

    def test_a_loop_over_files_that_cannot_be_told_is_not_read(self):
        for used in ("glob(UNKNOWN)", 'glob(["*.cc"], exclude = f())', "glob(3)", "glob([4])",
                     'glob(["%d/%d" % (i, j) for i in range(150) for j in range(150)])'):
            loop = f'[cc_library(name = f[:-3], srcs = [f]) for f in {used}]\n'
            self.assertEqual(self.build(loop), loop)
            self.assertIn("the port has read none of its targets", self.found[0][1])

    def test_of_a_part_of_a_list_what_has_no_file_goes(self):
        new = self.build('ALL = ["a", "b", "c"]\n'
                         '[cc_library(name = n, srcs = [n + ".cc"]) for n in ALL[1:]]\n')
        self.assertIn('for n in ["b"]]', new)

    def test_pairs_that_a_loop_made(self):
        text = ('N = ["a", "b"]\nP = [(n, n + ".cc") for n in N]\n'
                '[cc_library(name = p[0] + "_x", srcs = [p[1]]) for p in P]\n'
                'cc_library(name = "y", deps = ["//mediapipe/acme:" + n + "_x" for n in N])\n')
        new = self.build(text)
        self.assertIn(f'name = p[0] + "_x",\n    deps = [{_ADDED}], srcs = [p[1]])', new)
        self.assertIn('deps = ["//acme:" + n + "_x" for n in N]', new)
        self.assertEqual(self.found, [])

    def test_a_loop_in_a_loop_makes_targets(self):
        text = ('[[cc_library(name = n + m, srcs = [n + ".cc"]) for n in ["a", "b"]] '
                'for m in ["x", "y"]]\ncc_library(name = "z", deps = [":ax", ":by"])\n')
        new = self.build(text)
        self.assertIn(f'name = n + m,\n    deps = [{_ADDED}], srcs', new)
        self.assertIn('deps = [":ax", ":by"]', new)
        self.assertEqual(self.found, [])
        self.build(text.replace('"b"', '"c"').replace('":by"', '":ay"'))
        self.assertIn((1, "the loop makes targets that have no file in this tree: take them out of "
                       "what it goes through"), self.found)

    def test_a_loop_without_end_is_not_gone_through_and_a_line_says_so(self):
        rule = 'cc_library(name = "%d_%d" % (i, j), srcs = ["a.cc"])'
        for loop in (f"[[{rule} for i in range(9000)] for j in range(9000)]",
                     f"[{rule} for i in range(9000) for j in range(9000)]",
                     f"[{rule} for i in range(1000000000)]"):
            self.assertEqual(self.build(loop + "\n"), loop + "\n")
            self.assertEqual(self.found[0], (1, "what this loop goes through is not known: the "
                                             "port has read none of its targets"))
            self.assertIn('"a.cc" is in no target that the port can read', self.found[1][1])

    def test_a_loop_that_searches_the_files_without_end_is_not_gone_through(self):
        loop = ('[cc_library(name = f, srcs = ["a.cc"]) for i in range(9000) '
                'for f in glob(["%s*" % i])]\n')
        self.assertEqual(self.build(loop, {f"{i}.txt": "" for i in range(300)}), loop)
        self.assertIn("the port has read none of its targets", self.found[0][1])

    def test_deps_of_a_loop_without_end_get_none_and_a_line_says_so(self):
        for deps in ('[":%d" % i for i in range(1000000000)]',
                     '[":%d" % i + j for i in range(9000) for j in range(9000)]',
                     '[x for i in range(9000) for x in [":%d" % j for j in range(9000)]]'):
            text = f'cc_library(name = "a", srcs = ["a.cc"], deps = {deps})\n'
            self.assertEqual(self.build(text), text)
            self.assertEqual([line for line, _ in self.found], [1])
            self.assertIn("may need //framework/deps:clock", self.found[0][1])

    def test_of_a_long_loop_no_label_is_lost(self):
        text = ('cc_library(name = "a", srcs = ["a.cc"], deps = ['
                '"//mediapipe/framework/deps:x%d" % i for i in range(2500)])\n')
        self.assertIn('deps = ["//framework/deps:x%d" % i for i in range(2500)] + ',
                      self.build(text))
        self.assertIn("that beginning is ported, and nothing is looked up", self.found[0][1])

    def test_a_loop_over_constants_that_stand_in_each_other_is_not_written_out(self):
        tower = 'X0 = ["x"]\n' + "".join(f"X{i} = (X{i - 1}, X{i - 1})\n" for i in range(1, 40))
        text = tower + ('[cc_library(name = n, srcs = [n + ".cc"]) for n, m in '
                        'T]\n').replace("T", '[("a", X39), ("c", X39)] + L')
        self.build("L = []\n" + text)
        self.assertEqual([line for line, _ in self.found], [1, 42])

    def test_a_target_of_each_pair_of_two_loops(self):
        text = ('[cc_library(name = n + m, srcs = [n + ".cc"]) for n in ["a", "b"] '
                'for m in ["x", "y"]]\ncc_library(name = "z", deps = [":ax", ":by"])\n')
        self.assertIn('deps = [":ax", ":by"]', self.build(text))
        self.assertEqual(self.found, [])


if __name__ == "__main__":
    unittest.main()
