// What a CalculatorGraph is given before a run: executors, callbacks,
// observers, counters and services, and who is told of a standstill.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/resources.h"
#include "framework/calculator/service.h"
#include "framework/graph/calculator_graph_members.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/output_tap.h"
#include "framework/run/poller_queue.h"
#include "framework/scheduler/executor.h"

namespace syncline {
namespace {

// Members are private to a graph, so their type is not named here.
template <typename Members>
absl::Status CheckBefore(absl::string_view function, const Members& members) {
  if (members.plan == nullptr) return absl::OkStatus();
  return CatchExceptions([&] {
    return absl::FailedPreconditionError(
        absl::StrCat(function, "() has to come before Initialize()."));
  });
}

}  // namespace

// --- Watching

void CalculatorGraph::ExplainStandstills(StandstillOptions options) {
  members_->watch.options = std::move(options);
}

void CalculatorGraph::ExplainStandstills(
    absl::Duration after, std::function<void(const std::string&)> tell) {
  ExplainStandstills(
      StandstillOptions{.after = after, .tell = std::move(tell)});
}

// --- Before Initialize

absl::Status CalculatorGraph::SetErrorCallback(
    std::function<void(const absl::Status&)> callback) {
  SYNCLINE_RETURN_IF_ERROR(CheckBefore("SetErrorCallback", *members_));
  members_->setup.error_callback = std::move(callback);
  return absl::OkStatus();
}

absl::Status CalculatorGraph::SetExecutor(const std::string& name,
                                          std::shared_ptr<Executor> executor) {
  SYNCLINE_RETURN_IF_ERROR(CheckBefore("SetExecutor", *members_));
  if (name == "default" || name == "gpu" || absl::StartsWith(name, "__")) {
    return absl::InvalidArgumentError(
        absl::StrCat("The executor name \"", name,
                     "\" is reserved. The default executor is called \"\"."));
  }
  if (executor == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("The executor given for \"", name, "\" is null."));
  }
  const auto [known, is_new] =
      members_->given.executors.emplace(name, executor);
  if (!is_new && known->second != executor) {
    return absl::AlreadyExistsError(
        absl::StrCat("SetExecutor() was called with another executor for \"",
                     name, "\" before."));
  }
  return absl::OkStatus();
}

absl::Status CalculatorGraph::SetTaskChooser(TaskChooser* chooser) {
  SYNCLINE_RETURN_IF_ERROR(CheckBefore("SetTaskChooser", *members_));
  members_->setup.chooser = chooser;
  members_->setup.wait_point->SetChooser(chooser);
  return absl::OkStatus();
}

absl::Status CalculatorGraph::SetClock(std::shared_ptr<GraphClock> clock) {
  SYNCLINE_RETURN_IF_ERROR(CheckBefore("SetClock", *members_));
  if (clock == nullptr) {
    return absl::InvalidArgumentError("The clock given to SetClock() is null.");
  }
  members_->given.clock = std::move(clock);
  return absl::OkStatus();
}

// --- Streams that are looked at

namespace {

template <typename Members>
absl::StatusOr<int> FindStream(const Members& members, absl::string_view name) {
  if (members.plan == nullptr) return NotInitialized();
  if (members.state.is_started) {
    return absl::FailedPreconditionError(
        absl::StrCat("Stream \"", name,
                     "\" can be observed only before the run has started."));
  }
  const int stream = members.plan->FindStream(name);
  if (stream >= 0) return stream;
  return absl::NotFoundError(
      absl::StrCat("The graph has no stream \"", name, "\"."));
}

// `make` makes the tap of the stream, by its number.
template <typename Members, typename Make>
absl::Status AddTap(Members& members, absl::string_view name, Make make) {
  return CatchExceptions([&]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const int stream, FindStream(members, name));
    members.setup.taps.push_back(make(stream));
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status CalculatorGraph::ObserveOutputStream(
    const std::string& stream_name,
    std::function<absl::Status(const Packet&)> callback,
    bool observe_timestamp_bounds) {
  return AddTap(*members_, stream_name,
                [&](int stream) -> std::shared_ptr<OutputTap> {
                  if (observe_timestamp_bounds) {
                    return std::make_shared<BoundObserver>(stream, stream_name,
                                                           std::move(callback));
                  }
                  return std::make_shared<Observer>(stream, stream_name,
                                                    std::move(callback));
                });
}

absl::Status CalculatorGraph::ObserveWholeStream(
    const std::string& stream_name,
    std::function<absl::Status(const Packet&)> callback,
    std::function<absl::Status(const Packet&, const PacketTimes&)>
        times_callback) {
  return AddTap(*members_, stream_name, [&](int stream) {
    return std::make_shared<BoundObserver>(
        stream, stream_name, std::move(callback), BoundObserver::Tells::kBound,
        std::move(times_callback));
  });
}

absl::StatusOr<OutputStreamPoller> CalculatorGraph::AddOutputStreamPoller(
    const std::string& stream_name, bool observe_timestamp_bounds) {
  std::shared_ptr<PollerQueue> queue;
  SYNCLINE_RETURN_IF_ERROR(AddTap(*members_, stream_name, [&](int stream) {
    queue = std::make_shared<PollerQueue>(stream, observe_timestamp_bounds,
                                          members_->setup.wait_point);
    members_->setup.pollers.push_back(queue);
    return queue;
  }));
  return OutputStreamPoller(std::move(queue));
}

// --- Counters and services

void CalculatorGraph::SetCounterFactory(CounterFactory* factory) {
  members_->counters.reset(factory);
}

CounterFactory* CalculatorGraph::GetCounterFactory() {
  return members_->counters.get();
}

absl::Status CalculatorGraph::SetServicePacket(const GraphServiceBase& service,
                                               Packet packet) {
  if (members_->state.is_started) {
    return absl::FailedPreconditionError(
        absl::StrCat("Service \"", service.key,
                     "\" has to be given before the run has started."));
  }
  if (members_->plan != nullptr &&
      absl::string_view(service.key) == kResourcesService.key) {
    return absl::InternalError(
        "kResourcesService has to be given before Initialize().");
  }
  return members_->services.SetServicePacket(service, std::move(packet));
}

absl::Status CalculatorGraph::DisallowServiceDefaultInitialization() {
  members_->services.DisallowDefaultInitialization();
  return absl::OkStatus();
}

const GraphServiceManager& CalculatorGraph::services() const {
  return members_->services;
}

}  // namespace syncline
