#include "framework/node/node_outputs.h"

#include <memory>
#include <memory_resource>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/cache_lines.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/output_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/stream/bound_after_call.h"

namespace syncline {

Timestamp TimeOfPromisesAtMax(const CalculatorContext& context) {
  bool some_goes_on = false;
  for (const InputStream& input : context.Inputs()) {
    if (!input.IsEmpty()) return Timestamp::Max();
    some_goes_on |= input.Value().Timestamp() < Timestamp::Max();
  }
  return some_goes_on ? Timestamp::Unstarted() : Timestamp::Max();
}

NodeOutputs::~NodeOutputs() { std::destroy_n(states_, size_); }

void NodeOutputs::Place(absl::Span<const PlanOutput> outputs,
                        std::pmr::memory_resource* memory) {
  states_ = PlaceArray<State>(outputs.size(), memory);
  for (const PlanOutput& output : outputs) {
    states_[size_++].stream = output.stream;
  }
}

NodeOutputs::Change NodeOutputs::Examine(
    int port, OutputStream* stream, Timestamp input_timestamp,
    bool calls_overlap, std::vector<absl::Status>* errors) const {
  const State& state = states_[port];
  const absl::Span<Packet> packets = stream->packets();
  const bool has_offset = state.offset != TimestampDiff::Unset();
  const Timestamp before = Bound(state);
  const Timestamp explicit_bound = stream->explicit_bound();
  if (packets.empty() && !stream->IsClosed() && !has_offset &&
      explicit_bound == Timestamp::Unset()) {
    return {};
  }
  if (state.closed) {
    // Another call has closed the output. An overlapping call could not know.
    if (calls_overlap && !packets.empty()) {
      errors->push_back(stream->ClosedError(packets.front().Timestamp()));
    }
    return {};
  }
  OutputOfCall call = {.bound = before,
                       .input_timestamp = input_timestamp,
                       .offset = state.offset,
                       .explicit_bound = explicit_bound};
  if (!packets.empty()) {
    call.last_packet = packets.back().Timestamp();
    // Overlapping calls checked the order against an older bound.
    if (calls_overlap && stream->port().checks_order) {
      if (call.last_packet == Timestamp::PostStream() && Count(state) > 0) {
        errors->push_back(stream->PostStreamNotAloneError());
        return {};
      }
      if (packets.front().Timestamp() < before) {
        errors->push_back(
            stream->GoesBackError(before, packets.front().Timestamp()));
        return {};
      }
    }
  }
  if (explicit_bound != Timestamp::Unset() && explicit_bound < before &&
      stream->port().checks_order && !has_offset) {
    errors->push_back(stream->BoundGoesBackError(before, explicit_bound));
  }
  const bool closes = stream->IsClosed();
  const Timestamp bound = closes ? Timestamp::Done() : BoundAfterCall(call);
  return {.sent = {.packets = packets,
                   .bound = bound,
                   .tells_readers = !packets.empty() || bound > before},
          .closes = closes,
          .is_due = true};
}

void NodeOutputs::Apply(int port, const Change& change) {
  if (!change.is_due) return;
  states_[port].closed = change.closes;
  Set(&states_[port], change.sent.bound, change.sent.packets.size());
}

NodeOutputs::Sent NodeOutputs::End(int port) {
  State& state = states_[port];
  if (state.closed) return {};
  state.closed = true;
  Set(&state, Timestamp::Done(), 0);
  return {.packets = {}, .bound = Timestamp::Done(), .tells_readers = true};
}

}  // namespace syncline
