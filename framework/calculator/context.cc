#include "framework/calculator/context.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/collection_item_id.h"

namespace syncline {

CalculatorContext::CalculatorContext(const NodeEnvironment& environment)
    : environment_(environment),
      inputs_(MakeInputStreams(environment.contract().Inputs().TagMap())),
      outputs_(environment.contract().Outputs().TagMap()) {
  const TimestampDiff offset = contract().GetTimestampOffset();
  int port = 0;
  for (OutputStream& output : outputs_) {
    output.Connect(&environment.output_port(port++), &call_);
    output.SetInitialOffset(offset);
  }
}

void CalculatorContext::SetOffset(TimestampDiff offset) {
  for (OutputStream& output : outputs_) output.SetOffset(offset);
}

Counter* CalculatorContext::GetCounter(absl::string_view name) {
  for (const NamedCounter& known : known_counters_) {
    if (known.name == name) return known.counter;
  }
  Counter* const counter =
      environment_.counters().GetCounter(absl::StrCat(NodeName(), "-", name));
  // A calculator that makes up names as it goes is not worth remembering.
  constexpr size_t kMaxKnown = 64;
  if (known_counters_.size() < kMaxKnown) {
    known_counters_.push_back({std::string(name), counter});
  }
  return counter;
}

const Packet* CalculatorContext::ServicePacket(
    const GraphServiceBase& service) const {
  const GraphServiceManager* const services = environment_.services();
  if (services == nullptr ||
      !contract().ServiceRequests().contains(service.key))
    return nullptr;
  const auto found = services->ServicePackets().find(service.key);
  return found == services->ServicePackets().end() ? nullptr : &found->second;
}

void CalculatorContext::EndCall() {
  for (InputStream& input : inputs_) input.Clear();
  for (OutputStream& output : outputs_) output.Clear();
  call_.Clear();
  input_timestamp_ = Timestamp::Unset();
}

void CalculatorContext::CopyOpenResults(const CalculatorContext& other) {
  auto from = other.outputs_.begin();
  for (OutputStream& output : outputs_) output.CopyOpenResults(*from++);
}

}  // namespace syncline
