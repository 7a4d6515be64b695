#include "framework/plan/input_policy_types.h"

#include <cstdint>
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

constexpr int kMaxBatchSize = 10000;

NameRegistry& InputPolicies() {
  static NameRegistry& registry = NameRegistry::Get("InputStreamHandler");
  return registry;
}

NameRegistry& OutputHandlers() {
  static NameRegistry& registry = NameRegistry::Get("OutputStreamHandler");
  return registry;
}

absl::Status AtLeastOne(absl::string_view option, int value) {
  if (value >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(option, " is ", value, ", but must be at least 1."));
}

// The input port that `tag_index` in the option `option` means.
absl::StatusOr<CollectionItemId> FindPort(absl::string_view option,
                                          const std::string& tag_index,
                                          const PortLayout& inputs) {
  std::string tag;
  int index = 0;
  const absl::Status status = tool::ParseTagIndex(tag_index, &tag, &index);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(option, ": ", status.message()));
  }
  const CollectionItemId id = inputs.GetId(tag, index);
  if (id.IsValid()) return id;
  return absl::InvalidArgumentError(
      absl::StrCat(option, ": the node has no input stream ", Quoted(tag_index),
                   "; it has ", inputs.ShortDebugString(), "."));
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
  absl::Status status =
      AtLeastOne("trigger_queue_size", fixed.trigger_queue_size());
  if (!status.ok()) return status;
  return AtLeastOne("target_queue_size", fixed.target_queue_size());
}

absl::Status CheckSyncSet(const SynclineOptions& options,
                          const PortLayout& inputs) {
  HashSet<int> seen;
  for (const SyncSetInputStreamHandlerOptions::SyncSet& set :
       options.GetExtension(SyncSetInputStreamHandlerOptions::ext).sync_set()) {
    for (const std::string& tag_index : set.tag_index()) {
      const absl::StatusOr<CollectionItemId> port =
          FindPort("sync_set", tag_index, inputs);
      if (!port.ok()) return port.status();
      if (seen.insert(port->value()).second) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("sync_set: input stream ", Quoted(tag_index),
                       " is named more than once."));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTimestampAlign(const SynclineOptions& options,
                                 const PortLayout& inputs) {
  constexpr absl::string_view kOption = "timestamp_base_tag_index";
  const TimestampAlignInputStreamHandlerOptions& align =
      options.GetExtension(TimestampAlignInputStreamHandlerOptions::ext);
  if (!align.has_timestamp_base_tag_index()) {
    return absl::InvalidArgumentError(absl::StrCat(
        kOption, " is not set, but says which stream the others follow."));
  }
  return FindPort(kOption, align.timestamp_base_tag_index(), inputs).status();
}

absl::Status NotNegative(absl::string_view option, std::int64_t value) {
  if (value >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(option, " is ", value, ", but must not be negative."));
}

// Also of what is not a number.
absl::Status IsShare(absl::string_view option, double value) {
  if (value >= 0 && value <= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(option, " is ", value, ", but must be from 0 to 1."));
}

absl::Status CheckApproximateTime(const SynclineOptions& options,
                                  const PortLayout& inputs) {
  const ApproximateTimeInputStreamHandlerOptions& approximate =
      options.GetExtension(ApproximateTimeInputStreamHandlerOptions::ext);
  for (const absl::Status& status :
       {NotNegative("tolerance", approximate.tolerance()),
        NotNegative("max_interval", approximate.max_interval()),
        NotNegative("close_enough", approximate.close_enough()),
        IsShare("min_match_share", approximate.min_match_share())}) {
    if (!status.ok()) return status;
  }
  HashSet<int> seen;
  for (const ApproximateTimeInputStreamHandlerOptions::Stream& stream :
       approximate.stream()) {
    const absl::StatusOr<CollectionItemId> port =
        FindPort("stream", stream.tag_index(), inputs);
    if (!port.ok()) return port.status();
    if (!seen.insert(port->value()).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("stream: input stream ", Quoted(stream.tag_index()),
                       " is named more than once."));
    }
    const absl::Status status =
        NotNegative(absl::StrCat("tolerance of ", Quoted(stream.tag_index())),
                    stream.tolerance());
    if (!status.ok()) return status;
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
  for (const absl::Status& status :
       {FindPort(kMain, latest.main_tag_index(), inputs).status(),
        NotNegative("max_age", latest.max_age()),
        IsShare("min_match_share", latest.min_match_share())}) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
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
  if (timeout.timeout_ns() > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "timeout_ns is ", timeout.timeout_ns(),
      ", but must be positive. A node that is not to wait at all has "
      "ImmediateInputStreamHandler."));
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
  const auto add = [&tokens](absl::string_view name, auto check) {
    tokens.push_back(
        RegisterBuiltIn(InputPolicies(), name, InputPolicyType{check}));
  };
  add("syncline.DefaultInputStreamHandler", CheckDefault);
  add("syncline.FixedSizeInputStreamHandler", CheckFixedSize);
  add("syncline.SyncSetInputStreamHandler", CheckSyncSet);
  add("syncline.TimestampAlignInputStreamHandler", CheckTimestampAlign);
  add("syncline.ApproximateTimeInputStreamHandler", CheckApproximateTime);
  add("syncline.LatestInputStreamHandler", CheckLatest);
  add("syncline.MuxInputStreamHandler", CheckMux);
  add("syncline.TimeoutInputStreamHandler", CheckTimeout);
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

absl::Status NotRegistered(const NameRegistry& registry, absl::string_view name,
                           absl::string_view kind,
                           absl::string_view next_step) {
  return absl::NotFoundError(absl::StrCat(
      Quoted(name), " is not a registered ", kind, " stream handler.",
      DidYouMeanOrKnownText(name, registry.Names()), " ", next_step));
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
      InputPolicies().Find(package, name);
  if (absl::IsNotFound(entry.status())) {
    return NotRegistered(
        InputPolicies(), name, "input",
        "One of your own is registered with RegisterInputPolicyKind() "
        "(framework/policy/input_policy_registry.h).");
  }
  if (!entry.ok()) return entry.status();
  if (entry->type != TypeIdOf<InputPolicyType>()) {
    return absl::InternalError(absl::StrCat(
        "input stream handler ", Quoted(entry->name), ", registered at ",
        entry->origin, ", is a ", entry->type.name(),
        "; register it with RegisterInputPolicyType."));
  }
  const auto& type = *static_cast<const InputPolicyType*>(entry->value.get());
  if (type.check != nullptr) {
    const absl::Status status = type.check(options, inputs);
    if (!status.ok()) return status;
  }
  return entry->name;
}

absl::StatusOr<std::string> CheckOutputStreamHandler(absl::string_view package,
                                                     absl::string_view name) {
  const absl::StatusOr<NameRegistry::Entry> entry =
      OutputHandlers().Find(package, name);
  if (absl::IsNotFound(entry.status())) {
    return NotRegistered(
        OutputHandlers(), name, "output",
        "The field can be left out: outputs are always in input order.");
  }
  if (!entry.ok()) return entry.status();
  return entry->name;
}

}  // namespace syncline
