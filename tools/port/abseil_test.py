"""What becomes of what Debian's Abseil lacks or types differently."""
import unittest

from port.testing import PortCase

_GLOG = '#include "glog/logging.h"\n'


class LogTest(PortCase):

    def test_log_and_check_are_glogs(self):
        self.assert_ports(
            '#include "absl/log/absl_check.h"\n#include "absl/log/absl_log.h"\n'
            "ABSL_LOG(INFO) << 1; ABSL_LOG_IF(ERROR, a) << 2; ABSL_DLOG(WARNING);\n"
            "ABSL_CHECK(a) << b; ABSL_CHECK_EQ(a, b); ABSL_DCHECK_GE(a, b); ABSL_QCHECK(c);\n"
            "ABSL_VLOG(1) << ABSL_VLOG_IS_ON(2); ABSL_LOG_FIRST_N(INFO, 3); ABSL_PCHECK(x);\n"
            "ABSL_LOG_EVERY_N(INFO, 4); ABSL_LOG_EVERY_N_SEC(INFO, 5); ABSL_LOG(QFATAL);\n"
            "p = ABSL_DIE_IF_NULL(q);\n",
            _GLOG +
            "LOG(INFO) << 1; LOG_IF(ERROR, a) << 2; DLOG(WARNING);\n"
            "CHECK(a) << b; CHECK_EQ(a, b); DCHECK_GE(a, b); CHECK(c);\n"
            "VLOG(1) << VLOG_IS_ON(2); LOG_FIRST_N(INFO, 3); PCHECK(x);\n"
            "LOG_EVERY_N(INFO, 4); LOG_EVERY_T(INFO, 5); LOG(FATAL);\n"
            "p = CHECK_NOTNULL(q);\n")

    def test_check_ok_is_synclines_and_brings_its_header(self):
        self.assert_ports(
            '#include "absl/log/check.h"\nvoid f() { CHECK_OK(a) << b; QCHECK_OK(c); }\n',
            _GLOG + '#include "framework/port/status.h"\n'
            "void f() { SYNCLINE_CHECK_OK(a) << b; SYNCLINE_CHECK_OK(c); }\n")

    def test_a_log_macro_brings_its_header(self):
        self.assert_ports('#include "mediapipe/framework/packet.h"\nABSL_LOG(INFO) << 1;\n',
                          '#include "framework/packet.h"\n' + _GLOG + "LOG(INFO) << 1;\n")

    def test_what_glog_lacks_is_reported(self):
        found = self.findings("ABSL_LOG_EVERY_POW_2(INFO);\nABSL_LOG(INFO).WithPerror() << 1;\n"
                              '#include "absl/log/scoped_mock_log.h"\n')
        self.assertEqual([f[:2] for f in found], [(1, True), (2, True), (3, True)])

    def test_initialize_log_is_glogs(self):
        self.assert_ports(
            '#include "absl/log/initialize.h"\nabsl::InitializeLog();\n',
            _GLOG + 'google::InitGoogleLogging("program");\n')


class NewNamesTest(PortCase):

    def test_wrappers_of_nullability_go(self):
        self.assert_ports(
            '#include <map>\n#include "absl/base/nullability.h"\n'
            "void f(absl::Nonnull<const std::vector<int>*> a,\n"
            "       ::absl::Nullable<std::unique_ptr<mediapipe::Packet>> b,\n"
            "       int* absl_nonnull c, int* absl_nullable);\n",
            "#include <map>\nvoid f(const std::vector<int>* a,\n"
            "       std::unique_ptr<syncline::Packet> b,\n"
            "       int* c, int* );\n")

    def test_synclines_own_stand_for_what_is_missing(self):
        self.assert_ports(
            '#include "absl/base/no_destructor.h"\n#include "absl/functional/overload.h"\n'
            '#include "absl/types/source_location.h"\n'
            "static absl::NoDestructor<int> x(1); auto y = absl::Overload{a, b};\n"
            "absl::SourceLocation z;\n",
            '#include "framework/deps/no_destructor.h"\n#include "framework/port/overload.h"\n'
            '#include "framework/port/source_location.h"\n'
            "static syncline::NoDestructor<int> x(1); auto y = syncline::Overload{a, b};\n"
            "syncline::source_location z;\n")

    def test_abseils_status_matchers_are_synclines(self):
        self.assert_ports(
            '#include "absl/status/status_matchers.h"\nusing ::absl_testing::IsOk;\n'
            "EXPECT_THAT(s, absl_testing::StatusIs(c));\n",
            '#include "framework/port/status_matchers.h"\nusing ::syncline::IsOk;\n'
            "EXPECT_THAT(s, syncline::StatusIs(c));\n")

    def test_new_attributes_go(self):
        self.assert_ports('ABSL_DEPRECATE_AND_INLINE("x, (y)") ABSL_ATTRIBUTE_VIEW int f();\n',
                          "int f();\n")

    def test_contains_is_a_linear_search(self):
        self.assert_ports(
            '#include "absl/algorithm/container.h"\nif (absl::c_contains(a, b)) {}\n',
            '#include "absl/algorithm/container.h"\nif (absl::c_linear_search(a, b)) {}\n')

    def test_locks_are_locked_by_their_old_names(self):
        self.assert_ports(
            "absl::Mutex mutex_;\nvoid f() { absl::MutexLock lock(mutex_); mutex_.lock();\n"
            "absl::ReaderMutexLock l(&mutex_); mutex_.unlock_shared(); other.lock(); }\n",
            "absl::Mutex mutex_;\nvoid f() { absl::MutexLock lock(&mutex_); mutex_.Lock();\n"
            "absl::ReaderMutexLock l(&mutex_); mutex_.ReaderUnlock(); other.lock(); }\n")

    def test_what_has_no_counterpart_is_reported(self):
        found = self.findings("absl::linked_hash_map<int, int> m;\n"
                              "friend void AbslStringify(Sink& s, A a);\n")
        self.assertEqual([f[:2] for f in found], [(1, True), (2, True)])


class StdTypesTest(PortCase):

    def test_string_view_and_optional_are_abseils(self):
        self.assert_ports(
            "#include <optional>\n#include <string_view>\n"
            "std::optional<int> f(std::string_view s) { return ::std::nullopt; }\n",
            '#include "absl/types/optional.h"\n#include "absl/strings/string_view.h"\n'
            "absl::optional<int> f(absl::string_view s) { return ::absl::nullopt; }\n")

    def test_their_headers_come_where_they_were_missing(self):
        self.assert_ports("#include <map>\nstd::optional<int> x = std::make_optional(1);\n",
                          '#include <map>\n#include "absl/types/optional.h"\n'
                          "absl::optional<int> x = absl::make_optional(1);\n")

    def test_they_stay_on_request(self):
        text = "#include <optional>\nstd::optional<int> x;\n"
        self.assertEqual(self.port_cpp(text, std_types=False), text)

    def test_a_view_that_meets_a_string_is_converted(self):
        self.assert_ports(
            '#include "absl/strings/string_view.h"\n'
            "void f(absl::string_view v, const std::string& t) { std::string s; s = v; s += v;\n"
            "s.append(v); s.find(v, 1); x = v; s = t; }\n",
            '#include "absl/strings/string_view.h"\n'
            "void f(absl::string_view v, const std::string& t) { std::string s; "
            "s = std::string(v); s += std::string(v);\n"
            "s.append(std::string(v)); s.find(std::string(v), 1); x = v; s = t; }\n")

    def test_a_view_for_a_field_of_a_proto_is_converted(self):
        self.assert_ports(
            '#include "absl/strings/string_view.h"\n'
            "void f(absl::string_view v, A* a) { a->set_name(v); a->b().add_c(v); set_d(v); }\n",
            '#include "absl/strings/string_view.h"\n'
            "void f(absl::string_view v, A* a) { a->set_name(std::string(v)); "
            "a->b().add_c(std::string(v)); set_d(v); }\n")

    def test_starts_with_of_a_view_is_abseils_function(self):
        self.assert_ports(
            '#include "absl/strings/match.h"\n#include "absl/strings/string_view.h"\n'
            "bool f(absl::string_view v, std::string s) {\n"
            "return v.starts_with(\"a\") || v.ends_with('b') || s.starts_with(v); }\n",
            '#include "absl/strings/match.h"\n#include "absl/strings/string_view.h"\n'
            "bool f(absl::string_view v, std::string s) {\n"
            'return absl::StartsWith(v, "a") || absl::EndsWith(v, absl::string_view("b")) || '
            "s.starts_with(v); }\n")

    def test_matchers_of_other_namespaces_are_ours(self):
        self.assert_ports(
            "using ::testing::proto::Partially;\nusing ::absl_testing::IsOk;\n"
            "auto m = testing::status::StatusIs(c);\nusing ::testing::Eq;\n",
            "using ::syncline::Partially;\nusing ::syncline::IsOk;\n"
            "auto m = syncline::StatusIs(c);\nusing ::testing::Eq;\n")

    def test_a_literal_of_a_view_is_reported(self):
        (line, hand, text), = self.findings('\nauto v = "a"sv;\n')
        self.assertEqual((line, hand), (2, True))
        self.assertIn('absl::string_view("...")', text)


if __name__ == "__main__":
    unittest.main()
