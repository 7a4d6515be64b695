// What a part sent: to later parts, and to the outputs of the fused node.

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/side_packets.h"
#include "framework/expansion/lower_fused.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_part_state.h"
#include "framework/node/fused_parts.h"
#include "framework/node/node_outputs.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/bound_after_call.h"

namespace syncline {

absl::Status FusedNodeCalculator::TakeSidePackets(FusedPartState* run,
                                                  CalculatorContext* cc) {
  for (const std::unique_ptr<NodeOutputSidePacket>& output :
       run->environment->node_output_side_packets()) {
    SYNCLINE_RETURN_IF_ERROR(output->TakeError());
    const absl::optional<Packet> packet = output->TakeNewlySet();
    if (!packet.has_value()) continue;
    side_packets_[output->name()] = *packet;
    const CollectionItemId id =
        cc->OutputSidePackets().GetId(FusedTag(output->name()), 0);
    if (id.IsValid()) cc->OutputSidePackets().Get(id).Set(*packet);
  }
  return absl::OkStatus();
}

absl::Status FusedNodeCalculator::TakeOutput(FusedPartState* run, size_t port,
                                             CalculatorContext* cc) {
  FusedPartState::Output& output = run->outputs[port];
  OutputStream& stream = run->context->Outputs().Get(static_cast<int>(port));
  const absl::Span<const Packet> packets = std::as_const(stream).packets();
  OutputOfCall call = {.bound = output.bound,
                       .input_timestamp = run->context->InputTimestamp(),
                       .offset = stream.Offset(),
                       .explicit_bound = stream.explicit_bound(),
                       .last_packet = Timestamp::Unset()};
  if (!packets.empty()) call.last_packet = packets.back().Timestamp();
  if (call.explicit_bound != Timestamp::Unset() &&
      call.explicit_bound < output.bound && !stream.OffsetEnabled() &&
      stream.port().checks_order) {
    return stream.BoundGoesBackError(output.bound, call.explicit_bound);
  }
  const bool is_first = output.packets_added == 0;
  output.packets_added += static_cast<std::int64_t>(packets.size());
  output.is_closed = stream.IsClosed();
  if (output.outer_port >= 0) {
    OutputStream& outer = cc->Outputs().Get(output.outer_port);
    const absl::Span<const PacketTimes> times = stream.times();
    for (size_t i = 0; i < packets.size(); ++i) {
      if (i < times.size()) {
        outer.AddPacket(packets[i], times[i]);
      } else {
        outer.AddPacket(packets[i]);
      }
    }
  }
  const Timestamp bound =
      output.is_closed ? Timestamp::Done() : BoundAfterCall(call);
  // Else the stream is where the next call begins already.
  if (is_first || bound != stream.NextTimestampBound() ||
      !NodeOutputs::OnlySent(stream)) {
    run->MoveOutputs();
  }
  if (packets.empty() && bound <= output.bound) return absl::OkStatus();
  output.bound = std::max(output.bound, bound);
  return DeliverToReaders(run->part->outputs[port], packets, output.bound);
}

absl::Status FusedNodeCalculator::RaiseBound(FusedPartState* run, size_t port,
                                             Timestamp bound) {
  FusedPartState::Output& output = run->outputs[port];
  if (bound <= output.bound) return absl::OkStatus();
  output.bound = bound;
  run->MoveOutputs();
  return DeliverToReaders(run->part->outputs[port], {}, bound);
}

absl::Status FusedNodeCalculator::DeliverToReaders(
    const FusedPart::Output& output, absl::Span<const Packet> packets,
    Timestamp bound) {
  for (const FusedPart::Reader& reader : output.readers) {
    SYNCLINE_RETURN_IF_ERROR(
        runs_[reader.part].Deliver(reader.port, packets, bound));
  }
  return absl::OkStatus();
}

absl::Status FusedNodeCalculator::PassBound(
    FusedPartState* run, absl::FunctionRef<Timestamp(TimestampDiff)> bound_of) {
  int port = 0;
  for (const OutputStream& stream : run->context->Outputs()) {
    const int at = port++;
    if (!stream.OffsetEnabled() || run->outputs[at].is_closed) continue;
    SYNCLINE_RETURN_IF_ERROR(RaiseBound(run, at, bound_of(stream.Offset())));
  }
  return absl::OkStatus();
}

absl::Status FusedNodeCalculator::LearnBounds(FusedPartState* run,
                                              const CalculatorContext& cc) {
  for (size_t port = 0; port < run->outputs.size(); ++port) {
    const FusedPartState::Output& output = run->outputs[port];
    if (output.is_closed) continue;
    if (output.unread != nullptr) {
      SYNCLINE_RETURN_IF_ERROR(RaiseBound(
          run, port, output.unread->bound.load(std::memory_order_relaxed)));
    } else if (output.outer_port >= 0) {
      SYNCLINE_RETURN_IF_ERROR(RaiseBound(
          run, port, cc.Outputs().Get(output.outer_port).NextTimestampBound()));
    }
  }
  return absl::OkStatus();
}

void FusedNodeCalculator::SendBounds(CalculatorContext* cc) {
  for (const FusedPartState::Output* const output : outer_outputs_) {
    if (ABSL_PREDICT_TRUE(output->unread != nullptr)) {
      output->unread->bound.store(output->bound, std::memory_order_relaxed);
      output->unread->packets_added.store(output->packets_added,
                                          std::memory_order_relaxed);
      continue;
    }
    OutputStream& outer = cc->Outputs().Get(output->outer_port);
    if (output->is_closed) {
      outer.Close();
    } else if (output->bound > outer.NextTimestampBound()) {
      outer.SetNextTimestampBound(output->bound);
    }
  }
}

bool FusedNodeCalculator::HasOpenSource() const {
  return std::any_of(runs_.begin(), runs_.end(), [](const FusedPartState& run) {
    return run.is_open && run.part->is_source;
  });
}

}  // namespace syncline
