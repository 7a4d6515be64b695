"""What MediaPipe's umbrella headers bring along, and ours do not: includes and deps."""
import unittest

from port.testing import PortCase

_FRAMEWORK = '#include "mediapipe/framework/calculator_framework.h"\n'
_CHECKOUT = {
    **{f"framework/{name}": "" for name in (
        "port/integral_types.h", "port/proto_ns.h", "port/statusor.h", "port/threadpool.h",
        "deps/clock.h", "tool/tag_map.h", "tool/type_util.h", "status_handler.h",
        "port/canonical_errors.h", "tool/validate_name.h",
        "packet/type_map.h", "profiler/graph_profiler.h")},
    "framework/type_map.h": '// Names.\n#include "framework/packet/type_map.h"\n',
    "framework/port/BUILD": "".join(
        f'cc_library(name = "{name}", hdrs = ["{name}.h"])\n' for name in (
            "integral_types", "statusor", "threadpool", "status")) +
        'cc_library(name = "core_proto", hdrs = ["core_proto_inc.h", "proto_ns.h"])\n',
    "third_party/system/system_library.bzl": (
        '_ABSL = {\n    "strings": ["str_format", "strings"],\n    "container": ["btree"],\n'
        '    "memory": ["memory"],\n}\n'),
}


class UmbrellaTest(PortCase):

    def added(self, code, head=_FRAMEWORK, files=None):
        """The includes that a file with this code gets."""
        name = "mediapipe/acme/a.cc"
        new = self.port({name: head + code, **(files or {})}, checkout=_CHECKOUT)[name].new
        old = {line.replace("mediapipe/", "") for line in head.splitlines()}
        return [line.split(" ")[1].strip('"<>') for line in new.splitlines()
                if line.startswith("#include") and line not in old]

    def test_each_name_brings_its_header(self):
        for code, header in (
                ("int64 a;", "framework/port/integral_types.h"),
                ("std::vector<uint8> a;", "framework/port/integral_types.h"),
                ("auto a = kint64max;", "framework/port/integral_types.h"),
                ("auto a = kuint32max;", "framework/port/integral_types.h"),
                ("proto_ns::MessageLite* a;", "framework/port/proto_ns.h"),
                ("LOG(INFO) << 1;", "glog/logging.h"),
                ("VLOG(1) << 1;", "glog/logging.h"),
                ("CHECK_EQ(a, b);", "glog/logging.h"),
                ("ThreadPool a;", "framework/port/threadpool.h"),
                ("mediapipe::Clock* a;", "framework/deps/clock.h"),
                ("tool::TagMap* a;", "framework/tool/tag_map.h"),
                ("::mediapipe::InvalidArgumentError(a);", "framework/port/canonical_errors.h"),
                ("tool::ValidateName(a);", "framework/tool/validate_name.h"),
                ("std::queue<int> a;", "queue"),
                ('absl::Substitute("$0", a);', "absl/strings/substitute.h"),
                ("absl::btree_map<int, int> a;", "absl/container/btree_map.h"),
                ("::mediapipe::StatusOr<int> a;", "framework/port/statusor.h"),
                ("absl::StatusOr<int> a;", "absl/status/statusor.h"),
                ("class A : public StatusHandler {};", "framework/status_handler.h"),
                ("auto a = MediaPipeTypeString<A>();", "framework/type_map.h")):
            self.assertEqual(self.added(code + "\n"), [header], code)

    def test_what_is_called_on_the_profiler_brings_its_class(self):
        for code, headers in (
                ("graph.profiler()->CaptureProfile(&a);", ["framework/profiler/graph_profiler.h"]),
                ("cc->GetProfilingContext()->f();", ["framework/profiler/graph_profiler.h"]),
                ("auto* a = cc->GetProfilingContext();", []), ("a.profiler(1)->f();", []),
                ("profiler()->f();", [])):
            self.assertEqual(self.added(code + "\n"), headers, code)

    def test_a_condition_on_rtti_is_decided_before_all_includes(self):
        name = "mediapipe/acme/a.cc"
        new = self.port({name: _FRAMEWORK + "#if MEDIAPIPE_HAS_RTTI\n#endif\n"})[name].new
        self.assertEqual(new, '#include "framework/port.h"\n'
                         '#include "framework/calculator_framework.h"\n'
                         "#if SYNCLINE_HAS_RTTI\n#endif\n")

    def test_the_same_words_with_another_meaning_bring_nothing(self):
        for code in ("std::int64_t a;", "value.int64();", "a->Clock();", "std::chrono::Clock a;",
                     "other::TagMap a;", "LOG;", "logger.LOG(1);", "other::LOG(1);",
                     "class Clock {};\nClock a;", "struct ThreadPool {};\nThreadPool a;",
                     "using int64 = long;\nint64 a;", "typedef long int64;\nint64 a;",
                     "#define CHECK(x)\nCHECK(1);", '"int64 LOG(1)"; // int64'):
            self.assertEqual(self.added(code + "\n"), [], code)

    def test_a_type_of_another_file_of_the_tree_counts_too(self):
        self.assertEqual(self.added("Clock a;\n", files={
            "mediapipe/acme/clock.h": "class Clock {\n};\n"}), [])

    def test_a_file_without_the_framework_gets_nothing(self):
        self.assertEqual(self.added("int64 a;\n", head="#include <map>\n"), [])

    def test_what_comes_through_a_header_of_the_tree_counts(self):
        head = '#include "mediapipe/acme/a.h"\n'
        header = {"mediapipe/acme/a.h": _FRAMEWORK}
        self.assertEqual(self.added("int64 a;\n", head, header),
                         ["framework/port/integral_types.h"])
        header = {"mediapipe/acme/a.h": _FRAMEWORK + "int64 b;\n"}  # which gets the include
        self.assertEqual(self.added("int64 a;\n", head, header), [])
        header = {"mediapipe/acme/a.h": _FRAMEWORK + '#include "mediapipe/acme/b.h"\n',
                  "mediapipe/acme/b.h": '#include "mediapipe/framework/port/integral_types.h"\n'}
        self.assertEqual(self.added("int64 a;\n", head, header), [])

    def test_what_a_header_that_only_names_others_offers_is_there_with_them(self):
        head = _FRAMEWORK + '#include "mediapipe/framework/packet/type_map.h"\n'
        self.assertEqual(self.added("MediaPipeTypeString<A>();\n", head), [])

    def test_an_include_in_the_midst_of_code_is_no_place_for_others(self):
        name = "mediapipe/acme/a.cc"
        code = 'const char a[] =\n#include "mediapipe/acme/a.inc"\n;\nint64 b;\n'
        new = self.port({name: _FRAMEWORK + "\n" + code, "mediapipe/acme/a.inc": '"a"\n'},
                        checkout=_CHECKOUT)[name].new
        self.assertEqual(new, '#include "framework/calculator_framework.h"\n'
                         '#include "framework/port/integral_types.h"\n\n' +
                         code.replace("mediapipe/", ""))

    def test_the_target_gets_the_deps(self):
        result = self.port({
            "mediapipe/acme/a.cc": _FRAMEWORK + 'int64 a; proto_ns::MessageLite* b; '
                                   'f(absl::Substitute("$0", a)); LOG(INFO) << a;\n',
            "mediapipe/acme/BUILD": 'cc_library(name = "a", srcs = ["a.cc"], deps = [\n'
                                    '    "//mediapipe/framework:calculator_framework",\n])\n'},
            checkout={**_CHECKOUT, "framework/BUILD": (
                'cc_library(name = "calculator_framework", hdrs = ["calculator_framework.h"])\n')})
        self.assertEqual(result["mediapipe/acme/BUILD"].new, (
            'cc_library(name = "a", srcs = ["a.cc"], deps = [\n'
            '    "//framework/port:core_proto",\n    "//framework/port:integral_types",\n'
            '    "@com_github_google_glog//:glog",\n    "@com_google_absl//absl/strings",\n'
            '    "//framework:calculator_framework",\n])\n'))


if __name__ == "__main__":
    unittest.main()
