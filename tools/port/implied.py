"""Headers that MediaPipe's headers bring along and Syncline's do not.

"mediapipe/framework/calculator_framework.h" includes nearly everything; ours
holds what authors of calculators need.  So a file that uses one of these names,
and includes nothing that brings it, gets the header that has it, and its target
the dep.
"""
_CONFIG = "framework/calculator.pb.h"
_GRAPH = "framework/calculator_graph.h"
_SUBGRAPH = "framework/subgraph.h"
_SINK = "framework/tool/sink.h"
_GENERATOR = "framework/packet_generator.h"
_STATUS = "framework/port/status.h"
_MATCHERS = "framework/port/status_matchers.h"
_STRING_VIEW = "absl/strings/string_view.h"
_OPTIONAL = "absl/types/optional.h"
_GLOG = "glog/logging.h"
_PORT = "framework/port.h"
_OVERLOAD = "framework/port/overload.h"
_NO_DESTRUCTOR = "framework/deps/no_destructor.h"
_LOCATION = "framework/port/source_location.h"
_PARSE = "framework/port/parse_text_proto.h"
_RET_CHECK = "framework/port/ret_check.h"
_STATUS_MACROS = "framework/port/status_macros.h"
_BUILDER = "framework/port/status_builder.h"
_MESSAGES = "framework/deps/message_matchers.h"
_TAG_MAP = "framework/tool/tag_map_helper.h"
_VECTOR_SINK = ("AddVectorSink", "AddCallbackCalculator", "AddMultiStreamCallback",
                "AddPostStreamPacketSink", "AddSidePacketSink",
                "AddCallbackWithHeaderCalculator")

# A name in the ported code -> where it is.
NEEDS = {
    "CalculatorGraphConfig": _CONFIG,
    "ExecutorConfig": _CONFIG,
    "InputCollection": _CONFIG,
    "InputStreamInfo": _CONFIG,
    "ProfilerConfig": _CONFIG,
    "CalculatorOptions": "framework/calculator_options.pb.h",
    "CalculatorBaseRegistry": "framework/calculator_registry.h",
    "CalculatorGraph": _GRAPH,
    "Subgraph": _SUBGRAPH,
    "SubgraphContext": _SUBGRAPH,
    "SubgraphOptions": _SUBGRAPH,
    "GraphRegistry": _SUBGRAPH,
    "REGISTER_SYNCLINE_GRAPH": _SUBGRAPH,
    "OutputStreamPoller": "framework/output_stream_poller.h",
    "Executor": "framework/executor.h",
    "PacketGenerator": _GENERATOR,
    "REGISTER_PACKET_GENERATOR": _GENERATOR,
    "ParseTextProtoOrDie": _PARSE,
    "EqualsProto": _MESSAGES,
    "CreateTagMap": _TAG_MAP,
    "CreateTagMapFromTags": _TAG_MAP,
    "SYNCLINE_RETURN_IF_ERROR": _STATUS_MACROS,
    "SYNCLINE_ASSIGN_OR_RETURN": _STATUS_MACROS,
    **{"RET_CHECK" + kind: _RET_CHECK for kind in (
        "", "_EQ", "_NE", "_LE", "_LT", "_GE", "_GT", "_OK", "_FAIL")},
    **{kind + "ErrorBuilder": _BUILDER for kind in (
        "AlreadyExists", "FailedPrecondition", "Internal", "InvalidArgument", "NotFound",
        "OutOfRange", "PermissionDenied", "Unavailable", "Unimplemented", "Unknown")},
    "SYNCLINE_CHECK_OK": _STATUS,
    "SYNCLINE_EXPECT_OK": _MATCHERS,
    "SYNCLINE_ASSERT_OK": _MATCHERS,
    "SYNCLINE_ASSERT_OK_AND_ASSIGN": _MATCHERS,
    "SYNCLINE_DISABLE_GPU": _PORT,
    "SYNCLINE_DISABLE_OPENCV": _PORT,
    **{name: _SINK for name in _VECTOR_SINK},
}

# Names of namespace std that its headers bring along -> their header.
STANDARD = {
    **{name: name for name in (
        "bitset", "condition_variable", "deque", "forward_list", "list", "map", "mutex", "set",
        "shared_mutex", "unordered_set")},
    "multimap": "map",
    "multiset": "set",
    "unordered_multiset": "unordered_set",
    **{name: "mutex" for name in (
        "call_once", "lock_guard", "once_flag", "recursive_mutex", "scoped_lock", "unique_lock")},
    "shared_lock": "shared_mutex",
    **{name: "numeric" for name in ("accumulate", "inner_product", "iota", "partial_sum")},
}

# Names that only the rules of abseil.py write -> where those are.
REPLACEMENTS = {
    "absl::string_view": _STRING_VIEW,
    "absl::optional": _OPTIONAL,
    "absl::nullopt": _OPTIONAL,
    "absl::nullopt_t": _OPTIONAL,
    "absl::make_optional": _OPTIONAL,
    "absl::bad_optional_access": _OPTIONAL,
    "absl::c_linear_search": "absl/algorithm/container.h",
    "absl::StartsWith": "absl/strings/match.h",
    "absl::EndsWith": "absl/strings/match.h",
    "syncline::NoDestructor": _NO_DESTRUCTOR,
    "syncline::Overload": _OVERLOAD,
    "syncline::source_location": _LOCATION,
    "SYNCLINE_CHECK_OK": _STATUS,
    "log": _GLOG,
}

# header -> label, for those that no target of the checkout has.
LABELS = {
    "absl/algorithm/container.h": "@com_google_absl//absl/algorithm:container",
    "absl/strings/match.h": "@com_google_absl//absl/strings",
    "absl/strings/string_view.h": "@com_google_absl//absl/strings",
    "absl/types/optional.h": "@com_google_absl//absl/types:optional",
    "glog/logging.h": "@com_github_google_glog//:glog",
}
