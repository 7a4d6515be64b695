"""What becomes of C++: names, strings, comments, includes, macros of all eras."""
import unittest

from port import cpp_tokens
from port.testing import PortCase


class TokensTest(unittest.TestCase):

    def kinds(self, text):
        return [(t.kind, t.text) for t in cpp_tokens.tokens(text) if t.kind != "blank"]

    def test_every_character_belongs_to_one_token(self):
        for text in ('a "b\\"c" \'d\' // e\n', 'R"x( )" )x" y', '"open\n', "/* open",
                     "#include <a>\r\n", "1'000.5e-3f", "a->*b >>= c", "\x00\udc80\ufeff", "'"):
            self.assertEqual("".join(t.text for t in cpp_tokens.tokens(text)), text)

    def test_a_raw_string_ends_at_its_own_mark(self):
        self.assertEqual(self.kinds('R"pb(a ")" // b)pb"c')[0], ("raw", 'R"pb(a ")" // b)pb"c'))

    def test_a_comment_goes_on_after_a_backslash(self):
        self.assertEqual(self.kinds("// a\\\nb\nc")[-1], ("name", "c"))

    def test_an_include_is_one_only_where_a_line_begins(self):
        self.assertEqual(self.kinds('  # include "a.h"')[0][0], "include")
        self.assertNotIn("include", [k for k, _ in self.kinds('x #include "a.h"')])

    def test_what_never_ends_is_read_in_linear_time(self):
        for text in ('"' + "\\\n" * 5000, "'" + "\\\r\n" * 5000, 'R"(' * 5000, "/*" * 5000,
                     "//" + "\\\n" * 5000):
            self.assertEqual("".join(t.text for t in cpp_tokens.tokens(text)), text)

    def test_digits_may_be_separated(self):
        self.assertEqual(self.kinds("1'000'000;")[0], ("number", "1'000'000"))


class OneEuroTest(PortCase):
    _INCLUDE = '#include "mediapipe/util/filtering/one_euro_filter.h"\n'

    def notes(self, text, more=()):
        result = self.port({"mediapipe/acme/a.cc": text, **dict(more)},
                           checkout={"util/filtering/one_euro_filter.h": ""})["mediapipe/acme/a.cc"]
        return [(f.line, f.hand) for f in result.findings if "OneEuroFilter::Apply" in f.text]

    def test_a_call_whose_scale_may_stand_before_its_value_has_a_note(self):
        text = ("x = filter.Apply(now, f(1, 2),\n  3);\ny = filters[0]->Apply(a, {1, 2}, s[i, j]);\n"
                "z = filter.Apply(now, 2) + filter.Apply() + Apply(1, 2, 3) + filter.Apply;\n"
                "filter.Apply(1, 2, 3, 4);\n// filter.Apply(1, 2, 3)\nfilter.Apply(1, 2, 3\n")
        self.assertEqual(self.notes(self._INCLUDE + text), [(2, False), (4, False)])

    def test_of_files_that_include_its_header_themselves_or_by_one_of_the_tree(self):
        call = "x = filter_.Apply(now, 1, 2);\n"
        self.assertEqual(self.notes(call), [])
        self.assertEqual(self.notes('#include "mediapipe/acme/a.h"\n' + call,
                                    {"mediapipe/acme/a.h": self._INCLUDE}.items()), [(2, False)])

    def test_calls_that_do_not_close_are_read_in_linear_time(self):
        self.assertEqual(self.notes(self._INCLUDE + "f.Apply(1, " * 20000), [])


class NamesTest(PortCase):

    def test_names_follow_the_rule(self):
        self.assert_ports(
            "namespace mediapipe::acme {\nusing ::mediapipe::Packet;\n"
            "const MediaPipeOptions* kMediapipeX = MEDIAPIPE_LOC;\n}\n",
            "namespace syncline::acme {\nusing ::syncline::Packet;\n"
            "const SynclineOptions* kSynclineX = SYNCLINE_LOC;\n}\n")

    def test_registration_and_contract_macros_follow_the_rule(self):
        self.assert_ports(
            "MEDIAPIPE_REGISTER_NODE(A);\nREGISTER_MEDIAPIPE_GRAPH(B);\n"
            "MEDIAPIPE_NODE_CONTRACT(kIn, kOut);\n",
            "SYNCLINE_REGISTER_NODE(A);\nREGISTER_SYNCLINE_GRAPH(B);\n"
            "SYNCLINE_NODE_CONTRACT(kIn, kOut);\n")

    def test_guards_and_the_comments_that_close_them_follow(self):
        self.assert_ports(
            "#ifndef MEDIAPIPE_A_H_\n#define MEDIAPIPE_A_H_\nnamespace mediapipe {\n"
            "}  // namespace mediapipe\n#endif  // MEDIAPIPE_A_H_\n",
            "#ifndef SYNCLINE_A_H_\n#define SYNCLINE_A_H_\nnamespace syncline {\n"
            "}  // namespace syncline\n#endif  // SYNCLINE_A_H_\n")

    def test_prose_in_comments_stays(self):
        text = ("// Copyright 2019 The MediaPipe Authors.\n/* mediapipe::Packet, see "
                "https://mediapipe.dev */\nint x;  // of mediapipe\n")
        self.assertEqual(self.port_cpp(text), text)

    def test_code_in_comments_is_no_code(self):
        text = '// #include "mediapipe/a.h"\n/* MP_RETURN_IF_ERROR(x); */\n'
        self.assertEqual(self.port_cpp(text), text)


class StringsTest(PortCase):

    def test_types_and_cpp_names_in_strings_follow(self):
        self.assert_ports(
            'f("mediapipe.Foo", "type.googleapis.com/mediapipe.a.Foo", "::mediapipe::Foo");\n',
            'f("syncline.Foo", "type.googleapis.com/syncline.a.Foo", "::syncline::Foo");\n')

    def test_names_in_unnamed_namespaces_follow(self):
        self.assert_ports(
            'f("mediapipe::(anonymous namespace)::A", "v<mediapipe::{anonymous}::B>", '
            '"mediapipe::a::(anonymous namespace)::C", "mediapipe::(prose)");\n',
            'f("syncline::(anonymous namespace)::A", "v<syncline::{anonymous}::B>", '
            '"syncline::a::(anonymous namespace)::C", "mediapipe::(prose)");\n')

    def test_an_extension_without_a_message_follows(self):
        self.assert_ports('f("options { [mediapipe.factor]: 3 }");\n',
                          'f("options { [syncline.factor]: 3 }");\n')

    def test_the_beginning_of_a_name_follows(self):
        self.assert_ports('f("mediapipe." + x, "::mediapipe::" + y, "{ [mediapipe." + z);\n',
                          'f("syncline." + x, "::syncline::" + y, "{ [syncline." + z);\n')

    def test_golden_text_follows_so_that_it_equals_what_is_printed(self):
        self.assert_ports(
            'EXPECT_EQ(c.DebugString(), R"pb(options { [mediapipe.FooOptions.ext] { a: 1 } }\n'
            'node_options { [type.googleapis.com/mediapipe.MediaPipeOptions] {} })pb");\n',
            'EXPECT_EQ(c.DebugString(), R"pb(options { [syncline.FooOptions.ext] { a: 1 } }\n'
            'node_options { [type.googleapis.com/syncline.SynclineOptions] {} })pb");\n')

    def test_paths_from_the_root_lose_their_first_component(self):
        self.assert_ports(
            'f("mediapipe/framework/testdata/a.pbtxt", "./mediapipe/calculators/b", '
            '"--graph=mediapipe/graphs/c", JoinPath("x", "/mediapipe/modules/d"));\n',
            'f("framework/testdata/a.pbtxt", "./calculators/b", '
            '"--graph=graphs/c", JoinPath("x", "/modules/d"));\n')

    def test_paths_of_the_tree_follow_it_also_those_of_what_it_makes(self):
        for path, new in (("mediapipe/acme/made.binarypb", "x/acme/made.binarypb"),
                          ("mediapipe/acme/data/a.txt", "x/acme/data/a.txt"),
                          ("mediapipe/framework/made.binarypb", "framework/made.binarypb")):
            self.assertEqual(self.port_cpp(f'auto a = "{path}";\n', "a.cc", at="x/acme",
                                           place="mediapipe/acme"), f'auto a = "{new}";\n')

    def test_paths_of_a_whole_workspace_follow_it(self):
        result = self.port({"mediapipe/acme/a.cc": 'auto a = "mediapipe/acme/made.binarypb";\n'
                            'auto b = "mediapipe/graphs/b.pbtxt";\n'}, at="x")
        self.assertEqual(result["mediapipe/acme/a.cc"].new,
                         'auto a = "x/acme/made.binarypb";\nauto b = "graphs/b.pbtxt";\n')

    def test_a_folder_of_the_tree_counts_as_a_path(self):
        self.assert_ports('f("mediapipe/acme/a.txt");\n', 'f("acme/a.txt");\n')

    def test_prose_and_addresses_stay(self):
        text = ('f("MediaPipe failed", "https://github.com/google/mediapipe/framework/x", '
                '"mediapipe", "all of mediapipe.", "com.google.mediapipe.Foo", '
                '"www.mediapipe.dev");\n')
        self.assertEqual(self.port_cpp(text), text)

    def test_a_renamed_class_is_renamed_where_graphs_name_it(self):
        self.assert_ports(
            'class MediaPipeFoo {};\nREGISTER_CALCULATOR(MediaPipeFoo);\n'
            'f("node { calculator: \'MediaPipeFoo\' }", "NotMediaPipeFoo");\n',
            'class SynclineFoo {};\nREGISTER_CALCULATOR(SynclineFoo);\n'
            'f("node { calculator: \'SynclineFoo\' }", "NotMediaPipeFoo");\n')


class IncludesTest(PortCase):

    def test_the_first_component_goes(self):
        self.assert_ports('#include "mediapipe/framework/packet.h"\n#include <vector>\n',
                          '#include "framework/packet.h"\n#include <vector>\n')

    def test_a_header_that_syncline_has_by_its_own_name_is_that(self):
        self.assert_ports('#include "mediapipe/framework/mediapipe_options.pb.h"\n',
                          '#include "framework/syncline_options.pb.h"\n')

    def test_the_header_of_a_class_that_is_registered_in_a_source_is_left_out(self):
        name = "mediapipe/acme/a_test.cc"
        result = self.port({name: "".join(
            f'#include "mediapipe/calculators/core/{header}_calculator.h"\n'
            for header in ("pass_through", "no_such"))})[name]
        self.assertEqual(result.new, '#include "calculators/core/no_such_calculator.h"\n')
        self.assertEqual([(f.line, f.hand) for f in result.findings], [(1, False), (2, True)])
        self.assertIn('"calculators/core/pass_through_calculator.cc"', result.findings[0].text)

    def test_a_file_of_the_tree_moves_with_it(self):
        files = {"mediapipe/acme/a.h": "", "mediapipe/acme/b.proto": "",
                 "mediapipe/acme/a.cc": '#include "mediapipe/acme/a.h"\n'
                                        '#include "mediapipe/acme/b.pb.h"\n'}
        self.assertEqual(self.port(files, at="x/y")["mediapipe/acme/a.cc"].new,
                         '#include "x/y/acme/a.h"\n#include "x/y/acme/b.pb.h"\n')
        self.assertEqual(self.port(files)["mediapipe/acme/a.cc"].new,
                         '#include "acme/a.h"\n#include "acme/b.pb.h"\n')

    def test_a_missing_header_is_reported_with_line_and_advice(self):
        (line, hand, text), = self.findings(
            '#include "mediapipe/framework/packet.h"\n#include "mediapipe/gpu/gl_context.h"\n')
        self.assertEqual((line, hand), (2, True))
        self.assertIn('Syncline has no "gpu/gl_context.h"', text)
        self.assertIn("CUDA", text)

    def test_a_missing_header_is_reported_with_the_nearest(self):
        (_, _, text), = self.findings('#include "mediapipe/framework/formats/packet.h"\n')
        self.assertIn('the nearest is "framework/packet.h"', text)

    def test_what_no_build_compiles_needs_no_hands(self):
        for condition in ("#if !MEDIAPIPE_DISABLE_GPU", "#ifndef MEDIAPIPE_DISABLE_GPU",
                          "#if !defined(MEDIAPIPE_DISABLE_GPU) && X", "#ifdef __APPLE__",
                          "#if 0", "#if X\n#elif defined(__ANDROID__)",
                          "#if defined(MEDIAPIPE_DISABLE_GPU) || X\n#else"):
            self.assertEqual(self.findings(
                condition + '\n#include "mediapipe/gpu/gl_context.h"\n#endif\n'), [], condition)

    def test_what_some_build_compiles_is_reported(self):
        for condition in ("#if X", "#ifdef MEDIAPIPE_DISABLE_GPU", "#if 0\n#else",
                          "#if !MEDIAPIPE_DISABLE_GPU\n#endif\n#if 1"):
            self.assertEqual(len(self.findings(
                condition + '\n#include "mediapipe/gpu/gl_context.h"\n#endif\n')), 1, condition)

    def test_a_condition_on_the_gpu_is_decided_by_port_h(self):
        self.assert_ports(
            '#include "mediapipe/framework/packet.h"\n#if !MEDIAPIPE_DISABLE_GPU\n#endif\n',
            '#include "framework/port.h"\n#include "framework/packet.h"\n'
            "#if !SYNCLINE_DISABLE_GPU\n#endif\n")

    def test_port_h_comes_before_the_first_condition(self):
        self.assert_ports(
            "#if !MEDIAPIPE_DISABLE_GPU\n#include <map>\n#endif\n"
            '#include "mediapipe/framework/packet.h"\n',
            '#include "framework/port.h"\n#if !SYNCLINE_DISABLE_GPU\n#include <map>\n#endif\n'
            '#include "framework/packet.h"\n')

    def test_an_include_is_added_behind_a_line_without_an_end(self):
        self.assertEqual(
            self.port_cpp('CalculatorGraph g;\n#include "mediapipe/framework/packet.h"'),
            'CalculatorGraph g;\n#include "framework/packet.h"\n'
            '#include "framework/calculator_graph.h"\n')

    def test_headers_that_mediapipe_brings_along_are_added(self):
        self.assert_ports(
            '#include "mediapipe/framework/calculator_framework.h"\nCalculatorGraph graph;\n',
            '#include "framework/calculator_framework.h"\n#include "framework/calculator_graph.h"\n'
            "CalculatorGraph graph;\n")

    def test_what_an_included_header_brings_is_not_added(self):
        checkout = {"framework/port/ret_check.h": '#include "framework/base/ret_check.h"\n',
                    "framework/base/ret_check.h": "",
                    "framework/packet.h": '#include "framework/base/ret_check.h"\n',
                    "framework/calculator_graph.h": '#include "framework/packet.h"\n'}
        for header, added in (("calculator_graph", ""), ("packet", ""), (
                "subgraph", '#include "framework/port/ret_check.h"\n')):
            self.assert_ports(
                f'#include "mediapipe/framework/{header}.h"\nRET_CHECK(a);\n',
                f'#include "framework/{header}.h"\n{added}RET_CHECK(a);\n', checkout=checkout)

    def test_protos_of_the_graph_that_mediapipe_brings_along_are_added(self):
        protos = {"framework/config/calculator.proto": "", "framework/calculator.proto":
                  'import public "framework/config/calculator.proto";\n'}
        use = "CalculatorGraphConfig config;\n"
        self.assert_ports(
            '#include "mediapipe/framework/calculator_framework.h"\n' + use,
            '#include "framework/calculator_framework.h"\n'
            '#include "framework/calculator.pb.h"\n' + use, checkout=protos)
        brought = {**protos, "framework/calculator_graph.h":
                   '#include "framework/config/calculator.pb.h"\n'}
        for header in ("calculator.pb.h", "calculator_graph.h"):
            self.assert_ports(f'#include "mediapipe/framework/{header}"\n' + use,
                              f'#include "framework/{header}"\n' + use, checkout=brought)

    def test_headers_of_the_standard_library_that_mediapipe_brings_along_are_added(self):
        self.assert_ports(
            '#include <set>\n#include "mediapipe/framework/packet.h"\n'
            "std::map<int, std::set<int>> a; std::unique_lock<std::mutex> b; my::deque c;\n",
            '#include <set>\n#include "framework/packet.h"\n#include <map>\n#include <mutex>\n'
            "std::map<int, std::set<int>> a; std::unique_lock<std::mutex> b; my::deque c;\n")
        self.assert_ports("std::map<int, int> unrelated;\n", "std::map<int, int> unrelated;\n")

    def test_an_include_is_added_inside_the_guard_and_outside_of_conditions(self):
        self.assert_ports(
            '#ifndef A_H_\n#define A_H_\n#include "mediapipe/framework/packet.h"\n#if X\n'
            "#include <map>\n#endif\nCalculatorGraph* g;\n#endif\n",
            '#ifndef A_H_\n#define A_H_\n#include "framework/packet.h"\n'
            '#include "framework/calculator_graph.h"\n#if X\n#include <map>\n#endif\n'
            "CalculatorGraph* g;\n#endif\n")


class StatusMacrosTest(PortCase):

    def test_all_three_eras_become_one(self):
        for prefix in ("MP_", "ABSL_"):
            self.assert_ports(f"{prefix}RETURN_IF_ERROR(f()) << 1;\n",
                              "SYNCLINE_RETURN_IF_ERROR(f()) << 1;\n")
        for prefix in ("", "MP_", "ABSL_"):
            self.assert_ports(f"{prefix}ASSIGN_OR_RETURN((auto [a, b]), f(), _ << 1);\n",
                              "SYNCLINE_ASSIGN_OR_RETURN((auto [a, b]), f(), _ << 1);\n")

    def test_test_macros(self):
        self.assertEqual(
            self.port_cpp("MP_EXPECT_OK(a); MP_ASSERT_OK(b); MP_ASSERT_OK_AND_ASSIGN(c, d);\n"
                          "MEDIAPIPE_CHECK_OK(e); RET_CHECK(f); RET_CHECK_EQ(g, h);\n"),
            "SYNCLINE_EXPECT_OK(a); SYNCLINE_ASSERT_OK(b); SYNCLINE_ASSERT_OK_AND_ASSIGN(c, d);\n"
            "SYNCLINE_CHECK_OK(e); RET_CHECK(f); RET_CHECK_EQ(g, h);\n")

    def test_a_macro_of_the_tree_itself_stays(self):
        text = "#define ASSIGN_OR_RETURN(a, b) a = b\nASSIGN_OR_RETURN(x, y);\n"
        self.assertEqual(self.port_cpp(text), text)


class ReportTest(PortCase):

    def test_handlers_and_insides_of_the_engine_are_reported_once(self):
        found = self.findings("class A : public InputStreamHandler {};\n"
                              "REGISTER_INPUT_STREAM_HANDLER(A);\nInputStreamHandler* x;\n"
                              "ValidatedGraphConfig c;\n")
        self.assertEqual([line for line, *_ in found], [1, 2, 4])
        self.assertIn("CONTRIBUTING.md", found[0][2])
        self.assertIn("framework/plan/compile.h", found[2][2])

    def test_handlers_are_reported_though_their_header_is_there(self):
        self.assertEqual(len(self.findings("class A : public InputStreamHandler {};\n", checkout={
            "framework/input_stream_handler.h": ""})), 1)

    def test_what_the_checkout_offers_is_not_reported(self):
        self.assertEqual(self.findings("ValidatedGraphConfig c;\n", checkout={
            "framework/validated_graph_config.h": ""}), [])

    def test_a_class_that_syncline_registers_too_is_noted(self):
        (_, hand, text), = self.findings("REGISTER_CALCULATOR(PassThroughCalculator);\n")
        self.assertFalse(hand)
        self.assertIn("calculators/core/pass_through_calculator.cc", text)

    def test_a_file_that_syncline_has_too_is_noted(self):
        name = "mediapipe/calculators/core/pass_through_calculator.cc"
        (_, hand, text), = self.port({name: "int a;\n"})[name].findings
        self.assertFalse(hand)
        self.assertIn("use that one", text)

    def test_a_copy_that_is_made_again_is_no_news(self):
        name = "mediapipe/acme/a.cc"
        self.assertEqual(self.port({name: "int a;\n"}, at="x", in_checkout=True,
                                   checkout={"x/acme/a.cc": ""})[name].findings, [])


class OtherFormsTest(PortCase):
    """Names that stand where others seldom stand."""

    def test_paths_in_angles_that_are_no_includes(self):
        self.assert_ports("#if __has_include(<mediapipe/framework/port.h>)\n#endif\n"
                          "#define HEADER <mediapipe/framework/port.h>\n",
                          "#if __has_include(<framework/port.h>)\n#endif\n"
                          "#define HEADER <framework/port.h>\n")

    def test_code_in_strings_is_code(self):
        self.assert_ports('f("#define MEDIAPIPE_X 1\\nnamespace mediapipe { mediapipe is }");\n',
                          'f("#define SYNCLINE_X 1\\nnamespace syncline { mediapipe is }");\n')

    def test_names_behind_an_escape_are_names(self):
        self.assert_ports('f("a\\nmediapipe/framework/x.txt\\tmediapipe::A\\\\nmediapipe::A");\n',
                          'f("a\\nframework/x.txt\\tsyncline::A\\\\nmediapipe::A");\n')
        for text in ('f("mediapipe.\\n");\n', 'f("\\n\x01\x02\\n mediapipe");\n'):
            self.assert_ports(text, text)

    def test_the_beginning_of_a_path_has_a_line(self):
        for text, count in (('"mediapipe/"', 1), ('"./mediapipe/"', 1), ('"mediapipe"', 0),
                            ('"see mediapipe/"', 0)):
            found = self.findings(f"\nauto a = absl::StrCat({text}, b);\n",
                                  "mediapipe/acme/a.cc")
            self.assertEqual([f[:2] for f in found], [(2, True)] * count, text)

    def test_headers_of_all_endings(self):
        for ending in ("hxx", "cuh", "inl", "tpp", "c++"):
            self.assertEqual(self.port_cpp("mediapipe::A a;\n", f"mediapipe/a.{ending}"),
                             "syncline::A a;\n")

    def test_strings_of_protos_may_have_single_quotes(self):
        self.assertEqual(self.port_cpp("import 'mediapipe/framework/calculator.proto';\n"
                                       "option java_package = 'com.google.mediapipe';\n",
                                       "mediapipe/a.proto"),
                         "import 'framework/calculator.proto';\n"
                         "option java_package = 'com.google.syncline';\n")


if __name__ == "__main__":
    unittest.main()
