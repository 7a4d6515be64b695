#include "framework/calculator/context.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/port_layout.h"
#include "framework/condition/condition.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace {

constexpr size_t kLine = alignof(CalculatorContext);

// Outputs follow the inputs.
static_assert(alignof(OutputStream) == alignof(InputStream));
static_assert(sizeof(CalculatorContext) == 2 * kLine);

OutputStreamSet MakeOutputStreams(const CalculatorContract& contract,
                                  void* memory) {
  if (memory == nullptr) return OutputStreamSet(contract.Outputs().TagMap());
  const auto num_inputs = static_cast<size_t>(contract.Inputs().NumEntries());
  return OutputStreamSet(
      contract.Outputs().TagMap(),
      static_cast<std::byte*>(memory) + num_inputs * sizeof(InputStream));
}

}  // namespace

size_t CalculatorContext::StreamBytes(size_t num_inputs, size_t num_outputs) {
  const size_t bytes =
      num_inputs * sizeof(InputStream) + num_outputs * sizeof(OutputStream);
  return (bytes + kLine - 1) / kLine * kLine;
}

CalculatorContext::CalculatorContext(const NodeEnvironment& environment,
                                     void* memory)
    : environment_(environment),
      inputs_(
          MakeInputStreams(environment.contract().Inputs().TagMap(), memory)),
      outputs_(MakeOutputStreams(environment.contract(), memory)) {
  const TimestampDiff offset = contract().GetTimestampOffset();
  int port = 0;
  for (OutputStream& output : outputs_) {
    output.Connect(&environment.output_port(port++), &call_);
    output.SetInitialOffset(offset);
  }
}

int CalculatorContext::NodeMaxInFlight() const {
  // A config that is kept as bytes does not say.
  return contract().node_options().is_packed()
             ? 0
             : contract().node().max_in_flight();
}

const std::string& CalculatorContext::CalculatorType() const {
  return contract().node().calculator();
}

void CalculatorContext::SetOffset(TimestampDiff offset) {
  for (OutputStream& output : outputs_) output.SetOffset(offset);
}

Counter* CalculatorContext::GetCounter(absl::string_view name) {
  if (known_counters_ == nullptr) {
    known_counters_ = std::make_unique<std::vector<NamedCounter>>();
  }
  for (const NamedCounter& known : *known_counters_) {
    if (known.name == name) return known.counter;
  }
  Counter* const counter =
      environment_.counters().GetCounter(absl::StrCat(NodeName(), "-", name));
  // A calculator that makes up names as it goes is not worth remembering.
  constexpr size_t kMaxKnown = 64;
  if (known_counters_->size() < kMaxKnown) {
    known_counters_->push_back({std::string(name), counter});
  }
  return counter;
}

const Packet* CalculatorContext::ServicePacket(
    const GraphServiceBase& service) const {
  const GraphServiceManager* const services = environment_.services();
  if (services == nullptr ||
      contract().FindServiceRequest(service.key) == nullptr) {
    return nullptr;
  }
  const auto found = services->ServicePackets().find(service.key);
  return found == services->ServicePackets().end() ? nullptr : &found->second;
}

std::shared_ptr<ConditionBase> CalculatorContext::AnyCondition(
    absl::string_view name) const {
  absl::StatusOr<std::shared_ptr<ConditionBase>> condition =
      environment_.objects().FindCondition(NodeId(), name);
  if (!condition.ok()) ReportMisuse(condition.status());
  return *std::move(condition);
}

void CalculatorContext::ReportWrongCondition(absl::string_view name,
                                             absl::string_view wanted) const {
  ReportMisuse(absl::InvalidArgumentError(
      absl::StrCat("Condition \"", name, "\" is no ", wanted, ".")));
}

void CalculatorContext::CopyOpenResults(const CalculatorContext& other) {
  auto from = other.outputs_.begin();
  for (OutputStream& output : outputs_) output.CopyOpenResults(*from++);
}

}  // namespace syncline
