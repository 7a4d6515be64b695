"""Headers that MediaPipe's headers bring along and Syncline's do not.

"mediapipe/framework/calculator_framework.h" includes nearly everything; ours
holds what authors of calculators need.  So a file that uses one of these names,
and includes nothing that brings it, gets the header that has it, and its target
the dep.
"""
from port import labels

_CONFIG = "framework/calculator.pb.h"
_GRAPH = "framework/calculator_graph.h"
_SUBGRAPH = "framework/subgraph.h"
_SINK = "framework/tool/sink.h"
_GENERATOR = "framework/packet_generator.h"
_STATUS = "framework/port/status.h"
_MATCHERS = "framework/port/status_matchers.h"
_STRING_VIEW = "absl/strings/string_view.h"
_OPTIONAL = "absl/types/optional.h"
GLOG = "glog/logging.h"
_PORT = "framework/port.h"
_OVERLOAD = "framework/port/overload.h"
_NO_DESTRUCTOR = "framework/deps/no_destructor.h"
_LOCATION = "framework/port/source_location.h"
_PARSE = "framework/port/parse_text_proto.h"
_RET_CHECK = "framework/port/ret_check.h"
_STATUS_MACROS = "framework/port/status_macros.h"
_BUILDER = "framework/port/status_builder.h"
_MESSAGES = "framework/deps/message_matchers.h"
_INTEGERS = "framework/port/integral_types.h"
_BITS = ("8", "16", "32", "64")
_PROTO_NS = "framework/port/proto_ns.h"
_TYPES = "framework/type_map.h"
_STATUS_HANDLER = "framework/status_handler.h"
_COUNTERS = "framework/counter_factory.h"
_TAG_MAP = "framework/tool/tag_map_helper.h"
_PROFILER = "framework/profiler/graph_profiler.h"
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
    "SubgraphRegistry": _SUBGRAPH,
    "REGISTER_SYNCLINE_GRAPH": _SUBGRAPH,
    "OutputStreamPoller": "framework/output_stream_poller.h",
    "Executor": "framework/executor.h",
    "PacketGenerator": _GENERATOR,
    "REGISTER_PACKET_GENERATOR": _GENERATOR,
    "ParseTextProtoOrDie": _PARSE,
    "EqualsProto": _MESSAGES,
    **{name: "framework/port/canonical_errors.h" for name in (
        "AlreadyExistsError", "CancelledError", "FailedPreconditionError", "InternalError",
        "InvalidArgumentError", "NotFoundError", "OutOfRangeError", "PermissionDeniedError",
        "UnavailableError", "UnimplementedError", "UnknownError")},
    **{name: "framework/tool/validate_name.h" for name in (
        "ParseTagAndName", "ParseTagIndex", "ParseTagIndexName", "ValidateName", "ValidateNumber",
        "ValidateTag")},
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
    **{sign + "int" + bits: _INTEGERS for sign in ("", "u") for bits in _BITS},
    **{f"k{kind}{bits}{end}": _INTEGERS
       for kind, end in (("int", "min"), ("int", "max"), ("uint", "max")) for bits in _BITS},
    **{name: _TYPES for name in (
        "SynclineTypeString", "SynclineTypeStringFromTypeId", "SynclineTypeStringOrDemangled",
        "SYNCLINE_REGISTER_TYPE", "SYNCLINE_REGISTER_TYPE_WITH_PROXY")},
    "GetTypeHash": "framework/tool/type_util.h",
    "StatusHandler": _STATUS_HANDLER,
    "REGISTER_STATUS_HANDLER": _STATUS_HANDLER,
    "CollectionItemId": "framework/collection_item_id.h",
    "proto_ns": _PROTO_NS,
    "ProtoString": _PROTO_NS,
    "StatusOr": "framework/port/statusor.h",
    "ThreadPool": "framework/port/threadpool.h",
    "ThreadPoolExecutor": "framework/thread_pool_executor.h",
    "Clock": "framework/deps/clock.h",
    "MonotonicClock": "framework/deps/monotonic_clock.h",
    "TagMap": "framework/tool/tag_map.h",
    "CounterFactory": _COUNTERS,
    "BasicCounterFactory": _COUNTERS,
    "SYNCLINE_HAS_RTTI": _PORT,
}

# A member function -> where the class is that it returns a pointer to.
MEMBERS = {"profiler": _PROFILER, "GetProfilingContext": _PROFILER}

# absl::NAME -> where it is.  Deps follow only where no library of Syncline brings them.
ABSEIL = {name: header for header, names in {
    "absl/algorithm/container.h": "c_all_of c_any_of c_copy c_count_if c_equal c_find c_find_if "
                                  "c_for_each c_linear_search c_max_element c_min_element c_reverse "
                                  "c_sort c_stable_sort c_transform",
    "absl/cleanup/cleanup.h": "Cleanup MakeCleanup",
    "absl/container/btree_map.h": "btree_map btree_multimap",
    "absl/container/btree_set.h": "btree_set btree_multiset",
    "absl/container/flat_hash_map.h": "flat_hash_map",
    "absl/container/flat_hash_set.h": "flat_hash_set",
    "absl/container/inlined_vector.h": "InlinedVector",
    "absl/container/node_hash_map.h": "node_hash_map",
    "absl/container/node_hash_set.h": "node_hash_set",
    "absl/functional/any_invocable.h": "AnyInvocable",
    "absl/functional/bind_front.h": "bind_front",
    "absl/functional/function_ref.h": "FunctionRef",
    "absl/memory/memory.h": "make_unique WrapUnique",
    "absl/status/status.h": "Status StatusCode OkStatus AbortedError AlreadyExistsError "
                            "CancelledError DataLossError DeadlineExceededError "
                            "FailedPreconditionError InternalError InvalidArgumentError "
                            "NotFoundError OutOfRangeError PermissionDeniedError "
                            "ResourceExhaustedError UnauthenticatedError UnavailableError "
                            "UnimplementedError UnknownError",
    "absl/status/statusor.h": "StatusOr",
    "absl/strings/ascii.h": "AsciiStrToLower AsciiStrToUpper StripAsciiWhitespace",
    "absl/strings/match.h": "StrContains StartsWith EndsWith EqualsIgnoreCase StartsWithIgnoreCase "
                            "EndsWithIgnoreCase",
    "absl/strings/numbers.h": "SimpleAtoi SimpleAtof SimpleAtod SimpleAtob",
    "absl/strings/str_cat.h": "StrCat StrAppend",
    "absl/strings/str_format.h": "StrFormat StrAppendFormat FPrintF PrintF",
    "absl/strings/str_join.h": "StrJoin",
    "absl/strings/str_replace.h": "StrReplaceAll",
    "absl/strings/str_split.h": "StrSplit ByChar ByString SkipEmpty SkipWhitespace MaxSplits",
    "absl/strings/string_view.h": "string_view",
    "absl/strings/strip.h": "StripPrefix StripSuffix ConsumePrefix ConsumeSuffix",
    "absl/strings/substitute.h": "Substitute SubstituteAndAppend",
    "absl/synchronization/blocking_counter.h": "BlockingCounter",
    "absl/synchronization/mutex.h": "Mutex MutexLock ReaderMutexLock WriterMutexLock CondVar "
                                    "Condition",
    "absl/synchronization/notification.h": "Notification",
    "absl/time/clock.h": "Now SleepFor GetCurrentTimeNanos",
    "absl/time/time.h": "Duration Time Nanoseconds Microseconds Milliseconds Seconds Minutes Hours "
                        "ToInt64Microseconds ToInt64Milliseconds ToDoubleSeconds ToUnixMicros "
                        "FromUnixMicros InfiniteDuration ZeroDuration",
    "absl/types/optional.h": "optional nullopt nullopt_t make_optional bad_optional_access",
    "absl/types/span.h": "Span MakeSpan MakeConstSpan",
    "absl/types/variant.h": "variant visit holds_alternative",
}.items() for name in names.split()}

# proto_ns::NAME that its own header does not have -> where it is.
PROTOBUF = dict.fromkeys((
    "Descriptor", "DescriptorPool", "DynamicMessageFactory", "EnumDescriptor", "FieldDescriptor",
    "Message", "Reflection", "TextFormat"), "framework/port/advanced_proto_inc.h")

# Names of namespace std that its headers bring along -> their header.
STANDARD = {
    **{name: name for name in (
        "bitset", "condition_variable", "deque", "forward_list", "list", "map", "mutex", "queue",
        "set", "shared_mutex", "unordered_set")},
    "multimap": "map",
    "multiset": "set",
    "unordered_multiset": "unordered_set",
    **{name: "mutex" for name in (
        "call_once", "lock_guard", "once_flag", "recursive_mutex", "scoped_lock", "unique_lock")},
    "priority_queue": "queue",
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
    "log": GLOG,
}

# header -> label, for those that no target of the checkout has, and that are not Abseil's.
LABELS = {"glog/logging.h": "@com_github_google_glog//:glog"}


def label(header, checkout):
    """The label of a library outside of the checkout that has a header, or None."""
    if not header.startswith("absl/"):
        return LABELS.get(header)
    folder, _, name = header.rpartition("/")
    for target in (name[:-len(".h")], folder.rpartition("/")[2], name.partition("_")[0]):
        if checkout.has_abseil(folder[len("absl/"):], target):
            return "@com_google_absl" + labels.join(folder, target)
    return None
