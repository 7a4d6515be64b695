"""Proves that tidy.py finds what it says it finds.

Each case plants one fault in a small clean tree and expects exactly the
finding that names it.
"""
import os
import tempfile
import unittest

import tidy

HEADER = """\
// A file with a purpose.

#ifndef SYNCLINE_{guard}_
#define SYNCLINE_{guard}_

{body}
#endif  // SYNCLINE_{guard}_
"""


def header(path, body=""):
    guard = path.upper().replace("/", "_").replace(".", "_")
    return HEADER.format(guard=guard, body=body)


class TidySelfTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.write("WORKSPACE", 'workspace(name = "syncline")\n')
        self.write("gpu/BUILD", "")
        self.write("testing/BUILD", "")
        self.write("tools/BUILD", "")
        self.add("framework/packet/packet.h")
        self.add("framework/calculator/contract.h",
                 '#include "framework/packet/packet.h"\n')

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w") as f:
            f.write(text)

    def add(self, path, body=""):
        """A well-formed file with a target of its own."""
        folder, name = os.path.split(path)
        if path.endswith(".h"):
            self.write(path, header(path, body))
        else:
            self.write(path, "// A file with a purpose.\n\n" + body)
        self.write(folder + "/BUILD", f'cc_library(srcs = ["{name}"])\n')

    def findings(self):
        return tidy.Tidy(self.root).run()

    def assert_finds(self, *parts):
        found = self.findings()
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_a_clean_tree_has_no_findings(self):
        self.assertEqual(self.findings(), [])

    def test_an_upward_include(self):
        self.add("framework/packet/packet.h",
                 '#include "framework/calculator/contract.h"\n')
        self.assert_finds("framework/packet/packet.h:6", "upward",
                          "framework/calculator/contract.h")

    def test_an_include_of_a_sibling(self):
        self.add("framework/plan/compile.h",
                 '#include "framework/scheduler/task_queue.h"\n')
        self.assert_finds("sideways")

    def test_every_pair_of_layers_is_decided_by_the_table(self):
        layers = tidy.why_not.__globals__["LAYERS"]
        for user, high in layers.items():
            for used, low in layers.items():
                reason = tidy.why_not(f"framework/{user}/a.h",
                                      f"framework/{used}/b.h")
                self.assertEqual(reason is None, user == used or low < high,
                                 (user, used, reason))

    def test_a_layer_that_uses_the_public_face(self):
        self.add("framework/plan/compile.h", '#include "framework/packet.h"\n')
        self.assert_finds("public face")

    def test_a_layer_without_a_place_in_the_table(self):
        self.add("framework/novelty/a.h", '#include "framework/base/b.h"\n')
        self.assert_finds("framework/novelty/ is not in the table")

    def test_tests_of_a_layer_may_use_port(self):
        self.add("framework/packet/packet_test.cc",
                 '#include "framework/port/gtest.h"\n')
        self.write("framework/packet/BUILD",
                   'cc_test(srcs = ["packet.h", "packet_test.cc"])\n')
        self.assertEqual(self.findings(), [])

    def test_a_layer_that_uses_testing(self):
        self.add("framework/plan/compile.cc",
                 '#include "testing/packet_matchers.h"\n')
        self.assert_finds("a layer of framework/ does not use testing/")

    def test_a_test_of_a_layer_that_uses_testing(self):
        self.add("framework/packet/packet_test.cc",
                 '#include "testing/packet_matchers.h"\n')
        self.write("framework/packet/BUILD",
                   'cc_test(srcs = ["packet.h", "packet_test.cc"])\n')
        self.assert_finds("a layer of framework/ does not use testing/")

    def test_an_upward_dep(self):
        self.write("framework/packet/BUILD",
                   'cc_library(srcs = ["packet.h"],\n'
                   '           deps = ["//framework/calculator:contract"])\n')
        self.assert_finds("framework/packet/BUILD:2", "upward")

    def test_an_upward_proto_import(self):
        self.add("framework/config/graph.proto",
                 'import "framework/calculator.proto";\n')
        self.assert_finds("framework/config/graph.proto:3", "public face")

    def test_a_calculator_that_reaches_under_the_public_face(self):
        self.add("calculators/core/a.cc",
                 '#include "framework/packet/packet.h"\n')
        self.assert_finds("calculators use the public face")

    def test_formats_are_a_layer_and_public(self):
        for user in ("calculators/core/a.cc", "util/a.h", "framework/a.h",
                     "util/a.proto"):
            self.assertIsNone(tidy.why_not(user, "framework/formats/b.h"))
        self.assertIsNotNone(
            tidy.why_not("framework/formats/b.h", "framework/packet.h"))
        self.assertIsNone(
            tidy.why_not("framework/formats/b.h", "framework/packet/packet.h"))

    def test_util_stands_between_the_public_face_and_the_calculators(self):
        self.assertIsNone(tidy.why_not("calculators/core/a.cc", "util/b.h"))
        self.assertIsNone(tidy.why_not("util/b.h", "framework/packet.h"))
        self.assertIn("util/ uses the public face",
                      tidy.why_not("util/b.h", "framework/packet/packet.h"))
        self.assertIn("util/ does not use calculators/",
                      tidy.why_not("util/b.h", "calculators/core/a.h"))
        self.assertIn("framework/ does not use util/",
                      tidy.why_not("framework/packet.h", "util/b.h"))

    def test_a_proto_of_a_calculator_that_forwards_to_the_config_protos(self):
        self.add("calculators/internal/a.proto",
                 'import public "framework/config/a.proto";\n')
        self.write("calculators/internal/BUILD",
                   'proto_library(srcs = ["a.proto"],\n'
                   '              deps = ["//framework/config:a_proto"])\n')
        self.assertEqual(self.findings(), [])

    def test_a_calculator_that_runs_graphs(self):
        self.add("framework/graph/calculator_graph.h",
                 '#include "framework/packet/packet.h"\n')
        self.add("framework/tool/runner.h",
                 '#include "framework/tool/runner.h"\n'
                 '#include "framework/packet/packet.h"\n'
                 '#include "framework/graph/calculator_graph.h"\n')
        self.add("framework/api2/function.h",
                 '#include "framework/tool/runner.h"\n')
        self.add("calculators/core/a.cc",
                 '#include "framework/api2/function.h"\n')
        self.assert_finds("calculators/core/a.cc:3", "authoring side",
                          "stands on framework/graph/")

    def test_a_calculator_that_is_a_subgraph(self):
        self.add("framework/expansion/subgraph.h",
                 '#include "framework/packet/packet.h"\n')
        self.add("framework/subgraph.h",
                 '#include "framework/expansion/subgraph.h"\n')
        self.add("calculators/core/switch_container.cc",
                 '#include "framework/subgraph.h"\n')
        self.assertEqual(self.findings(), [])

    def test_what_stands_on_calculators_is_above_them(self):
        upper = "framework/api2/stream/threshold.h"
        self.assertIsNone(tidy.why_not(upper, "calculators/core/a.pb.h"))
        self.assertIsNone(tidy.why_not(upper, "framework/api2/builder.h"))
        self.assertIsNone(tidy.why_not("framework/tool/simulation_clock.h",
                                       "testing/simulation_clock.h"))
        for user in ("framework/api2/builder.h", "framework/packet.h",
                     "calculators/core/a.cc", "util/a.h"):
            self.assertIn("above", tidy.why_not(user, upper))
        self.assertIsNone(tidy.why_not("examples/a/a.cc", upper))
        self.assertIn("framework/ does not use calculators/",
                      tidy.why_not("framework/api2/builder.h",
                                   "calculators/core/a.pb.h"))

    def test_gpu_above_its_layers(self):
        self.add("gpu/devices.h", '#include "framework/plan/compile.h"\n')
        self.assert_finds("gpu/ uses layers 0 to 3 only")

    def test_pages_stand_below_the_programs(self):
        self.assertIsNone(tidy.why_not("pages/a.cc", "framework/plan/b.h"))
        self.assertIsNone(tidy.why_not("pages/a_test.cc", "tools/b.h"))
        self.assertIn("below the programs",
                      tidy.why_not("pages/a.cc", "tools/b.h"))

    def test_a_cuda_header_outside_gpu_cuda(self):
        self.add("gpu/devices.h", "#include <cuda_runtime_api.h>\n")
        self.assert_finds("gpu/cuda/")

    def test_a_cuda_header_in_a_cu_file(self):
        self.write("gpu/kernel.cu", "// A kernel.\n#include <cuda_fp16.h>\n")
        self.write("gpu/BUILD", 'syncline_cuda_kernel(name = "kernel", '
                   'srcs = ["devices.h", "kernel.cu"])\n')
        self.assertEqual(self.findings(), [])

    def test_what_nvcc_should_not_read(self):
        self.write("gpu/kernel.cu",
                   '// A kernel.\n#include "gpu/devices.h"\n')
        self.add("gpu/devices.h", '#include "absl/status/status.h"\n')
        self.write("gpu/BUILD", 'syncline_cuda_kernel(name = "kernel", '
                   'srcs = ["devices.h", "kernel.cu"])\n')
        self.assert_finds("nvcc reads this")

    def test_a_lock_that_is_not_ours(self):
        self.add("framework/plan/compile.h", "std::mutex mutex;\n")
        self.assert_finds("base/mutex.h")

    def test_an_include_without_its_path(self):
        self.add("framework/packet/packet.h", '#include "other.h"\n')
        self.assert_finds("from the root")

    def test_a_wrong_header_guard(self):
        self.write("framework/packet/packet.h", header("framework/other.h"))
        self.assert_finds("SYNCLINE_FRAMEWORK_PACKET_PACKET_H_")

    def test_headers_that_would_hide_each_other(self):
        self.add("framework/calculator_contract.h",
                 '#include "framework/calculator/contract.h"\n')
        self.assert_finds("SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_H_PUBLIC_")

    def test_a_file_without_an_opening_comment(self):
        self.write("framework/calculator/contract.h",
                   header("framework/calculator/contract.h").split("\n", 2)[2])
        self.assert_finds("does not open with a comment")

    def test_an_implementation_leaves_the_purpose_to_its_header(self):
        self.write("framework/packet/packet.cc", "int a;\n")
        self.write("framework/packet/BUILD",
                   'cc_library(srcs = ["packet.h", "packet.cc"])\n')
        self.assertEqual(self.findings(), [])

    def test_a_test_without_a_header_of_its_name_says_what_it_pins_down(self):
        self.write("framework/packet/sharing_test.cc", "int a;\n")
        self.write("framework/packet/BUILD",
                   'cc_test(srcs = ["packet.h", "sharing_test.cc"])\n')
        self.assert_finds("sharing_test.cc", "does not open with a comment")

    def test_a_dead_file(self):
        self.write("framework/packet/forgotten.cc", "// Nobody builds me.\n")
        self.assert_finds("framework/packet/forgotten.cc", "dead")

    def test_files_named_by_a_glob_or_a_comprehension_are_alive(self):
        for name in ("a.proto", "b.proto", "c_x.cc"):
            self.write("framework/config/" + name, "// A purpose.\n")
        self.write("framework/config/BUILD",
                   '[proto_library(srcs = [n + ".proto"]) for n in '
                   '["a", "b"]]\ncc_library(srcs = glob(["c_*.cc"]))\n')
        self.assertEqual(self.findings(), [])

    def test_the_usual_rules_name_the_usual_files(self):
        for name in ("packet.h", "packet.cc", "packet_test.cc", "lone_test.cc"):
            self.add("framework/packet/" + name)
        self.write("framework/config/a.proto", "// A purpose.\n")
        self.write("framework/config/BUILD", 'syncline_proto(name = "a_proto")\n')
        self.write("framework/packet/BUILD",
                   'syncline_library(name = "packet", test_deps = [])\n'
                   'syncline_test(name = "lone_test")\nfolder_test()\n')
        self.assertEqual(self.findings(), [])
        self.write("framework/packet/BUILD",
                   'syncline_library(name = "packet", hdrs = ["packet.h"])\n'
                   'syncline_test(name = "lone_test", srcs = ["lone_test.cc"])\n'
                   'folder_test()\n')
        self.assertEqual(
            [f"framework/packet/{name}:1: dead: no target names this file"
             for name in ("packet.cc", "packet_test.cc")], self.findings())

    def test_the_parts_of_a_library_and_their_tests(self):
        for name in ("a.h", "a.cc", "b.h", "b_test.cc", "c_test.cc"):
            self.add("framework/packet/" + name)
        self.add("framework/packet/packet.h", "// Tested by b_test and c_test.\n")
        build = ('syncline_library(name = "packet", hdrs = ["packet.h"])\n'
                 'syncline_library(name = "both", parts = ["a", "b"]%s)\n'
                 'folder_test()\n')
        self.write("framework/packet/BUILD", build % ", test_deps = []")
        self.assertEqual(
            ["framework/packet/c_test.cc:1: dead: no target names this file",
             "framework/packet/packet.h:6: there is no test c_test"],
            self.findings())
        self.write("framework/packet/BUILD",
                   build % ', tests = ["b_test", "c_test"], test_deps = []')
        self.assertEqual(self.findings(), [])

    def test_an_include_of_a_part_without_its_dep(self):
        self.add("framework/packet/b.cc", '#include "framework/packet/packet.h"\n')
        build = ('syncline_library(name = "packet")\n'
                 'syncline_library(name = "both", parts = ["a", "b"]%s)\n')
        self.add("framework/packet/a.h")
        self.write("framework/packet/BUILD", build % "")
        self.assert_finds("framework/packet/BUILD:2",
                          'add "//framework/packet:packet" to the deps')
        self.write("framework/packet/BUILD", build % ', deps = [":packet"]')
        self.assertEqual(self.findings(), [])

    def test_a_list_is_checked_where_its_name_stands(self):
        self.write("framework/packet/BUILD",
                   '_ALL = ["//framework/calculator:contract"]\n'
                   'syncline_library(name = "packet", deps = _ALL + [])\n')
        self.assert_finds("framework/packet/BUILD:1", "upward")

    def test_forwarding_files(self):
        self.add("framework/a.h", '#include "framework/packet/packet.h"\n')
        self.write("framework/b.proto", '// A purpose.\n'
                   'import public "framework/config/b.proto";\n')
        self.write("framework/packet/BUILD", 'syncline_library(name = "packet")\n')
        self.write("framework/config/b.proto", "// A purpose.\n")
        self.write("framework/config/BUILD", 'syncline_proto(name = "b_proto")\n')
        build = ('forwarding_headers(headers = {"a": "//framework/%s"})\n'
                 'forwarding_protos(protos = ["b"])\n')
        self.write("framework/BUILD", build % "packet")
        self.assertEqual(self.findings(), [])
        self.write("framework/BUILD", build % "calculator:contract")
        self.assert_finds("framework/BUILD:1", '"framework/a.h"',
                          'add "//framework/packet:packet"')
        self.write("framework/BUILD", build % "packet" + "\n" +
                   'forwarding_headers(headers = {"c": "//calculators/core:x"})\n')
        os.makedirs(os.path.join(self.root, "calculators"))
        self.assert_finds("framework/BUILD:4", "does not use calculators/")

    def test_an_upward_dep_of_the_test_of_a_library(self):
        self.write("framework/packet/BUILD",
                   'syncline_library(name = "packet",\n'
                   '    test_deps = ["//framework/calculator:contract",\n'
                   '                 "//framework/port:gtest"])\n'
                   'folder_test()\n')
        self.assert_finds("framework/packet/BUILD:2", "upward")

    def test_an_include_without_its_dep(self):
        self.add("framework/packet/queue.h",
                 '#include "framework/packet/packet.h"\n')
        build = ('syncline_library(name = "packet", hdrs = ["packet.h"])\n'
                 'syncline_library(name = "queue"%s)\n')
        self.write("framework/packet/BUILD", build % "")
        self.assert_finds("framework/packet/BUILD:2", '"framework/packet/queue.h"',
                          'add "//framework/packet:packet" to the deps')
        for dep in (":packet", "//framework/packet", "//framework/packet:packet"):
            self.write("framework/packet/BUILD",
                       build % f', deps = ["{dep}"]')
            self.assertEqual(self.findings(), [])

    def test_a_macro_of_the_log_without_its_header(self):
        header_of_log = '#include "framework/port/logging.h"\n'
        own = '#include "framework/packet/packet.h"\n'
        for in_header, in_source, finds in ((0, 0, 1), (1, 0, 0), (0, 1, 0)):
            self.add("framework/packet/packet.h", header_of_log * in_header)
            self.add("framework/packet/packet.cc", own +
                     header_of_log * in_source + "void F() { DCHECK(true); }\n")
            self.write("framework/packet/BUILD",
                       'syncline_library(name = "packet",'
                       ' deps = ["//framework/port:logging"])\n')
            found = [f for f in self.findings() if "glog/logging.h" in f]
            self.assertEqual(len(found), finds, found)

    def test_a_message_without_its_dep(self):
        self.write("framework/config/a.proto", "// A purpose.\n")
        self.write("framework/config/BUILD", 'syncline_proto(name = "a_proto")\n')
        self.add("framework/packet/packet.h",
                 '#include "framework/config/a.pb.h"\n')
        build = 'cc_library(name = "packet", hdrs = ["packet.h"], deps = [%s])\n'
        self.write("framework/packet/BUILD", build % "")
        self.assert_finds('add "//framework/config:a_cc_proto"')
        self.write("framework/packet/BUILD",
                   build % '"//framework/config:a_cc_proto"')
        self.assertEqual(self.findings(), [])

    def test_a_comment_that_names_a_test(self):
        self.add("framework/packet/packet.h",
                 "// Tested by packet_test and, in\n"
                 "// graphs, by //framework/graph:order_test.\n")
        self.assertEqual(
            self.findings(),
            ["framework/packet/packet.h:6: there is no test packet_test",
             "framework/packet/packet.h:7: there is no test order_test"])
        self.write("framework/graph/BUILD", 'sh_test(name = "order_test")\n')
        self.assert_finds("packet_test")
        self.write("framework/packet/BUILD",
                   'syncline_library(name = "packet", test_deps = [])\n'
                   'folder_test()\n')
        self.assertEqual(self.findings(), [])

    def test_a_comment_that_names_a_source_of_a_test(self):
        self.add("framework/packet/packet.h", "// Tested by packet_test.\n")
        self.add("framework/packet/packet_test.cc")
        self.add("framework/packet/other_test.cc")
        build = ('cc_library(name = "packet", hdrs = ["packet.h"])\n'
                 'cc_test(name = "parts_test", srcs = [%s])\n')
        self.write("framework/packet/BUILD",
                   build % '"packet_test.cc", "other_test.cc"')
        self.assertEqual(self.findings(), [])
        self.write("framework/packet/BUILD",
                   build % '"packet_test.cc"' + 'filegroup(name = "o",'
                   ' srcs = ["other_test.cc"])\n')
        self.assert_finds("there is no test packet_test")

    def test_a_test_that_no_folder_test_runs(self):
        self.add("framework/packet/packet.h")
        self.add("framework/packet/packet_test.cc")
        self.add("framework/packet/lone_test.cc")
        self.write("framework/packet/BUILD",
                   'syncline_library(name = "packet", test_deps = [])\n'
                   'folder_test()\n'
                   'syncline_test(name = "lone_test")\n')
        self.assertEqual(
            self.findings(),
            ["framework/packet/BUILD:3: no folder_test() below this test runs it"])
        self.write("framework/packet/BUILD",
                   'syncline_library(name = "packet", test_deps = [])\n'
                   'cc_test(name = "lone_test", srcs = ["lone_test.cc"])\n')
        self.assert_finds("framework/packet/BUILD:1", "folder_test")

    def test_a_name_that_is_no_test_of_the_comment(self):
        self.add("framework/packet/packet.h",
                 "// Tested by packet_*_test. See packet_test.\n"
                 "int packet_test;\n")
        self.assertEqual(self.findings(), [])

    def test_an_unfinished_file(self):
        self.add("framework/packet/packet.h", "// TO" "DO: the rest\n")
        self.assert_finds("unfinished")

    def test_a_name_from_outside_the_project(self):
        self.add("framework/packet/packet.h", "// see ../sha" "red/design\n")
        self.assert_finds("outside the project")

    def test_a_long_line(self):
        self.add("framework/packet/packet.h", "//" + " word" * 16 + "\n")
        self.assert_finds("longer than 80")

    def test_a_long_line_inside_a_raw_string(self):
        text = 'R"x(\n' + "word " * 19 + 'end\n)x"; f(R"(a)");\n'
        self.add("framework/packet/packet.h", "// A purpose.\n" + text)
        self.assertEqual(self.findings(), [])
        self.add("framework/packet/packet.h", text + "word " * 20 + "w\n")
        self.assert_finds("longer than 80")

    def test_a_long_line_that_cannot_be_broken(self):
        self.add("framework/packet/packet.h", "// " + "w" * 90 + "\n")
        self.assertEqual(self.findings(), [])

    def test_a_tab_and_trailing_blanks(self):
        self.write("tools/BUILD", "\n".join(["a = 1 ", ""]))
        self.assert_finds("blanks at the end")
        self.write("tools/BUILD", "if a:\n\tb = 1\n")
        self.assert_finds("tab")

    def test_a_link_that_leads_nowhere(self):
        self.write("docs/a.md", "[b](b.md) and [c](https://example.org)\n")
        self.assert_finds("docs/a.md:1", '"b.md" does not exist')


    def test_port_and_deps_make_no_circle(self):
        self.add("framework/deps/map.h", '#include "framework/port/map.h"\n')
        self.add("framework/port/map.h")
        self.assertEqual(self.findings(), [])
        self.add("framework/port/map.h", '#include "framework/deps/map.h"\n')
        self.assert_finds("framework/port/map.h", "deps/ stands on port/")

    def test_a_word_with_another_meaning(self):
        self.add("framework/packet/packet.h", "// Waits for news.\n")
        self.assert_finds("framework/packet/packet.h", '"news" is not the word')

    def test_a_word_where_it_has_its_meaning(self):
        self.add("framework/node/node.h", "// Busy, with news.\n")
        self.assertEqual(self.findings(), [])

    def test_words_of_code_are_free(self):
        self.add("framework/packet/packet.h", "int watermark = 0;\n")
        self.write("README.md", "```\nwatermark\n```\n`watermark`\n")
        self.assertEqual(self.findings(), [])

    def test_names_in_code(self):
        self.add("framework/packet/packet.h", "int edge = 0;\n")
        self.assertEqual(self.findings(), [])
        self.add("framework/stream/other.h", "  // its edge\n  input.back_edge;\n"
                 '  Say("its edge");\n')
        self.assertEqual(self.findings(), [])
        self.add("framework/run/one.h", "\nint its_queue = 0;\n")
        self.assert_finds("framework/run/one.h", '"its_queue" is no good name')
        self.add("framework/run/one.h", "void OnQueueEdge();\n")
        self.assert_finds("framework/run/one.h", "OnQueueEdge")

    def test_words_of_pages(self):
        self.write("README.md", "A side-packet.\n")
        self.assert_finds("README.md", 'say "side packet"')

    def glossary(self, terms):
        self.write("docs/glossary.md", "# Glossary\n\n" + "".join(
            f"| **{term}** | {meaning} |\n" for term, meaning in terms))

    def test_a_glossary(self):
        self.glossary([(f"term {i}", "news") for i in range(40)])
        self.assertEqual(self.findings(), [])

    def test_a_glossary_that_is_too_long(self):
        self.glossary([(f"term {i}", "a meaning") for i in range(42)])
        self.assert_finds("docs/glossary.md", "more than 40 terms")

    def test_a_term_with_two_meanings(self):
        self.glossary([("a", "one"), ("b", "two"), ("a", "three")])
        self.assert_finds("docs/glossary.md", '"a" stands in line 3 already')

    def test_a_term_without_a_meaning(self):
        self.glossary([("a", "")])
        self.assert_finds("docs/glossary.md", '"a" has no meaning')


if __name__ == "__main__":
    unittest.main()
