#include "framework/plan/handler_options.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/name_registry.h"
#include "framework/base/nearest_names.h"
#include "framework/base/source_location.h"
#include "framework/base/status_macros.h"
#include "framework/base/unread_options.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/config/approximate_time_input_stream_handler.pb.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/config/latest_input_stream_handler.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/timeout_input_stream_handler.pb.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace {

NameRegistry& InputPolicies() {
  static NameRegistry& registry = NameRegistry::Get("InputStreamHandler");
  return registry;
}

NameRegistry& OutputHandlers() {
  static NameRegistry& registry = NameRegistry::Get("OutputStreamHandler");
  return registry;
}

// An error unless `holds`; `rule` says what the value of `option` must be.
template <typename T>
absl::Status Require(bool holds, absl::string_view option, T value,
                     absl::string_view rule) {
  if (holds) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(option, " is ", value, ", but must ", rule, "."));
}

absl::Status AtLeastOne(absl::string_view option, int value) {
  return Require(value >= 1, option, value, "be at least 1");
}

absl::Status NotNegative(absl::string_view option, std::int64_t value) {
  return Require(value >= 0, option, value, "not be negative");
}

// NaN is an error, too.
absl::Status IsShare(absl::string_view option, double value) {
  return Require(value >= 0 && value <= 1, option, value, "be from 0 to 1");
}

// The input port that `tag_index` in the option `option` means.
absl::StatusOr<CollectionItemId> FindPort(absl::string_view option,
                                          const std::string& tag_index,
                                          const PortLayout& inputs) {
  std::string tag;
  int index = 0;
  SYNCLINE_RETURN_IF_ERROR(tool::ParseTagIndex(tag_index, &tag, &index))
          .SetPrepend()
      << option << ": ";
  const CollectionItemId id = inputs.GetId(tag, index);
  if (id.IsValid()) return id;
  return absl::InvalidArgumentError(
      absl::StrCat(option, ": the node has no input stream ", Quoted(tag_index),
                   "; it has ", inputs.ShortDebugString(), "."));
}

// The same for one of several, which are noted in `seen`: each port once.
absl::Status CheckNamedOnce(absl::string_view option,
                            const std::string& tag_index,
                            const PortLayout& inputs, HashSet<int>* seen) {
  SYNCLINE_ASSIGN_OR_RETURN(const CollectionItemId port,
                            FindPort(option, tag_index, inputs));
  if (seen->insert(port.value()).second) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(option, ": input stream ",
                                                 Quoted(tag_index),
                                                 " is named more than once."));
}

absl::Status CheckDefault(const SynclineOptions& options, const PortLayout&) {
  const int size =
      options.GetExtension(DefaultInputStreamHandlerOptions::ext).batch_size();
  if (size > kMaxBatchSize) {
    return absl::InvalidArgumentError(
        absl::StrCat("batch_size is ", size, "; it can be at most ",
                     kMaxBatchSize, ", as each input set has its context."));
  }
  return AtLeastOne("batch_size", size);
}

absl::Status CheckFixedSize(const SynclineOptions& options, const PortLayout&) {
  const FixedSizeInputStreamHandlerOptions& fixed =
      options.GetExtension(FixedSizeInputStreamHandlerOptions::ext);
  SYNCLINE_RETURN_IF_ERROR(
      AtLeastOne("trigger_queue_size", fixed.trigger_queue_size()));
  return AtLeastOne("target_queue_size", fixed.target_queue_size());
}

absl::Status CheckSyncSet(const SynclineOptions& options,
                          const PortLayout& inputs) {
  HashSet<int> seen;
  for (const SyncSetInputStreamHandlerOptions::SyncSet& set :
       options.GetExtension(SyncSetInputStreamHandlerOptions::ext).sync_set()) {
    for (const std::string& tag_index : set.tag_index()) {
      SYNCLINE_RETURN_IF_ERROR(
          CheckNamedOnce("sync_set", tag_index, inputs, &seen));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTimestampAlign(const SynclineOptions& options,
                                 const PortLayout& inputs) {
  constexpr absl::string_view kOption = "timestamp_base_tag_index";
  const TimestampAlignInputStreamHandlerOptions& align =
      options.GetExtension(TimestampAlignInputStreamHandlerOptions::ext);
  if (!align.has_timestamp_base_tag_index() && inputs.NumEntries("") == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        kOption,
        " is not set, but says which stream the others follow; it may be left "
        "out only where an input has no tag. This node has ",
        inputs.ShortDebugString(), "."));
  }
  return FindPort(kOption, align.timestamp_base_tag_index(), inputs).status();
}

absl::Status CheckApproximateTime(const SynclineOptions& options,
                                  const PortLayout& inputs) {
  const ApproximateTimeInputStreamHandlerOptions& approximate =
      options.GetExtension(ApproximateTimeInputStreamHandlerOptions::ext);
  SYNCLINE_RETURN_IF_ERROR(NotNegative("tolerance", approximate.tolerance()));
  SYNCLINE_RETURN_IF_ERROR(
      NotNegative("max_interval", approximate.max_interval()));
  SYNCLINE_RETURN_IF_ERROR(
      NotNegative("close_enough", approximate.close_enough()));
  SYNCLINE_RETURN_IF_ERROR(
      IsShare("min_match_share", approximate.min_match_share()));
  HashSet<int> seen;
  for (const ApproximateTimeInputStreamHandlerOptions::Stream& stream :
       approximate.stream()) {
    SYNCLINE_RETURN_IF_ERROR(
        CheckNamedOnce("stream", stream.tag_index(), inputs, &seen));
    SYNCLINE_RETURN_IF_ERROR(
        NotNegative(absl::StrCat("tolerance of ", Quoted(stream.tag_index())),
                    stream.tolerance()));
  }
  if (!approximate.has_timestamp_base_tag_index()) return absl::OkStatus();
  return FindPort("timestamp_base_tag_index",
                  approximate.timestamp_base_tag_index(), inputs)
      .status();
}

absl::Status CheckLatest(const SynclineOptions& options,
                         const PortLayout& inputs) {
  constexpr absl::string_view kMain = "main_tag_index";
  const LatestInputStreamHandlerOptions& latest =
      options.GetExtension(LatestInputStreamHandlerOptions::ext);
  if (!latest.has_main_tag_index()) {
    return absl::InvalidArgumentError(absl::StrCat(
        kMain,
        " is not set, but says for which stream's packets there are calls."));
  }
  SYNCLINE_RETURN_IF_ERROR(FindPort(kMain, latest.main_tag_index(), inputs));
  SYNCLINE_RETURN_IF_ERROR(NotNegative("max_age", latest.max_age()));
  return IsShare("min_match_share", latest.min_match_share());
}

absl::Status CheckMux(const SynclineOptions&, const PortLayout& inputs) {
  if (inputs.NumEntries() >= 2) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "MuxInputStreamHandler needs a control stream and at least one data "
      "stream, but the node has ",
      inputs.NumEntries(), " input streams."));
}

absl::Status CheckTimeout(const SynclineOptions& options, const PortLayout&) {
  const TimeoutInputStreamHandlerOptions& timeout =
      options.GetExtension(TimeoutInputStreamHandlerOptions::ext);
  if (!timeout.has_timeout_ns()) {
    return absl::InvalidArgumentError(
        "timeout_ns is not set, but says for how long the node waits for its "
        "inputs, in nanoseconds of the graph's clock.");
  }
  return Require(timeout.timeout_ns() > 0, "timeout_ns", timeout.timeout_ns(),
                 "be positive. A node that is not to wait at all has "
                 "ImmediateInputStreamHandler");
}

// Once for each library of the process that brings this file along; the
// registry takes the first.
template <typename T>
RegistrationToken RegisterBuiltIn(
    NameRegistry& registry, absl::string_view name, T value,
    source_location location = source_location::current()) {
  return TokenOrReport(registry.Register(name, std::move(value),
                                         location.ToString(),
                                         NameRegistry::Origin::kStatic));
}

RegistrationToken RegisterBuiltIns() {
  std::vector<RegistrationToken> tokens;
  const auto add = [&tokens](absl::string_view name, auto check,
                             int own_options = 0) {
    tokens.push_back(RegisterBuiltIn(InputPolicies(), name,
                                     InputPolicyType{check, own_options}));
  };
  add("syncline.DefaultInputStreamHandler", CheckDefault,
      DefaultInputStreamHandlerOptions::kExtFieldNumber);
  add("syncline.FixedSizeInputStreamHandler", CheckFixedSize,
      FixedSizeInputStreamHandlerOptions::kExtFieldNumber);
  add("syncline.SyncSetInputStreamHandler", CheckSyncSet,
      SyncSetInputStreamHandlerOptions::kExtFieldNumber);
  add("syncline.TimestampAlignInputStreamHandler", CheckTimestampAlign,
      TimestampAlignInputStreamHandlerOptions::kExtFieldNumber);
  add("syncline.ApproximateTimeInputStreamHandler", CheckApproximateTime,
      ApproximateTimeInputStreamHandlerOptions::kExtFieldNumber);
  add("syncline.LatestInputStreamHandler", CheckLatest,
      LatestInputStreamHandlerOptions::kExtFieldNumber);
  add("syncline.MuxInputStreamHandler", CheckMux);
  add("syncline.TimeoutInputStreamHandler", CheckTimeout,
      TimeoutInputStreamHandlerOptions::kExtFieldNumber);
  add("syncline.ImmediateInputStreamHandler", nullptr);
  add("syncline.ArrivalOrderInputStreamHandler", nullptr);
  add("syncline.BarrierInputStreamHandler", nullptr);
  add("syncline.EarlyCloseInputStreamHandler", nullptr);
  tokens.push_back(RegisterBuiltIn(
      OutputHandlers(), "syncline.InOrderOutputStreamHandler", true));
  return RegistrationToken::Combine(std::move(tokens));
}

// Taken back when the library that holds this file is closed.
const Unregister built_ins(RegisterBuiltIns());

absl::StatusOr<NameRegistry::Entry> FindHandler(const NameRegistry& registry,
                                                absl::string_view package,
                                                absl::string_view name,
                                                absl::string_view kind,
                                                absl::string_view next_step) {
  absl::StatusOr<NameRegistry::Entry> entry = registry.Find(package, name);
  if (absl::IsNotFound(entry.status())) {
    entry = absl::NotFoundError(absl::StrCat(
        Quoted(name), " is not a registered ", kind, " stream handler.",
        DidYouMeanOrKnownText(name, registry.Names()), " ", next_step));
  }
  return entry;
}

}  // namespace

absl::StatusOr<RegistrationToken> RegisterInputPolicyType(
    absl::string_view name, InputPolicyType type, absl::string_view origin) {
  return InputPolicies().Register(name, std::move(type), origin);
}

absl::StatusOr<std::string> CheckInputPolicy(absl::string_view package,
                                             absl::string_view name,
                                             const SynclineOptions& options,
                                             const PortLayout& inputs) {
  const absl::StatusOr<NameRegistry::Entry> entry =
      FindHandler(InputPolicies(), package, name, "input",
                  "One of your own is registered with "
                  "RegisterInputPolicyKind() "
                  "(framework/policy/input_policy_registry.h).");
  SYNCLINE_RETURN_IF_ERROR(entry.status());
  if (entry->type != TypeIdOf<InputPolicyType>()) {
    return absl::InternalError(absl::StrCat(
        "input stream handler ", Quoted(entry->name), ", registered at ",
        entry->origin, ", is a ", entry->type.name(),
        "; register it with RegisterInputPolicyType."));
  }
  const auto& type = *static_cast<const InputPolicyType*>(entry->value.get());
  if (type.check != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(type.check(options, inputs));
  }
  return entry->name;
}

absl::Status CheckInputPolicyReads(absl::string_view name,
                                   const SynclineOptions& options) {
  if (options.ByteSizeLong() == 0) return absl::OkStatus();
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::shared_ptr<const InputPolicyType> type,
      InputPolicies().FindValue<InputPolicyType>("", name));
  if (!type->own_options.has_value()) return absl::OkStatus();
  return CheckOptionsAreRead(options, {*type->own_options},
                             "input stream handler");
}

absl::StatusOr<std::string> CheckOutputStreamHandler(absl::string_view package,
                                                     absl::string_view name) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const NameRegistry::Entry entry,
      FindHandler(
          OutputHandlers(), package, name, "output",
          "The field can be left out: outputs are always in input order."));
  return entry.name;
}

}  // namespace syncline
