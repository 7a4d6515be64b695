"""What MediaPipe takes from newer Abseils than Debian's (20220623), and what
stands for it here: headers, names, macros and Bazel labels, one table each.
"""
import re

_GLOG = "glog/logging.h"
GLOG_LABEL = "@com_github_google_glog//:glog"

# Header -> header, or None: not needed any more.
HEADERS = {
    "absl/base/no_destructor.h": "framework/deps/no_destructor.h",
    "absl/base/nullability.h": None,
    "absl/functional/overload.h": "framework/port/overload.h",
    "absl/log/absl_check.h": _GLOG,
    "absl/log/absl_log.h": _GLOG,
    "absl/log/absl_vlog_is_on.h": _GLOG,
    "absl/log/check.h": _GLOG,
    "absl/log/die_if_null.h": _GLOG,
    "absl/log/initialize.h": _GLOG,
    "absl/log/log.h": _GLOG,
    "absl/log/vlog_is_on.h": _GLOG,
    "absl/status/status_macros.h": "framework/port/status_macros.h",
    "absl/status/status_matchers.h": "framework/port/status_matchers.h",
    "absl/types/source_location.h": "framework/port/source_location.h",
}

# package:name -> label, or None: dropped.
LABELS = {
    "absl/base:no_destructor": "//framework/deps:no_destructor",
    "absl/base:nullability": None,
    "absl/base:prefetch": None,
    "absl/functional:overload": "//framework/port:overload",
    "absl/log:absl_check": GLOG_LABEL,
    "absl/log:absl_log": GLOG_LABEL,
    "absl/log:absl_vlog_is_on": GLOG_LABEL,
    "absl/log:check": GLOG_LABEL,
    "absl/log:die_if_null": GLOG_LABEL,
    "absl/log:flags": GLOG_LABEL,
    "absl/log:globals": GLOG_LABEL,
    "absl/log:initialize": GLOG_LABEL,
    "absl/log:log": GLOG_LABEL,
    "absl/log:log_entry": GLOG_LABEL,
    "absl/log:log_sink": GLOG_LABEL,
    "absl/log:log_sink_registry": GLOG_LABEL,
    "absl/log:vlog_is_on": GLOG_LABEL,
    "absl/log": GLOG_LABEL,
    "absl/status:status_macros": "//framework/port:status_macros",
    "absl/status:status_matchers": "//framework/port:status_matchers",
    "absl/strings:internal": "@com_google_absl//absl/strings",
    "absl/strings:string_view": "@com_google_absl//absl/strings",
    "absl/types:source_location": "//framework/port:source_location",
}
REPOSITORIES = ("com_google_absl", "abseil-cpp", "absl")

# Macros by name; and by prefix, where the rest of the name stays.
STATUS_MACROS = {
    "MP_RETURN_IF_ERROR": "SYNCLINE_RETURN_IF_ERROR",
    "ABSL_RETURN_IF_ERROR": "SYNCLINE_RETURN_IF_ERROR",
    "ASSIGN_OR_RETURN": "SYNCLINE_ASSIGN_OR_RETURN",
    "MP_ASSIGN_OR_RETURN": "SYNCLINE_ASSIGN_OR_RETURN",
    "ABSL_ASSIGN_OR_RETURN": "SYNCLINE_ASSIGN_OR_RETURN",
    "MP_EXPECT_OK": "SYNCLINE_EXPECT_OK",
    "ABSL_EXPECT_OK": "SYNCLINE_EXPECT_OK",
    "MP_ASSERT_OK": "SYNCLINE_ASSERT_OK",
    "ABSL_ASSERT_OK": "SYNCLINE_ASSERT_OK",
    "MP_ASSERT_OK_AND_ASSIGN": "SYNCLINE_ASSERT_OK_AND_ASSIGN",
    "ABSL_ASSERT_OK_AND_ASSIGN": "SYNCLINE_ASSERT_OK_AND_ASSIGN",
}
LOG_MACROS = {
    "ABSL_DIE_IF_NULL": "CHECK_NOTNULL",
    "ABSL_VLOG_IS_ON": "VLOG_IS_ON",
    "CHECK_OK": "SYNCLINE_CHECK_OK",
    "QCHECK_OK": "SYNCLINE_CHECK_OK",
    "DCHECK_OK": "SYNCLINE_CHECK_OK",
    "ABSL_CHECK_OK": "SYNCLINE_CHECK_OK",
    "ABSL_QCHECK_OK": "SYNCLINE_CHECK_OK",
    "ABSL_DCHECK_OK": "SYNCLINE_CHECK_OK",
    "LOG_EVERY_N_SEC": "LOG_EVERY_T",
    "ABSL_LOG_EVERY_N_SEC": "LOG_EVERY_T",
    "ABSL_DVLOG": "DVLOG",
}
_LOG_FAMILY = re.compile(
    r"(?:ABSL_)?(?:Q(?P<check>CHECK(?:_[A-Z]+)?)|(?P<rest>(?:D|P)?(?:LOG|CHECK)(?:_IF|_EVERY_N|"
    r"_FIRST_N|_IF_EVERY_N|_EQ|_NE|_LE|_LT|_GE|_GT|_STREQ|_STRNE|_STRCASEEQ|_STRCASENE)?|"
    r"VLOG(?:_IF|_EVERY_N)?))$")
# What glog has nothing for.
NO_SUCH_MACRO = re.compile(
    r"ABSL_(?:LOG|DLOG|VLOG|DVLOG|PLOG|LOG_IF|DLOG_IF)\w*$|"
    r"(?:LOG|DLOG)_(?:EVERY_POW_2|IF_EVERY_POW_2|IF_EVERY_N_SEC|IF_FIRST_N)$")

# Attributes that Debian's Abseil lacks, with and without arguments: dropped.
ATTRIBUTES = {
    "absl_nonnull": False, "absl_nullable": False, "absl_nullability_unknown": False,
    "ABSL_NULLABILITY_COMPATIBLE": False, "ABSL_ATTRIBUTE_TRIVIAL_ABI": False,
    "ABSL_ATTRIBUTE_VIEW": False, "ABSL_ATTRIBUTE_OWNER": False,
    "ABSL_ATTRIBUTE_WARN_UNUSED": False, "ABSL_ATTRIBUTE_UNINITIALIZED": False,
    "ABSL_DEPRECATE_AND_INLINE": True, "ABSL_INTERNAL_ATTRIBUTE_CAPTURED_BY": True,
    "ABSL_ATTRIBUTE_LIFETIME_CAPTURE_BY": True,
}

# absl::NAME -> what stands for it.
NAMES = {
    "NoDestructor": "syncline::NoDestructor",
    "Overload": "syncline::Overload",
    "SourceLocation": "syncline::source_location",
    "c_contains": "absl::c_linear_search",
}
# absl::NAME<T> -> T.
WRAPPERS = {"Nonnull", "Nullable", "NullabilityUnknown"}

# absl::NAME that has nothing to stand for it.
NO_SUCH_NAME = {
    "AbslStringify": "give the type an operator<< and build texts with it",
    "bind_back": "write a lambda",
    "ScopedMockLog": "capture the log with a google::LogSink",
    "SetStderrThreshold": "set FLAGS_stderrthreshold",
    "SetMinLogLevel": "set FLAGS_minloglevel",
    "SetGlobalVLogLevel": "set FLAGS_v",
    "SetVLogLevel": "use google::SetVLOGLevel(module, level)",
    "AddLogSink": "use google::AddLogSink with a google::LogSink",
    "LogSink": "use google::LogSink",
    "LogEntry": "override google::LogSink::send",
    "linked_hash_map": "use absl::flat_hash_map beside a std::list",
    "linked_hash_set": "use absl::flat_hash_set beside a std::list",
}

# std::NAME -> absl::NAME: two types in Debian's Abseil, and Syncline's interface
# speaks of Abseil's.
STD_TYPES = {
    "string_view": "absl::string_view",
    "optional": "absl::optional",
    "nullopt": "absl::nullopt",
    "nullopt_t": "absl::nullopt_t",
    "make_optional": "absl::make_optional",
    "bad_optional_access": "absl::bad_optional_access",
}
STD_HEADERS = {
    "string_view": "absl/strings/string_view.h",
    "optional": "absl/types/optional.h",
}


def log_macro(name):
    """glog's (or Syncline's) macro for one of Abseil's, or None."""
    if name in LOG_MACROS:
        return LOG_MACROS[name]
    found = _LOG_FAMILY.match(name)
    return (found["check"] or found["rest"]) if found else None
