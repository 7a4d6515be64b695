"""A part of a folder with the folder's whole BUILD file: what its labels lead to."""
import unittest

from port.testing import PortCase

_CHECKOUT = {
    "framework/BUILD": "".join(
        f'cc_library(name = "{name}", hdrs = ["{name}.h"]{more})\n' for name, more in (
            ("calculator_framework", ""), ("calculator_graph", ""), ("packet", ""),
            ("subgraph", ', deps = [":packet"]'))),
    "calculators/core/BUILD": (
        'cc_library(name = "gate_calculator", srcs = ["gate_calculator.cc"],'
        ' deps = ["//framework:subgraph"])\n'
        'syncline_proto(name = "gate_calculator_proto")\n'
        'syncline_proto_library(name = "mux_calculator_proto", srcs = ["mux_calculator.proto"])\n'),
    "framework/syncline_cc_test.bzl": (
        'load("//tools/build_rules:cc.bzl", "cc_test")\n'
        "def syncline_cc_test(name, srcs = [], deps = [], platforms = None, **kwargs):\n"
        "    cc_test(name = name, srcs = srcs, deps = deps, **kwargs)\n"),
    "framework/port/build_config.bzl": (
        "def syncline_proto_library(name, srcs, deps = [], **kwargs):\n"
        "    native.proto_library(name = name, srcs = srcs, deps = deps)\n"
        "def syncline_strict(name):\n    pass\n"),
    "framework/encode_binary_proto.bzl": (
        'encode_binary_proto = rule(implementation = _x, attrs = {"input": 1, "output": 2})\n'),
    "tools/build_rules/cc.bzl": (
        "def cc_test(name, **kwargs):\n    native.cc_test(name = name, **_with_image(kwargs))\n"),
    "third_party/system/system_library.bzl": (
        '_ABSL = {\n    "strings": ["str_format", "strings"],\n    "memory": ["memory"],\n'
        '    "status": ["status"],\n    "time": ["time"],\n}\n'),
}


class PartialCase(PortCase):

    def build(self, text, files=(), folder="mediapipe/calculators/core", **options):
        """What becomes of the BUILD file of a folder that has these files, all others absent."""
        tree = {f"{folder}/{name}": content for name, content in dict(
            {name: "int a;\n" for name in files if not isinstance(files, dict)},
            **(files if isinstance(files, dict) else {})).items()}
        results = self.port({f"{folder}/BUILD": text, **tree}, checkout=_CHECKOUT,
                            **{"at": "x", **options})
        self.found = results[f"{folder}/BUILD"].findings
        self.hands = [(f.line, f.text) for f in self.found if f.hand]
        return results[f"{folder}/BUILD"].new


class AbsentTest(PartialCase):
    """Which targets count as not there."""

    def commented_out(self, text, files=()):
        return self.build(text, files).startswith("# ")

    def test_files_in_the_branches_of_a_select_count_and_its_keys_do_not(self):
        text = ('cc_library(name = "a", srcs = select({"//acme:narrow": ["a.cc"],'
                ' "//conditions:default": ["b.cc"]}))\n')
        self.assertTrue(self.commented_out(text))
        self.assertFalse(self.commented_out(text, ["b.cc"]))

    def test_a_branch_that_is_never_taken_does_not_count(self):
        text = ('cc_library(name = "a", srcs = select({"//mediapipe:android": ["a.cc"],'
                ' "//conditions:default": ["b.cc"]}))\n')
        self.assertTrue(self.commented_out(text, ["a.cc"]))

    def test_a_label_counts_as_what_it_leads_to(self):
        text = ('cc_library(name = "a", hdrs = [":made"])\n'
                'genrule(name = "made", srcs = ["a.in"], outs = ["a.h"])\n')
        self.assertTrue(self.commented_out(text))
        self.assertFalse(self.commented_out(text, ["a.in"]))
        self.assertTrue(self.commented_out('cc_library(name = "a", srcs = [":a.cc"])\n'))
        self.assertFalse(self.commented_out('cc_library(name = "a", srcs = [":a.cc"])\n', ["a.cc"]))

    def test_patterns_count_by_what_they_find(self):
        for pattern, file in (("*.cc", "a.cc"), ("data/**", "data/b/c.txt"), ("**/*.cc", "a.cc")):
            text = f'filegroup(name = "a", srcs = glob(["{pattern}"]))\n'
            self.assertTrue(self.commented_out(text), pattern)
            self.assertFalse(self.commented_out(text, [file]), pattern)

    def test_graphs_count(self):
        text = 'mediapipe_simple_subgraph(name = "a", graph = "a.pbtxt", register_as = "A")\n'
        self.assertTrue(self.commented_out(text))
        self.assertFalse(self.commented_out(text, ["a.pbtxt"]))

    def test_what_has_no_files_goes_with_what_it_leads_to(self):
        proto = 'proto_library(name = "a_proto", srcs = ["a.proto"])\n'
        for text in ('cc_proto_library(name = "a_cc_proto", deps = [":a_proto"])\n',
                     'mediapipe_options_library(name = "o", proto_lib = ":a_proto")\n',
                     'test_suite(name = "t", tests = ["a_proto"])\n'):
            self.assertTrue(self.commented_out(text + proto), text)
            self.assertFalse(self.commented_out(text + proto, ["a.proto"]), text)

    def test_a_library_of_libraries_stays_if_only_those_are_here(self):
        text = ('cc_library(name = "%s", deps = [":gate_calculator"])\n'
                'cc_library(name = "gate_calculator", srcs = ["gate_calculator.cc"])\n')
        self.assertIn('name = "all", deps = ["//calculators/core:gate_calculator"]',
                      self.build(text % "all").splitlines()[0])
        self.assertEqual(self.hands, [])

    def test_settings_and_groups_of_packages_stay(self):
        text = ('config_setting(name = "a", values = {"cpu": "x"})\n'
                'package_group(name = "b", packages = [])\n'
                'cc_library(name = "c", srcs = ["c.cc"], visibility = [":b"])\n')
        self.assertEqual(self.build(text, ["c.cc"]), text)

    def test_targets_that_lead_to_each_other_end_the_search(self):
        text = ('cc_library(name = "a", deps = [":b"])\ncc_library(name = "b", deps = [":a"])\n')
        self.assertEqual(self.build(text), text)

    def test_of_a_loop_the_items_with_files_stay(self):
        loop = '[cc_test(name = n + "_test", srcs = [n + "_test.cc"]) for n in ["a", "b", "c"]]\n'
        self.assertIn('for n in ["b"]]', self.build(loop, ["b_test.cc"]))
        self.assertTrue(self.build(loop).startswith("# [cc_test("))
        self.assertEqual(self.build(loop, ["a_test.cc", "b_test.cc", "c_test.cc"]), loop)

    def test_a_loop_over_a_constant_is_written_out(self):
        text = ('N = ["a", "b", "c"]\n[cc_test(name = n, srcs = [n + ".cc"]) for n in %s]\n'
                'M = [("a", "x"), ("b", "y")]\n'
                '[cc_test(name = m + n, srcs = [n + ".cc"]) for n, m in %s]\n')
        self.assertEqual(self.build(text % ("N", "M"), ["a.cc", "c.cc"]),
                         text % ('["a", "c"]', '[("a", "x",)]'))
        self.assertEqual(self.hands, [])

    def test_a_loop_over_something_else_needs_hands(self):
        self.build('N = {"a": 1, "b": 2}\n[cc_test(name = n, srcs = [n + ".cc"]) for n, m in '
                   'N.items()]\n', ["a.cc"])
        self.assertEqual([line for line, _ in self.hands], [2])


class ResolvedTest(PartialCase):
    """Labels of what is absent."""
    GATE = ('cc_library(name = "gate_calculator", srcs = ["gate_calculator.cc"])\n'
            'mediapipe_proto_library(name = "gate_calculator_proto", srcs = ["gate.proto"])\n'
            'mediapipe_proto_library(name = "mux_calculator_proto", srcs = ["mux.proto"])\n')

    def deps(self, before, source="int a;\n"):
        text = self.build('cc_library(name = "a", srcs = ["a.cc"], deps = %s)\n' % before +
                          self.GATE, {"a.cc": source})
        return text.splitlines()[0].partition("deps = ")[2][:-1]

    def test_a_label_stands_once_after_all_of_them_are_rewritten(self):
        gate = '["//calculators/core:gate_calculator"]'
        self.assertEqual(self.deps('[":gate_calculator", "//mediapipe/calculators/core:'
                                   'gate_calculator"]'), gate)
        self.assertEqual(self.deps('[":gate_calculator"] + [":gate_calculator"]'), gate + " + []")
        self.assertEqual(self.deps('[":gate_calculator"] + select({"//mediapipe:linux": '
                                   '["//mediapipe/calculators/core:gate_calculator"]})'),
                         gate + " + []")
        self.assertEqual(self.deps('[":gate_calculator"] + select({"//conditions:default": [], '
                                   '":a": [":gate_calculator"]})'),
                         gate + ' + select({"//conditions:default": [], ":a": []})')

    def test_a_constant_is_changed_where_it_stands(self):
        text = ('D = [":gate_calculator"]\ncc_library(name = "a", srcs = ["a.cc"], deps = D + '
                '[":gate_calculator", ":b"])\ncc_library(name = "b", srcs = ["a.cc"], deps = D)\n')
        self.assertEqual(
            self.build(text + self.GATE, ["a.cc"]).splitlines()[:3],
            ['D = ["//calculators/core:gate_calculator"]',
             'cc_library(name = "a", srcs = ["a.cc"], deps = D + [":b"])',
             'cc_library(name = "b", srcs = ["a.cc"], deps = D)'])

    def test_a_label_in_two_constants_stands_in_one_of_them(self):
        new = self.build(
            'D = [":gate_calculator"]\n'
            'E = ["//mediapipe/calculators/core:gate_calculator", ":c"]\n'
            'cc_library(name = "a", srcs = ["a.cc"], deps = D + E)\n'
            'cc_library(name = "b", srcs = ["a.cc"], deps = E)\n'
            'cc_library(name = "c")\n' + self.GATE, ["a.cc"])
        self.assertEqual(new.splitlines()[:4], [
            'D = ["//calculators/core:gate_calculator"]',
            'E = ["//calculators/core:gate_calculator", ":c"]',
            'cc_library(name = "a", srcs = ["a.cc"], deps = D + [":c"])',
            'cc_library(name = "b", srcs = ["a.cc"], deps = E)'])
        self.assertEqual(self.hands, [])

    def test_a_label_in_two_constants_of_which_one_is_a_sum_needs_hands(self):
        self.build('D = [":gate_calculator"]\n'
                   'E = [":b"] + ["//mediapipe/calculators/core:gate_calculator"]\n'
                   'cc_library(name = "a", srcs = ["a.cc"], deps = D + E)\n'
                   'cc_library(name = "b", srcs = ["a.cc"], deps = D)\n' + self.GATE, ["a.cc"])
        (line, text), = self.hands
        self.assertEqual(line, 3)
        self.assertIn("//calculators/core:gate_calculator now stands twice in deps", text)

    def test_what_leads_nowhere_is_taken_out_and_reported_with_its_line(self):
        text = ('cc_library(\n    name = "a",\n    srcs = [\n        "a.cc",\n        "gone.cc",\n'
                '    ],\n    data = ["gone.txt"],\n    deps = [\n        ":gone",\n        ":b",\n'
                '        "//mediapipe/gpu:gone",  # why\n    ],\n)\ncc_library(name = "b")\n')
        self.assertEqual(
            self.build(text, ["a.cc"]),
            'cc_library(\n    name = "a",\n    srcs = [\n        "a.cc",\n    ],\n'
            '    data = [],\n    deps = [\n        ":b",\n    ],\n)\ncc_library(name = "b")\n')
        self.assertEqual([line for line, _ in self.hands], [5, 7, 9, 11])
        self.assertIn('"gone.cc" is not in this tree', self.hands[0][1])
        self.assertIn("left out of deps", self.hands[2][1])

    def test_a_folder_of_the_name_of_an_absent_target_is_not_that_target(self):
        text = ('cc_library(name = "a", srcs = ["a.cc"], deps = [":gate_calculator"], '
                'data = ["gate_data"])\n' + self.GATE)
        new = self.build(text, {"a.cc": "", "gate_calculator/x.txt": "", "gate_data/x.txt": ""})
        self.assertIn('deps = ["//calculators/core:gate_calculator"], data = ["gate_data"]', new)

    def test_libraries_of_options_are_those_of_the_messages(self):
        self.assertEqual(self.deps('[":mux_calculator_options_lib", ":gate_calculator_options_lib"]'),
                         '["//calculators/core:mux_calculator_options_lib", '
                         '"//calculators/core:gate_calculator_cc_proto"]')
        self.assertEqual(self.hands, [])
        own = ('mediapipe_proto_library(name = "p_proto", srcs = ["p.proto"])\n'
               'cc_library(name = "a", srcs = ["a.cc"], deps = [":p_options_lib"])\n')
        self.assertEqual(self.build(own, ["a.cc", "p.proto"]).splitlines()[1], own.splitlines()[1])

    def test_deps_are_added_that_an_absent_neighbour_does_not_bring(self):
        include = '#include "mediapipe/framework/%s.h"\n'
        # Syncline's own gate calculator leads to the packet.
        self.assertEqual(self.deps('[":gate_calculator"]', include % "packet"),
                         '["//calculators/core:gate_calculator"]')
        # MediaPipe's would lead to the graph, by the deps in its BUILD file.
        text = ('cc_library(name = "a", srcs = ["a.cc"], deps = [":gate_calculator"])\n'
                'cc_library(name = "gate_calculator", srcs = ["gate_calculator.cc"],\n'
                '    deps = ["//mediapipe/framework:calculator_graph"])\n')
        self.assertIn('deps = ["//framework:calculator_graph", '
                      '"//calculators/core:gate_calculator"])',
                      self.build(text, {"a.cc": include % "calculator_graph"}).splitlines()[0])

    def test_deps_of_branches_that_are_never_taken_bring_nothing(self):
        source = '#include "mediapipe/framework/packet.h"\n'
        self.assertEqual(self.deps(
            '[":b"] + select({"//mediapipe:android": ["//mediapipe/framework:packet"], '
            '"//conditions:default": []})', source), '[] + ["//framework:packet"]')

    def test_deps_are_added_behind_what_is_no_list(self):
        source = {"a.cc": '#include "mediapipe/framework/packet.h"\n'}
        text = ('D = [":b"]\ncc_library(name = "a", srcs = ["a.cc"], deps = D)\n'
                'cc_library(name = "b")\n')
        self.assertIn('deps = D + ["//framework:packet"])', self.build(text, source))

    def test_a_file_of_the_folder_of_which_only_the_build_file_came_brings_its_dep(self):
        text = ('cc_library(name = "packet", hdrs = ["packet.h"])\n'
                'cc_test(name = "a_test", srcs = ["a_test.cc"])\n')
        self.assertIn('deps = ["//framework:packet"]', self.build(
            text, {"a_test.cc": '#include "mediapipe/framework/packet.h"\n'},
            folder="mediapipe/framework"))

    def test_headers_of_the_tree_itself_bring_no_deps(self):
        result = self.port(
            {"mediapipe/acme/BUILD": 'cc_library(name = "a", hdrs = ["a.h"])\n'
                                     'cc_library(name = "b", srcs = ["b.cc"])\n',
             "mediapipe/acme/a.h": "", "mediapipe/acme/b.cc": '#include "mediapipe/acme/a.h"\n'},
            # The copy was made before.
            at="x", checkout={"x/acme/BUILD": 'cc_library(name = "a", hdrs = ["a.h"])\n',
                              "x/acme/a.h": ""})["mediapipe/acme/BUILD"]
        self.assertEqual(result.new.splitlines()[1], 'cc_library(name = "b", srcs = ["b.cc"])')

    def test_a_target_whose_one_label_leads_nowhere_is_commented_out(self):
        text = 'cc_library(name = "a", srcs = ["a.cc"])\nalias(name = "b", actual = ":gone")\n'
        self.assertEqual(self.build(text, ["a.cc"]), text.replace("alias", "# alias"))
        self.assertEqual([line for line, _ in self.hands], [2])

    def test_targets_of_macros_of_the_tree_are_believed_in(self):
        text = ('load("//mediapipe/calculators/core:my.bzl", "my_rule")\nmy_rule(name = "a")\n'
                'cc_library(name = "b", srcs = ["b.cc"], deps = [":a_inner"])\n')
        self.assertIn('deps = [":a_inner"]', self.build(text, {
            "b.cc": "", "my.bzl": "def my_rule(name):\n    pass\n"}))

    def test_a_suite_has_the_tests_that_came_along(self):
        text = ('test_suite(name = "all", tests = [":a_test", ":b_test"])\n'
                'cc_test(name = "a_test", srcs = ["a.cc"])\n'
                'cc_test(name = "b_test", srcs = ["b.cc"])\n')
        self.assertIn('tests = [":a_test"]', self.build(text, ["a.cc"]))
        self.assertEqual(self.hands, [])

    def test_the_second_port_changes_nothing(self):
        text = ('cc_library(name = "a", srcs = ["a.cc", "gone.cc"], deps = [":gate_calculator", '
                '":gone"])\n' + self.GATE)
        once = self.build(text, ["a.cc"])
        again = self.port({"x/calculators/core/BUILD": once, "x/calculators/core/a.cc": "int a;\n"},
                          checkout=_CHECKOUT)["x/calculators/core/BUILD"]
        self.assertEqual((again.new, [f for f in again.findings if f.hand]), (once, []))


class GroupsTest(PartialCase):
    """selects.config_setting_group() of conditions whose answer is known."""

    def deps(self, conditions, key=":group"):
        text = (f'selects.config_setting_group(name = "group", {conditions})\n'
                'cc_library(name = "a", srcs = ["a.cc"], deps = select({"%s": [":b"], '
                '"//conditions:default": [":c"]}))\n'
                'cc_library(name = "b")\ncc_library(name = "c")\n') % key
        new = self.build(text, ["a.cc"]).splitlines()
        self.assertEqual(self.hands, [])
        return new[0].startswith("# "), new[1].partition("deps = ")[2][:-1]

    def test_the_select_becomes_the_branch_of_the_answer(self):
        off, ios = '"//mediapipe/gpu:disable_gpu"', '"//mediapipe:ios"'
        for conditions, answer in ((f"match_any = [{off}, {ios}]", '[":b"]'),
                                   (f"match_any = [{ios}]", '[":c"]'),
                                   (f"match_all = [{off}, {ios}]", '[":c"]'),
                                   (f"match_all = [{off}]", '[":b"]')):
            for key in (":group", "//mediapipe/calculators/core:group"):
                self.assertEqual(self.deps(conditions, key), (True, answer), conditions)

    def test_a_group_that_nobody_knows_stays(self):
        text = ('config_setting(name = "n", values = {})\n'
                'selects.config_setting_group(name = "g", match_any = [%s":n"])\n')
        self.assertEqual(self.build(text % '"//mediapipe:ios", '), text % "")
        self.assertEqual(self.hands, [])

    def test_groups_within_each_other_end_the_search(self):
        self.build('selects.config_setting_group(name = "a", match_any = [":b"])\n'
                   'selects.config_setting_group(name = "b", match_any = [":a"])\n'
                   'cc_library(name = "c",'
                   ' deps = select({":a": [], "//conditions:default": []}))\n')
        self.assertEqual(self.hands, [])


class ArgumentsTest(PartialCase):
    """Arguments that nothing here knows."""

    def test_those_of_a_macro_are_told_and_left_out(self):
        load = 'load("//mediapipe/framework:mediapipe_cc_test.bzl", "mediapipe_cc_test")\n'
        text = load + ('mediapipe_cc_test(\n    name = "a_test",\n    srcs = ["a.cc"],\n'
                       '    platforms = ["linux"],\n    requires_full_emulation = False,\n'
                       '    size = "small",\n    later_size = select({"x": 1}),\n)\n')
        self.assertEqual(self.build(text, ["a.cc"]).partition("\n")[2],
                         'syncline_cc_test(\n    name = "a_test",\n    srcs = ["a.cc"],\n'
                         '    platforms = ["linux"],\n    size = "small",\n)\n')
        self.assertEqual([(f.line, f.hand) for f in self.found], [(6, False), (8, False)])
        self.assertIn('"requires_full_emulation" is no argument of mediapipe_cc_test',
                      self.found[0].text)

    def test_those_of_native_rules_too(self):
        self.assertEqual(
            self.build('cc_library(name = "a", srcs = ["a.cc"], module_name = "x", hooks = 1)\n'
                       'cc_test(name = "b", aspect_hints = [], size = "small", srcs = ["a.cc"])\n',
                       ["a.cc"]),
            'cc_library(name = "a", srcs = ["a.cc"])\n'
            'cc_test(name = "b", size = "small", srcs = ["a.cc"])\n')

    def test_a_macro_that_ignores_the_rest_gets_it(self):
        text = ('load("//framework/port:build_config.bzl", "syncline_proto_library")\n'
                'syncline_proto_library(name = "a_proto", srcs = ["a.proto"], java = 1)\n')
        self.assertEqual(self.build(text, ["a.proto"]), text)

    def test_rules_and_strict_macros_of_the_checkout_are_read(self):
        text = ('load("//framework:encode_binary_proto.bzl", "encode_binary_proto")\n'
                'load("//framework/port:build_config.bzl", "syncline_strict")\n'
                'encode_binary_proto(name = "a", input = "a.txt", deep = 1)\n'
                'syncline_strict(name = "b", deep = 1)\n')
        self.assertEqual(self.build(text, ["a.txt"]), text.replace(", deep = 1", ""))

    def test_macros_of_the_tree_take_what_they_take(self):
        text = ('load("//acme:cc.bzl", "cc_library")\n'
                'cc_library(name = "a", wings = 2)\n')
        results = self.port({"BUILD": text, "cc.bzl": "def cc_library(name, wings):\n    pass\n"},
                            place="acme", at="acme")
        self.assertEqual(results["BUILD"].new, text)

    def test_deps_of_the_implementation_are_deps(self):
        self.assertEqual(
            self.build('cc_library(name = "a", srcs = ["a.cc"], implementation_deps = '
                       '["//mediapipe/framework:packet", ":b"], deps = [":c"])\n'
                       'cc_library(name = "b")\ncc_library(name = "c")\n',
                       ["a.cc"]).splitlines()[0],
            'cc_library(name = "a", srcs = ["a.cc"], deps = ["//framework:packet", ":b", ":c"])')
        self.assertEqual([f.hand for f in self.found], [False])


class GeneratedTest(PartialCase):
    """Files that building the tree makes."""

    def included(self, build, path, files=(), **options):
        """What `#include "path"` in one more file of the tree becomes."""
        results = self.port(
            {"mediapipe/acme/BUILD": build, "mediapipe/acme/z.cc": f'#include "{path}"\n',
             **{f"mediapipe/acme/{name}": "" for name in files}}, at="x", checkout=_CHECKOUT,
            **options)
        self.hands = [f.text for f in results["mediapipe/acme/z.cc"].findings if f.hand]
        return results["mediapipe/acme/z.cc"].new

    def test_outputs_of_rules_move_with_the_tree(self):
        for build, name in (('genrule(name = "g", outs = ["made.h"])\n', "made.h"),
                            ('genrule(name = "g", outs = ["in/made.h"])\n', "in/made.h"),
                            ('data_as_c_string(name = "g", srcs = ["a"])\n', "g"),
                            ('x(name = "g", out = "made.inc")\n', "made.inc")):
            self.assertEqual(self.included(build, "mediapipe/acme/" + name, ["a"]),
                             f'#include "x/acme/{name}"\n')
            self.assertEqual(self.hands, [])

    def test_headers_at_other_paths_are_there(self):
        library = 'cc_library(name = "a", hdrs = ["in/h.h"], %s)\n'
        for how, old, new in (
                ('include_prefix = "acme/other"', "acme/other/in/h.h", "acme/other/in/h.h"),
                ('include_prefix = "mediapipe/acme/o"', "mediapipe/acme/o/in/h.h",
                 "x/acme/o/in/h.h"),
                ('include_prefix = "o", strip_include_prefix = "in"', "o/h.h", "o/h.h"),
                ('strip_include_prefix = "/mediapipe/acme"', "in/h.h", "in/h.h"),
                ('includes = ["in"]', "h.h", "h.h"), ('includes = ["."]', "in/h.h", "in/h.h")):
            self.assertEqual(self.included(library % how, old, ["in/h.h"]), f'#include "{new}"\n')
            self.assertEqual(self.hands, [], how)
        proto = 'proto_library(name = "p", srcs = ["p.proto"], import_prefix = "q")\n'
        self.included(proto, "q/p.pb.h", ["p.proto"])
        self.assertEqual(self.hands, [])
        self.included(library % 'include_prefix = "o"', "o/h.h", ["in/h.h"])
        self.assertEqual(len(self.hands), 1)

    def test_headers_of_protos_in_folders_below_move(self):
        self.assertEqual(self.included("", "mediapipe/acme/in/b.pb.h", ["in/b.proto", "in/BUILD"]),
                         '#include "x/acme/in/b.pb.h"\n')
        self.assertEqual(self.hands, [])

    def test_outputs_of_what_did_not_come_along_are_missed(self):
        self.included('genrule(name = "g", srcs = ["gone"], outs = ["made.h"])\n',
                      "mediapipe/acme/made.h")
        self.assertEqual(len(self.hands), 1)

    def test_labels_of_outputs_move(self):
        text = ('genrule(name = "g", outs = ["made.txt"])\n'
                'cc_library(name = "a", srcs = ["a.cc"], data = [":made.txt", '
                '"//mediapipe/calculators/core:g"])\n')
        self.assertIn('data = [":made.txt", "//x/calculators/core:g"]', self.build(text, ["a.cc"]))


if __name__ == "__main__":
    unittest.main()
