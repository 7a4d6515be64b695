"""Headers that MediaPipe's headers bring along and Syncline's do not.

"mediapipe/framework/calculator_framework.h" includes nearly everything; ours
holds what authors of calculators need.  So a file that uses one of these names
gets the header that has it, and its target the dep.
"""
from collections import namedtuple

Need = namedtuple("Need", "header label")

_GRAPH = Need("framework/calculator_graph.h", "//framework:calculator_graph")
_SUBGRAPH = Need("framework/subgraph.h", "//framework:subgraph")
_SINK = Need("framework/tool/sink.h", "//framework/tool:sink")
_GENERATOR = Need("framework/packet_generator.h", "//framework:packet_generator")
_STATUS = Need("framework/port/status.h", "//framework/port:status")
_MATCHERS = Need("framework/port/status_matchers.h", "//framework/port:status_matchers")
_STRING_VIEW = Need("absl/strings/string_view.h", "@com_google_absl//absl/strings")
_OPTIONAL = Need("absl/types/optional.h", "@com_google_absl//absl/types:optional")
_GLOG = Need("glog/logging.h", "@com_github_google_glog//:glog")
_PORT = Need("framework/port.h", "//framework:port")
_OVERLOAD = Need("framework/port/overload.h", "//framework/port:overload")
_NO_DESTRUCTOR = Need("framework/deps/no_destructor.h", "//framework/deps:no_destructor")
_LOCATION = Need("framework/port/source_location.h", "//framework/port:source_location")
_PARSE = Need("framework/port/parse_text_proto.h", "//framework/port:parse_text_proto")
_VECTOR_SINK = ("AddVectorSink", "AddCallbackCalculator", "AddMultiStreamCallback",
                "AddPostStreamPacketSink", "AddSidePacketSink",
                "AddCallbackWithHeaderCalculator")

# A name in the ported code -> where it is.
NEEDS = {
    "CalculatorGraph": _GRAPH,
    "Subgraph": _SUBGRAPH,
    "SubgraphContext": _SUBGRAPH,
    "SubgraphOptions": _SUBGRAPH,
    "GraphRegistry": _SUBGRAPH,
    "REGISTER_SYNCLINE_GRAPH": _SUBGRAPH,
    "OutputStreamPoller": Need("framework/output_stream_poller.h",
                               "//framework:output_stream_poller"),
    "Executor": Need("framework/executor.h", "//framework:executor"),
    "PacketGenerator": _GENERATOR,
    "REGISTER_PACKET_GENERATOR": _GENERATOR,
    "ParseTextProtoOrDie": _PARSE,
    "SYNCLINE_CHECK_OK": _STATUS,
    "SYNCLINE_EXPECT_OK": _MATCHERS,
    "SYNCLINE_ASSERT_OK": _MATCHERS,
    "SYNCLINE_ASSERT_OK_AND_ASSIGN": _MATCHERS,
    "SYNCLINE_DISABLE_GPU": _PORT,
    "SYNCLINE_DISABLE_OPENCV": _PORT,
    **{name: _SINK for name in _VECTOR_SINK},
}

# Names that only the rules of abseil.py write -> where those are.
REPLACEMENTS = {
    "absl::string_view": _STRING_VIEW,
    "absl::optional": _OPTIONAL,
    "absl::nullopt": _OPTIONAL,
    "absl::nullopt_t": _OPTIONAL,
    "absl::make_optional": _OPTIONAL,
    "absl::bad_optional_access": _OPTIONAL,
    "absl::c_linear_search": Need("absl/algorithm/container.h",
                                  "@com_google_absl//absl/algorithm:container"),
    "absl::StartsWith": Need("absl/strings/match.h", "@com_google_absl//absl/strings"),
    "absl::EndsWith": Need("absl/strings/match.h", "@com_google_absl//absl/strings"),
    "syncline::NoDestructor": _NO_DESTRUCTOR,
    "syncline::Overload": _OVERLOAD,
    "syncline::source_location": _LOCATION,
    "SYNCLINE_CHECK_OK": _STATUS,
    "log": _GLOG,
}

# header -> label, of every header that a rule may write into a file.
LABELS = {need.header: need.label
          for table in (NEEDS, REPLACEMENTS) for need in table.values()}
LABELS["framework/port/status_macros.h"] = "//framework/port:status_macros"
