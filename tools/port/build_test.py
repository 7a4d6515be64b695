"""What becomes of BUILD files and protos."""
import unittest

from port import build_targets, labels
from port.testing import PortCase


class BuildCase(PortCase):

    def build(self, text, files=None, **options):
        name = "mediapipe/acme/BUILD"
        result = self.port({name: text, **(files or {})}, **options)[name]
        self.findings_of_build = [tuple(f) for f in result.findings]
        return result.new

    def assert_deps(self, before, after, files=None, **options):
        form = ('cc_library(\n    name = "a",\n    deps = [%s],\n)\n'
                '[filegroup(name = n) for n in ["b", "c"]]\n')
        self.assertEqual(self.build(form % before, files, **options), form % after)


class LoadsTest(BuildCase):
    """What a load does not find would keep the whole package from being built."""

    def test_a_load_that_finds_nothing_is_commented_out_with_what_needs_it(self):
        self.assertEqual(self.build(
            'load("@org_tensorflow//x:y.bzl", "cc_library_with_tflite")\n'
            'load("//mediapipe/gpu:metal.bzl", m = "metal_library")\n'
            'cc_library_with_tflite(\n    name = "a",\n\n    deps = ["//mediapipe/b"],\n)\n'
            'm(name = "b")\n'
            'cc_library(name = "c")\n'),
            '# load("@org_tensorflow//x:y.bzl", "cc_library_with_tflite")\n'
            '# load("//mediapipe/gpu:metal.bzl", m = "metal_library")\n'
            '# cc_library_with_tflite(\n#     name = "a",\n#\n'
            '#     deps = ["//mediapipe/b"],\n# )\n'
            '# m(name = "b")\n'
            'cc_library(name = "c")\n')
        self.assertEqual([line for line, hand, _ in self.findings_of_build if hand], [1, 2, 3, 8])
        self.assertIn('":a" needs cc_library_with_tflite', self.findings_of_build[2][2])

    def test_constants_are_missed_too(self):
        self.assertEqual(self.build(
            'load("//mediapipe/framework/tool:ios.bzl", "VERSION")\n'
            'cc_library(name = "a", copts = [VERSION])\n'),
            '# load("//mediapipe/framework/tool:ios.bzl", "VERSION")\n'
            '# cc_library(name = "a", copts = [VERSION])\n')

    def test_a_macro_by_another_name_makes_what_it_makes(self):
        for given in ('load("%s/port:build_config.bzl", mpl = "mediapipe_proto_library")\n',
                      'load("%s/port:build_config.bzl", "mediapipe_proto_library")\n'
                      'mpl = mediapipe_proto_library\n'):
            text = (given % "//mediapipe/framework" + 'mpl(name = "a_proto")\n'
                    'cc_library(name = "b", deps = [":a_cc_proto"])\n')
            self.assertEqual(self.build(text), text.replace("//mediapipe/", "//").replace(
                "mediapipe", "syncline"))
            self.assertEqual(self.findings_of_build, [])

    def test_a_workspace_may_call_itself_by_its_name(self):
        load = 'load("%s//acme:defs.bzl", "x")\n'
        build = load + 'x(name = "a", deps = ["%s//acme:b"])\ncc_library(name = "b")\n'
        for file, text in (("WORKSPACE", 'workspace(name = "acme_ws")\n'),
                           ("MODULE.bazel", 'module(\n    name = "x",\n    repo_name = "acme_ws")'),
                           ("WORKSPACE.bazel", 'workspace(name="acme_ws")')):
            for name in ("@acme_ws", "@", "@@acme_ws"):
                result = self.port({file: text, "acme/defs.bzl": "def x(name):\n    pass\n",
                                    "acme/BUILD": build.replace("%s", name)}, place="")
                self.assertEqual(result["acme/BUILD"].new, build.replace("%s", ""))
                self.assertEqual(result["acme/BUILD"].findings, [])

    def test_a_macro_that_is_not_in_the_file_leaves_the_load(self):
        self.assertEqual(self.build(
            'load("//mediapipe/framework/port:build_config.bzl", "mediapipe_x",'
            ' "mediapipe_proto_library")\n'
            'mediapipe_x(name = "a")\nmediapipe_proto_library(name = "b_proto")\n'),
            'load("//framework/port:build_config.bzl", "syncline_proto_library")\n'
            '# mediapipe_x(name = "a")\nsyncline_proto_library(name = "b_proto")\n')

    def test_arguments_that_this_bazel_does_not_know_go(self):
        self.assertEqual(self.build(
            'package(default_visibility = ["//visibility:public"],'
            ' default_applicable_licenses = ["//mediapipe:license"])\n'),
            'package(default_visibility = ["//visibility:public"])\n')
        self.assertEqual(self.build(
            'package(default_applicable_licenses = ["//mediapipe:license"],\n'
            '        features = ["a"])\n'), 'package(features = ["a"])\n')
        self.assertEqual(self.findings_of_build, [])


class PartOfATreeTest(BuildCase):
    """Some files, with the BUILD file of all."""

    def test_targets_without_files_give_way_to_syncline(self):
        name = "mediapipe/framework/BUILD"
        result = self.port({name: (
            'cc_library(name = "calculator_graph", hdrs = ["calculator_graph.h"])\n'
            'cc_library(name = "nowhere", srcs = ["nowhere.cc"])\n'
            'cc_library(name = "made", srcs = ["made.cc"])\n'
            'genrule(name = "g", outs = ["made.cc"])\n'
            'cc_test(\n    name = "a_test",\n    srcs = ["a_test.cc"],\n'
            '    deps = [":calculator_graph", ":nowhere", ":made"],\n)\n'),
            "mediapipe/framework/a_test.cc": ""}, at="theirs")[name]
        self.assertEqual(result.new, (
            '# cc_library(name = "calculator_graph", hdrs = ["calculator_graph.h"])\n'
            '# cc_library(name = "nowhere", srcs = ["nowhere.cc"])\n'
            'cc_library(name = "made", srcs = ["made.cc"])\n'
            'genrule(name = "g", outs = ["made.cc"])\n'
            'cc_test(\n    name = "a_test",\n    srcs = ["a_test.cc"],\n'
            '    deps = ["//framework:calculator_graph", ":made"],\n)\n'))
        self.assertEqual([(f.line, f.hand) for f in result.findings], [(1, False), (8, True)])
        self.assertIn('"//framework:nowhere"', result.findings[1].text)


class LabelsTest(BuildCase):

    def test_the_rule(self):
        self.assert_deps('"//mediapipe/framework:calculator_framework"',
                         '"//framework:calculator_framework"')
        self.assert_deps('"@mediapipe//mediapipe/framework:calculator_framework"',
                         '"//framework:calculator_framework"')
        self.assert_deps('"//mediapipe/framework:mediapipe_options_proto"',
                         '"//framework:syncline_options_proto"')
        self.assertEqual(self.findings_of_build, [])

    def test_own_packages_move_with_the_tree(self):
        files = {"mediapipe/acme/b/BUILD": 'cc_library(name = "mediapipe_b")\n'}
        self.assert_deps('"//mediapipe/acme/b:mediapipe_b", ":c"', '"//acme/b:mediapipe_b", ":c"',
                         files)
        self.assert_deps('"//mediapipe/acme/b:mediapipe_b"', '"//x/acme/b:mediapipe_b"', files,
                         at="x")

    def test_package_groups_follow(self):
        self.assertEqual(
            self.build('package_group(name = "a", packages = ["//mediapipe/...", '
                       '"//mediapipe/acme/..."])\n', at="x", place="mediapipe"),
            'package_group(name = "a", packages = ["//x/...", "//x/acme/..."])\n')
        self.assertEqual(self.findings_of_build, [])

    def test_the_root_of_a_whole_workspace_is_where_it_goes(self):
        for at, root in ((None, "//..."), ("x", "//x/...")):
            self.assertEqual(
                self.build('package_group(name = "a", packages = ["//mediapipe/..."])\n', at=at),
                f'package_group(name = "a", packages = ["{root}"])\n')

    def test_targets_of_the_root_of_a_whole_workspace_go_where_it_goes(self):
        text = 'config_setting(name = "a")\nalias(name = "b", actual = "%s:a")\n'
        for at, root in ((None, "//"), ("x/y", "//x/y")):
            result = self.port({"mediapipe/BUILD": text % "//mediapipe"}, at=at)["mediapipe/BUILD"]
            self.assertEqual((result.new, result.findings), (text % root, []))

    def test_names_with_the_numbers_of_a_loop_are_known(self):
        text = ('[filegroup(name = "l%d" % i) for i in range(1, 4, 2)]\n'
                'cc_library(name = "a", deps = [":l1", ":l3"])\n')
        self.assertEqual(self.build(text), text)
        self.assertEqual(self.findings_of_build, [])

    def test_packages_of_a_group_are_no_labels(self):
        text = ('P = ["%s/acme"]\npackage_group(name = "a", packages = P + ["%s/acme/nowhere",'
                ' "-%s/acme/b/...", "//acme/...", "//..."])\n')
        ported = text.replace("%s/", "//")
        self.assertEqual(self.build(text.replace("%s", "//mediapipe")), ported)
        self.assertEqual(self.findings_of_build, [])
        # A second port has nothing to tell either.
        again = self.port({"acme/BUILD": ported, "acme/x.txt": ""})["acme/BUILD"]
        self.assertEqual((again.new, again.findings), (ported, []))

    def test_logging_is_glog_and_stands_once(self):
        self.assert_deps(
            '"@com_google_absl//absl/log:absl_check", "@com_google_absl//absl/log:log"',
            '"@com_github_google_glog//:glog"')

    def test_what_is_not_needed_goes(self):
        self.assert_deps(
            '\n        ":b",\n        "@com_google_absl//absl/base:nullability",\n    ',
            '\n        ":b",\n    ')
        self.assert_deps('"@com_google_absl//absl/base:nullability", ":b"', '":b"')

    def test_what_debians_abseil_lacks_is_left_out(self):
        self.assert_deps('"@com_google_absl//absl/memory", "@com_google_absl//absl/crc:crc32c"',
                         '"@com_google_absl//absl/memory"')
        (line, hand, text), = self.findings_of_build
        self.assertEqual((line, hand), (3, True))
        self.assertIn('"//absl/crc:crc32c"', text)

    def test_other_libraries(self):
        self.assert_deps('"@eigen_archive//:eigen3", "@abseil-cpp//absl/strings:string_view"',
                         '"@eigen//:eigen3", "@com_google_absl//absl/strings"')

    def test_a_neighbour_that_only_syncline_has_is_found_there(self):
        name = "mediapipe/framework/BUILD"
        rule = 'cc_test(\n    name = "a_test",\n    deps = [":%s", "%s"],\n)\n'
        self.assertEqual(
            self.port({name: rule % ("a", ":calculator_graph") + 'cc_library(name = "a")\n'},
                      at="ported")[name].new,
            rule % ("a", "//framework:calculator_graph") + 'cc_library(name = "a")\n')

    def test_a_missing_label_is_reported_with_the_nearest(self):
        self.build('cc_library(\n  name = "a",\n'
                   '  deps = ["//mediapipe/framework:calculator_grap"])')
        (line, hand, text), = self.findings_of_build
        self.assertEqual((line, hand), (3, True))
        self.assertIn('the nearest is ":calculator_graph"', text)

    def test_a_target_that_is_for_syncline_alone_is_missing(self):
        for package, visibility, is_there in (
                ("", "", True), ("private", "", False), ("public", "", True),
                ("private", "public", True), ("public", "private", False)):
            text = f'cc_library(name = "hook", visibility = ["//visibility:{visibility}"])\n' \
                if visibility else 'cc_library(name = "hook")\n'
            if package:
                text = f'package(default_visibility = ["//visibility:{package}"])\n' + text
            self.build('cc_library(name = "a", deps = ["//mediapipe/framework/hooks:hook"])',
                       checkout={"framework/hooks/BUILD": text})
            self.assertEqual(len(self.findings_of_build), 0 if is_there else 1, text)

    def test_a_missing_repository_is_reported(self):
        self.build('cc_library(name = "a", deps = ["@org_tensorflow//tensorflow/lite:x"])')
        self.assertIn("Syncline runs no models", self.findings_of_build[0][2])

    def test_visibility(self):
        self.assertEqual(
            self.build('package(default_visibility = ["//mediapipe:__subpackages__"])'),
            'package(default_visibility = ["//:__subpackages__"])')
        self.assertEqual(self.build('f(name = "a", visibility = ["//mediapipe/acme:__pkg__"])'),
                         'f(name = "a", visibility = ["//acme:__pkg__"])')

    def test_whom_all_may_see_may_be_seen_by_others_too(self):
        # "//visibility:public" beside another label keeps Bazel from loading the package.
        self.assertEqual(
            self.build('V = ["//mediapipe/framework:mediapipe_internal"]\n'
                       'f(name = "a", visibility = V + ["//mediapipe:__subpackages__", '
                       '"//mediapipe/acme:__pkg__"])\n'),
            'V = ["//:__subpackages__"]\nf(name = "a", visibility = V + ["//acme:__pkg__"])\n')
        self.assertEqual(self.findings_of_build, [])


class RulesTest(BuildCase):

    def test_macros_and_their_loads(self):
        self.assertEqual(
            self.build('load("//mediapipe/framework/port:build_config.bzl", '
                       '"mediapipe_proto_library")\nmediapipe_proto_library(name = "a_proto")\n'),
            'load("//framework/port:build_config.bzl", "syncline_proto_library")\n'
            'syncline_proto_library(name = "a_proto")\n')
        self.assertEqual(self.findings_of_build, [])

    def test_a_macro_that_is_not_there_is_reported(self):
        self.build('\nload("//mediapipe/framework/port:build_config.bzl", "mediapipe_x")\n')
        (line, _, text), = self.findings_of_build
        self.assertEqual(line, 2)
        self.assertIn('defines no "syncline_x"', text)

    def test_a_load_of_native_rules_goes(self):
        self.assertEqual(self.build('load("@rules_cc//cc:cc_library.bzl", "cc_library")\nx()\n'),
                         "x()\n")
        # By another name it keeps that one.
        self.assertEqual(self.build('load("@x//:p.bzl", pl = "proto_library")\npl(name = "a")\n'),
                         'pl = proto_library\npl(name = "a")\n')
        self.build('load("@rules_foo//:a.bzl", "foo")\n')
        self.assertIn("@rules_foo", self.findings_of_build[0][2])

    def test_programs_of_python_need_a_package_of_the_machine(self):
        text = 'py_test(name = "a", srcs = ["a.py"])\npy_binary(name = "b", srcs = ["a.py"])\n'
        self.assertEqual(self.build(text, {"mediapipe/acme/a.py": ""}), text)
        (line, hand, told), = self.findings_of_build
        self.assertEqual((line, hand), (1, False))
        self.assertIn("python-is-python3", told)

    def test_macros_of_the_tree_move_with_it(self):
        files = {"mediapipe/acme/mediapipe_defs.bzl": "def mediapipe_x(name):\n    pass\n"}
        self.assertEqual(
            self.build('load("//mediapipe/acme:mediapipe_defs.bzl", "mediapipe_x")\n'
                       'mediapipe_x(name = "a")\n', files),
            'load("//acme:mediapipe_defs.bzl", "syncline_x")\nsyncline_x(name = "a")\n')
        self.assertEqual(self.findings_of_build, [])

    def test_a_select_with_a_known_answer_is_that_answer(self):
        self.assert_deps('] + select({"//mediapipe/gpu:disable_gpu": [], '
                         '"//conditions:default": ["//mediapipe/gpu:gl"],}) + [', "] + [")
        self.assert_deps('] + select({"//mediapipe:android": [], "//conditions:default": '
                         '["//mediapipe/framework:subgraph"]}) + [',
                         '] + ["//framework:subgraph"] + [')
        self.assertEqual(self.findings_of_build, [])

    def test_a_condition_that_is_nowhere_is_false(self):
        self.assert_deps('] + select({"//mediapipe/tensor:no_shaders": [":b"], '
                         '"//conditions:default": [":c"]}) + [', '] + [":c"] + [')
        (_, hand, text), = self.findings_of_build
        self.assertFalse(hand)
        self.assertIn('"//mediapipe/tensor:no_shaders"', text)
        text = ('config_setting(name = "x")\n'
                'cc_library(name = "a", copts = select({"//mediapipe/acme:x": [], '
                '"//conditions:default": []}))')
        self.assertEqual(self.build(text), text.replace("//mediapipe/acme", "//acme"))

    def test_a_select_on_something_else_stays(self):
        text = ('cc_library(name = "a", copts = select({"//acme:x": [], '
                '"//conditions:default": []}))')
        self.assertEqual(self.build(text, {"mediapipe/acme/b.cc": ""}), text)

    def test_headers_that_were_added_bring_their_deps(self):
        files = {"mediapipe/acme/a.cc": '#include "mediapipe/framework/calculator_framework.h"\n'
                                        "CalculatorGraph g;\n"}
        rule = 'cc_test(\n    name = "a",\n    srcs = ["a.cc"],\n%s)\nfilegroup(name = "b")\n'
        self.assertEqual(
            self.build(rule % '    deps = [\n        ":b",\n'
                       '        "//mediapipe/framework:calculator_framework",\n    ],\n', files),
            rule % '    deps = [\n        ":b",\n        "//framework:calculator_graph",\n'
            '        "//framework:calculator_framework",\n    ],\n')
        self.assertEqual(self.build('cc_test(name = "a", srcs = glob(["*.cc"]))', files),
                         'cc_test(name = "a",\n    deps = ["//framework:calculator_framework", '
                         '"//framework:calculator_graph"], srcs = glob(["*.cc"]))')

    def test_headers_that_come_through_other_deps_add_none(self):
        files = {"mediapipe/acme/a.cc": '#include "mediapipe/framework/calculator_framework.h"\n'}
        text = ('cc_library(name = "b", deps = ["//framework:calculator_framework"])\n'
                'cc_test(name = "a", srcs = ["a.cc"], deps = [":b"])\n')
        self.assertEqual(self.build(text, files), text)

    def test_macros_in_options_follow(self):
        self.assertEqual(self.build('f(name = "a", copts = ["-DMEDIAPIPE_X=1"])'),
                         'f(name = "a", copts = ["-DSYNCLINE_X=1"])')

    def test_comments_and_line_ends_stay(self):
        self.assertEqual(self.build('# MediaPipe\r\nf(\r\n    name = "a",  # \u00e4\r\n'
                                    '    x = "\u00e4", y = "//mediapipe/framework:subgraph")\r\n'),
                         '# MediaPipe\r\nf(\r\n    name = "a",  # \u00e4\r\n'
                         '    x = "\u00e4", y = "//framework:subgraph")\r\n')

    def test_what_is_no_build_file_is_reported(self):
        for text in ("f(", "\udc80".encode("utf-8", "surrogatepass"), "(" * 3000):
            self.build(text)
            self.assertEqual([f[:2] for f in self.findings_of_build if f[1]], [(1, True)])
        self.build('cc_library(name = "a")\n\ncc_library(name = \n')
        self.assertEqual([f[:2] for f in self.findings_of_build], [(3, True)])


class TargetsTest(unittest.TestCase):

    def test_names_of_rules_macros_and_loops(self):
        tree = build_targets.parse(
            'cc_library(name = "a")\nsyncline_proto_library(name = "b_proto")\n'
            'N = ["c", "d"]\n[cc_library(name = n + "_x") for n in N]\n'
            '[cc_test(name = "%s_test" % n) for n, d in {"e": []}.items()]\n'
            'exports_files(["f.sh"])\n')
        self.assertEqual(build_targets.names(tree), {
            "a", "b_proto", "b_cc_proto", "b_options_lib", "c_x", "d_x", "e_test", "f.sh"})

    def test_labels_are_taken_apart(self):
        self.assertEqual(labels.split("//a/b"), (None, "a/b", "b"))
        self.assertEqual(labels.split("@r//a:b"), ("r", "a", "b"))
        self.assertEqual(labels.split("@r"), ("r", "", "r"))


class ProtoTest(PortCase):

    def proto(self, text):
        name = "mediapipe/acme/a.proto"
        result = self.port({name: text, "mediapipe/acme/b.proto": ""})[name]
        self.found = [tuple(f) for f in result.findings]
        return result.new

    def test_package_types_imports_and_options(self):
        self.assertEqual(
            self.proto('package mediapipe.acme;\nimport "mediapipe/framework/calculator.proto";\n'
                       'import public "mediapipe/acme/b.proto";\n'
                       'option java_package = "com.google.mediapipe.acme";\n'
                       'extend .mediapipe.MediaPipeOptions { optional mediapipe.A ext = 1; }\n'
                       '// mediapipe\n'),
            'package syncline.acme;\nimport "framework/calculator.proto";\n'
            'import public "acme/b.proto";\n'
            'option java_package = "com.google.syncline.acme";\n'
            'extend .syncline.SynclineOptions { optional syncline.A ext = 1; }\n'
            '// mediapipe\n')
        self.assertEqual(self.found, [])

    def test_an_import_follows_the_name_of_its_dep(self):
        imports = 'import "mediapipe/framework/mediapipe_options.proto";\n'
        self.assertEqual(self.proto(imports), 'import "framework/syncline_options.proto";\n')
        self.assertEqual(self.found, [])

    def test_a_missing_import_and_an_edition_are_reported(self):
        self.proto('edition = "2023";\nimport "mediapipe/framework/nothing.proto";\n')
        self.assertEqual([f[:2] for f in self.found], [(1, True), (2, True)])


class GraphTest(PortCase):
    TEXT = 'node { calculator: "A" options { [mediapipe.A.ext] { p: "mediapipe/graphs/a.txt" } } }'

    def graph(self, text, **options):
        files = {"mediapipe/acme/a.pbtxt": text,
                 "mediapipe/acme/a.cc": "REGISTER_CALCULATOR(MediaPipeA);"}
        return self.port(files, **options)["mediapipe/acme/a.pbtxt"]

    def test_a_graph_stays_byte_for_byte_and_its_paths_are_noted(self):
        result = self.graph(self.TEXT)
        self.assertEqual(result.new, self.TEXT)
        self.assertEqual([f.hand for f in result.findings], [False])

    def test_a_graph_follows_on_request(self):
        self.assertEqual(self.graph(self.TEXT, graphs=True).new,
                         self.TEXT.replace("mediapipe.A", "syncline.A").replace("mediapipe/", ""))

    def test_a_class_that_syncline_calls_by_its_own_name_is_that(self):
        self.assertEqual(
            self.port({"mediapipe/a.pbtxt": 'node { calculator: "MediaPipeB" }'},
                      checkout={"framework/tool/b.cc": "REGISTER_CALCULATOR(SynclineB);"})
            ["mediapipe/a.pbtxt"].new, 'node { calculator: "SynclineB" }')

    def test_a_graph_names_renamed_classes_by_their_new_names(self):
        self.assertEqual(self.graph('node { calculator: "MediaPipeA" }').new,
                         'node { calculator: "SynclineA" }')


if __name__ == "__main__":
    unittest.main()
