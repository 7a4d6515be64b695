#include "framework/policy/input_policy_registry.h"

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/base/source_location.h"
#include "framework/plan/handler_options.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/timeout_policy.h"

namespace syncline {
namespace {

NameRegistry& Kinds() {
  static NameRegistry& registry = NameRegistry::Get("InputPolicy");
  return registry;
}

// Adds kinds under names in the namespace of the framework.
class BuiltInKinds {
 public:
  void Add(absl::string_view name, InputPolicyKind kind,
           source_location location = source_location::current()) {
    tokens_.push_back(TokenOrReport(
        Kinds().Register(absl::StrCat("syncline.", name), std::move(kind),
                         location.ToString(), NameRegistry::Origin::kStatic)));
  }
  RegistrationToken TakeToken() && {
    return RegistrationToken::Combine(std::move(tokens_));
  }

 private:
  std::vector<RegistrationToken> tokens_;
};

// Timestamps alone decide about calls.
void AddDeterministicKinds(BuiltInKinds* kinds) {
  kinds->Add("DefaultInputStreamHandler",
             {.create = MakeDefaultPolicy, .is_default = true});
  kinds->Add("SyncSetInputStreamHandler", {.create = MakeSyncSetsPolicy});
  kinds->Add("ApproximateTimeInputStreamHandler",
             {.create = MakeApproximateTimePolicy});
  kinds->Add("LatestInputStreamHandler", {.create = MakeLatestPolicy});
  kinds->Add("MuxInputStreamHandler", {.create = MakeMuxPolicy});
  kinds->Add("BarrierInputStreamHandler",
             {.create = MakeBarrierPolicy, .ignores_time = true});
}

// What comes first decides about order, dropping, alignment and end.
void AddOtherKinds(BuiltInKinds* kinds) {
  // TimestampAlign: packets of its base go alone until the other streams have
  // begun. The schedule decides how many these are
  // (docs/concepts/timestamps.md).
  kinds->Add(
      "ImmediateInputStreamHandler",
      {.create = MakeImmediatePolicy,
       .is_deterministic = false,
       .keeps_packets = true,
       .deterministic_advice =
           "Use DefaultInputStreamHandler, which waits until a time is settled "
           "on all streams; or, for streams that need not meet, "
           "SyncSetInputStreamHandler in a calculator whose contract asks for "
           "it and says SetOrderIndependent(true)."});
  kinds->Add(
      "ArrivalOrderInputStreamHandler",
      {.create = MakeArrivalOrderPolicy,
       .is_deterministic = false,
       .keeps_packets = true,
       .deterministic_advice =
           "Use DefaultInputStreamHandler, which waits until a time is settled "
           "on all streams. An input with merge: true has this handler; give "
           "each of its streams an input of its own instead."});
  kinds->Add(
      "FixedSizeInputStreamHandler",
      {.create = MakeFixedSizePolicy,
       .is_deterministic = false,
       .deterministic_advice =
           "It drops what a slow node is late for. Use "
           "DefaultInputStreamHandler, which drops nothing, and max_queue_size "
           "for the length of queues."});
  kinds->Add(
      "TimestampAlignInputStreamHandler",
      {.create = MakeTimestampAlignPolicy,
       .is_deterministic = false,
       .deterministic_advice =
           "How it aligns depends on which stream begins first. Use "
           "DefaultInputStreamHandler, behind a calculator that gives the "
           "streams one clock."});
  kinds->Add("EarlyCloseInputStreamHandler",
             {.create = MakeEarlyClosePolicy,
              .is_deterministic = false,
              .deterministic_advice =
                  "It drops what is queued when the first stream ends. Use "
                  "DefaultInputStreamHandler, which processes everything."});
  // With a simulated clock the times of a timeout are the same in every run.
  kinds->Add(
      "TimeoutInputStreamHandler",
      {.create = MakeTimeoutPolicy,
       .is_deterministic = false,
       .deterministic_advice =
           "What is there when the time is up depends on how fast the graph "
           "runs. With `clock { type: \"ManualClock\" }` every run has the "
           "same times; or use DefaultInputStreamHandler.",
       .has_timeout = true});
}

// Once for each library of the process that brings this file along; the
// registry takes the first.
RegistrationToken RegisterBuiltIns() {
  BuiltInKinds kinds;
  AddDeterministicKinds(&kinds);
  AddOtherKinds(&kinds);
  return std::move(kinds).TakeToken();
}

// Taken back when the library that holds this file is closed.
const Unregister built_ins(RegisterBuiltIns());

}  // namespace

absl::StatusOr<InputPolicyKind> FindInputPolicy(absl::string_view full_name) {
  absl::StatusOr<std::shared_ptr<const InputPolicyKind>> kind =
      Kinds().FindValue<InputPolicyKind>("", full_name);
  if (!kind.ok()) return kind.status();
  return **kind;
}

absl::StatusOr<RegistrationToken> RegisterInputPolicyKind(
    absl::string_view name, InputPolicyKind kind, InputPolicyType check,
    absl::string_view origin) {
  if (kind.create == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("input stream handler \"", name, "\", registered at ",
                     origin, ", has no function that creates a policy."));
  }
  kind.create = [create = std::move(kind.create),
                 who = absl::StrCat("input stream handler \"", name,
                                    "\", registered at ",
                                    origin)](const PolicyPorts& ports) {
    std::unique_ptr<InputPolicy> made = create(ports);
    // An error of Initialize, or of the run.
    if (made == nullptr) {
      throw std::runtime_error(absl::StrCat(
          who, ": the function that creates a policy returned null."));
    }
    return made;
  };
  absl::StatusOr<RegistrationToken> in_plan =
      RegisterInputPolicyType(name, std::move(check), origin);
  if (!in_plan.ok()) return in_plan;
  absl::StatusOr<RegistrationToken> in_run =
      Kinds().Register(name, std::move(kind), origin);
  if (!in_run.ok()) {
    in_plan->Unregister();
    return in_run;
  }
  std::vector<RegistrationToken> tokens;
  tokens.push_back(*std::move(in_plan));
  tokens.push_back(*std::move(in_run));
  return RegistrationToken::Combine(std::move(tokens));
}

}  // namespace syncline
