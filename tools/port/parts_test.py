"""Labels that a BUILD file puts together."""
import unittest

from port import label_parts
from port.testing import PortCase

_CHECKOUT = {"framework/port/BUILD": 'cc_library(name = "status")\ncc_library(name = "logging")\n'}


class PartsCase(PortCase):

    def build(self, text, files=(), name="BUILD", **options):
        """What becomes of a BUILD or .bzl file of mediapipe/acme."""
        path = f"mediapipe/acme/{name}"
        result = self.port({path: text, "mediapipe/acme/x.cc": "", **dict(files)},
                           checkout=_CHECKOUT, **options)[path]
        self.found = [tuple(f) for f in result.findings]
        return result.new

    def deps(self, before, start="", **options):
        """What becomes of the deps of one target, with more text before it."""
        new = self.build(start + f'cc_library(name = "x", srcs = ["x.cc"], deps = {before})\n'
                         'cc_library(name = "a")\ncc_library(name = "b")\n', **options)
        line = next(l for l in new.splitlines() if "deps = " in l)
        return line.partition("deps = ")[2][:-1]


class WholeTest(PartsCase):
    """What makes one label is written as that."""

    def test_sums_formats_and_constants(self):
        constant = 'P = "//mediapipe/framework"\nF = "//mediapipe/framework:%s"\n'
        for text in ('"//mediapipe/framework:" + "subgraph"', 'P + ":subgraph"',
                     '"//mediapipe/%s:subgraph" % "framework"', 'F % "subgraph"',
                     '"//mediapipe/framework:{}".format("subgraph")',
                     '"//mediapipe/{0}:{1}".format("framework", "subgraph")',
                     '"//{root}/framework:{n}".format(n = "subgraph", root = "mediapipe")',
                     '"//mediapipe/%s:%s" % ("framework", "subgraph")',
                     '"@mediapipe//mediapipe/" + "framework" + ":subgraph"'):
            self.assertEqual(self.deps(f"[{text}]", constant), '["//framework:subgraph"]', text)
            self.assertEqual(self.found, [], text)

    def test_names_that_are_others_here_are_found(self):
        self.assertEqual(self.deps('["//mediapipe/framework:" + "mediapipe_options_proto"]'),
                         '["//framework:syncline_options_proto"]')
        self.assertEqual(self.deps('["@com_google_absl//absl/" + "log:check"]'),
                         '["@com_github_google_glog//:glog"]')

    def test_a_label_stands_once_and_what_leads_nowhere_is_left_out(self):
        self.assertEqual(self.deps('["//framework:subgraph", "//mediapipe/framework:" + "subgraph",'
                                   ' "//mediapipe/framework:" + "gone"]'),
                         '["//framework:subgraph"]')
        (line, hand, text), = self.found
        self.assertEqual((line, hand), (1, True))
        self.assertIn("left out of deps", text)

    def test_own_packages_move(self):
        self.assertEqual(self.deps('["//mediapipe/acme:%s" % "a"]', at="x"), '["//x/acme:a"]')

    def test_own_targets_keep_their_names(self):
        for text in ('"//mediapipe/acme:mediapipe_" + "a"', '":mediapipe_" + "a"'):
            self.assertIn(self.deps(f"[{text}]", 'cc_library(name = "mediapipe_a")\n'),
                          ('["//acme:mediapipe_a"]', '[":mediapipe_a"]'))
            self.assertEqual(self.found, [])
        bzl = 'def f(x):\n    native.alias(name = x, actual = "//%sacme:mediapipe_" + x)\n'
        self.assertEqual(self.build(bzl % "mediapipe/", {"mediapipe/acme/BUILD": ""}, "m.bzl"),
                         bzl % "")

    def test_either_side_of_a_condition_counts(self):
        self.assertEqual(self.deps('["//mediapipe/framework:subgraph", ":gone"] if True else '
                                   '["//mediapipe/framework:port"]'),
                         '["//framework:subgraph"] if True else ["//framework:port"]')
        self.assertEqual([f[:2] for f in self.found], [(1, True)])

    def test_a_constant_that_begins_labels_is_none_itself(self):
        new = self.build('P = "//mediapipe/framework"\nD = {"s": P + ":subgraph"}\n'
                         'cc_library(name = "a", srcs = ["x.cc"], deps = [D["s"], '
                         '"//framework:subgraph", P + "/port:status"])\n')
        self.assertEqual(new, 'P = "//framework"\nD = {"s": "//framework:subgraph"}\n'
                         'cc_library(name = "a", srcs = ["x.cc"], deps = [D["s"], '
                         '"//framework/port:status"])\n')
        self.assertEqual(self.found, [])

    def test_a_constant_for_other_files_may_be_a_package(self):
        self.assertEqual(self.build('P = "//mediapipe/framework"\n', name="m.bzl"),
                         'P = "//framework"\n')
        self.assertEqual(self.found, [])
        self.build('P = "//mediapipe/nowhere"\n', name="m.bzl")
        self.assertEqual([f[:2] for f in self.found], [(1, True)])


class LoopTest(PartsCase):

    def test_a_list_that_the_rule_is_right_about_stays_a_loop(self):
        self.assertEqual(
            self.deps('["//mediapipe/framework/port:" + x for x in ["status", "logging"]]'),
            '["//framework/port:" + x for x in ["status", "logging"]]')
        self.assertEqual(self.deps('[":a"] + ["//mediapipe/acme:%s" % n for n in N]',
                                   'N = ["b"]\n', at="x"),
                         '[":a"] + ["//x/acme:%s" % n for n in N]')
        self.assertEqual(self.found, [])

    def test_another_list_is_written_out(self):
        self.assertEqual(
            self.deps('["//mediapipe/framework:" + x for x in ["subgraph", '
                      '"mediapipe_options_proto", "gone"]] + ["//framework:subgraph"]'),
            '["//framework:subgraph", "//framework:syncline_options_proto"] + []')
        self.assertEqual([f[:2] for f in self.found], [(1, True)])
        self.assertIn("left out of deps", self.found[0][2])

    def test_a_label_that_stands_elsewhere_too_is_written_once(self):
        self.assertEqual(
            self.deps('["//framework:subgraph"] + ["//mediapipe/framework:" + x for x in '
                      '["port", "subgraph"]]'), '["//framework:subgraph"] + ["//framework:port"]')

    def test_a_loop_over_targets(self):
        text = ('[cc_library(name = n, srcs = ["x.cc"], deps = ["//%sframework:%%s" %% n]) '
                'for n in [%s]]\n')
        self.assertEqual(self.build(text % ("mediapipe/", '"subgraph", "port"')),
                         text % ("", '"subgraph", "port"'))
        self.assertEqual(self.found, [])
        self.build(text % ("mediapipe/", '"subgraph", "mediapipe_options_proto", "gone"'))
        self.assertEqual([f[:2] for f in self.found], [(1, True)])
        self.assertIn('Syncline has no "//framework:gone"', self.found[0][2])

    def test_the_deps_of_a_loop_are_known(self):
        files = {"mediapipe/acme/x.cc": '#include "mediapipe/framework/calculator_graph.h"\n'}
        text = ('cc_library(name = "a", srcs = ["x.cc"], deps = ["//framework:" + x for x in '
                '["calculator_graph"]])\n')
        self.assertEqual(self.build(text, files), text)
        self.assertIn('] + ["//framework:calculator_graph"])', self.build(
            text.replace('["calculator_graph"]', '["subgraph"]'), files))


class UnknownTest(PartsCase):
    """What only the run of a macro tells."""

    def test_its_beginning_is_ported_and_noted(self):
        bzl = ('def f(name, x):\n    native.cc_library(name = name, deps = ["//%s" + x, '
               '"//%sport:{}".format(x), "//framework:subgraph"])\n')
        self.assertEqual(self.build(bzl % ("mediapipe/framework:", "mediapipe/framework/"),
                                    name="m.bzl"), bzl % ("framework:", "framework/"))
        self.assertEqual([f[:2] for f in self.found], [(2, False), (2, False)])
        self.assertIn('begins with "//mediapipe/framework:"', self.found[1][2])

    def test_a_loop_in_a_macro_is_known(self):
        bzl = ('def f(name):\n    for x in ["status", "%s"]:\n'
               '        native.alias(name = x, actual = "//%sframework/port:" + x)\n')
        self.assertEqual(self.build(bzl % ("logging", "mediapipe/"), name="m.bzl"),
                         bzl % ("logging", ""))
        self.assertEqual(self.found, [])
        self.build(bzl % ("gone", "mediapipe/"), name="m.bzl")
        self.assertEqual([f[:2] for f in self.found], [(3, True)])

    def test_beginnings(self):
        for text in ("//mediapipe/x:", "//mediapipe/", "@mediapipe//x/%s", "//a:{}", "//a/%s:b"):
            self.assertTrue(label_parts.is_part(text), text)
        for text in ("//mediapipe/x:y", "//mediapipe", ":a%s", "mediapipe/", "@x//a:b"):
            self.assertFalse(label_parts.is_part(text), text)


if __name__ == "__main__":
    unittest.main()
