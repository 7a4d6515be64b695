// FusedNode: the calculators of a node's fused_node entries, one after the
// other in each call.
//
//   node {
//     name: "chain"
//     fused_node { calculator: "A" input_stream: "in" output_stream: "middle" }
//     fused_node { calculator: "B" input_stream: "middle" output_stream: "out"
//     }
//   }
//
// The plan makes such a node one of this calculator (plan/lower_fused.h). Each
// part has an object, a context and outputs of its own, and lives as a node
// does: Open, calls of Process, Close. In a call of the fused node, in their
// order,
//
//   a part that reads only what the fused node reads
//       is called once, if it has a packet or is called for bounds too;
//   a part that reads what an earlier part makes
//       is called for each input set that is settled: none, one or several.
//       What is not settled waits for the next call of the fused node;
//   a part without inputs
//       is called once, until it returns tool::StatusStop(). Where no part has
//       inputs, the fused node is a source, which ends with the last of them.
//
// So a fused node sends what its parts would send as nodes of their own with
// the default rule, apart from parts without inputs beside others with some. A
// part whose inputs are over is closed; the others at the end, in their order,
// each after it has got what earlier ones sent in Close. The first error ends
// the call, and names both nodes.
//
// An empty input is one that the part has no packet for. Bounds pass through a
// fused node as far as the offsets of its parts add up. With a part that joins
// it has no offset, but is called for bounds too, so that they move on what
// that part holds, and pass then.
//
// Thread rule: as for any calculator; max_in_flight stays 1.
// Tested by fused_nodes_test and fused_oracle_test.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/registry.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_stop.h"
#include "framework/base/status_text.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/side_packets.h"
#include "framework/node/fused_part_run.h"
#include "framework/node/fused_parts.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/lower_fused.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/sync_set.h"
#include "framework/stream/input_queue.h"
#include "framework/stream/timestamp_bound.h"

namespace syncline {
namespace {

class FusedNodeCalculator : public CalculatorBase {
 public:
  explicit FusedNodeCalculator(std::shared_ptr<const FusedParts> parts)
      : parts_(std::move(parts)), runs_(parts_->parts().size()) {
    for (size_t i = 0; i < runs_.size(); ++i) {
      runs_[i].part = parts_->parts()[i].get();
      for (const FusedPart::Input& input : runs_[i].part->inputs) {
        has_inputs_ |= input.part < 0;
      }
    }
  }
  ~FusedNodeCalculator() override {
    while (!runs_.empty()) runs_.pop_back();
  }

  absl::Status Open(CalculatorContext* cc) override {
    wants_stop_ = has_ended_parts_ = false;
    absl::Status status = OpenParts(cc);
    if (!status.ok()) {
      // The engine calls Close of those whose Open was good only.
      CloseAfterFailure(status);
      EndRun();
    }
    return status;
  }

  absl::Status Process(CalculatorContext* cc) override {
    SYNCLINE_RETURN_IF_ERROR(LearnBounds(*cc));
    for (FusedPartRun& run : runs_) {
      if (run.is_open) SYNCLINE_RETURN_IF_ERROR(RunPart(&run, cc));
    }
    if (has_ended_parts_) SYNCLINE_RETURN_IF_ERROR(CloseEndedParts(cc));
    SendBounds(cc);
    if (!has_inputs_ && !HasOpenSource()) return tool::StatusStop();
    return std::exchange(wants_stop_, false) ? tool::StatusStop()
                                             : absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    absl::Status status = cc->GraphStatus();
    if (status.ok()) status = LearnBounds(*cc);
    if (status.ok()) status = CloseParts(cc);
    if (!status.ok()) CloseAfterFailure(status);
    EndRun();
    return status;
  }

 private:
  // --- Open

  absl::Status OpenParts(CalculatorContext* cc) {
    for (FusedPartRun& run : runs_) run.Prepare();
    for (FusedPartRun& run : runs_) {
      SYNCLINE_RETURN_IF_ERROR(OpenPart(&run, cc));
    }
    for (FusedPartRun& run : runs_) {
      if (run.is_open) SYNCLINE_RETURN_IF_ERROR(RunJoin(&run, cc));
      int port = 0;
      for (const FusedPart::Output& output : run.part->outputs) {
        const FusedPartRun::Output& its = run.outputs[port];
        const OutputStream& stream = run.context->Outputs().Get(port++);
        if (output.outer_port < 0) continue;
        OutputStream& outer = cc->Outputs().Get(output.outer_port);
        outer.SetOffset(its.whole_offset);
        if (!stream.Header().IsEmpty()) outer.SetHeader(stream.Header());
      }
    }
    SendBounds(cc);
    return absl::OkStatus();
  }

  absl::Status OpenPart(FusedPartRun* run, CalculatorContext* cc) {
    const FusedPart& part = *run->part;
    const CalculatorContract& contract = part.contract;
    absl::StatusOr<PacketSet> side_packets = FillInputSidePackets(
        contract.InputSidePackets(),
        [&](const std::string& name) { return SidePacket(name, *cc); });
    if (!side_packets.ok()) {
      return PrefixStatus(
          absl::StrCat("Side packets of node ", NodeText(contract),
                       " (those of nodes that are fused before it have to be "
                       "set in Open): "),
          side_packets.status());
    }
    const NodeEnvironment& outer = cc->environment();
    NodeEnvironment::Run of_run;
    of_run.node_id = cc->NodeId();
    of_run.input_side_packets = *std::move(side_packets);
    of_run.counters = &outer.counters();
    of_run.services = outer.services();
    of_run.objects = &outer.objects();
    run->environment =
        std::make_unique<NodeEnvironment>(contract, std::move(of_run));
    run->context = std::make_unique<CalculatorContext>(*run->environment);
    run->IgnoreOrderAs(outer);
    SetHeaders(run, *cc);
    CalculatorContext* const context = run->context.get();
    if (run->calculator == nullptr) {
      SYNCLINE_ASSIGN_OR_RETURN(run->calculator,
                                InvokeCreate(*part.factory, context));
    }
    run->BeginOutputs();
    context->BeginCall(CallPhase::kOpen, Timestamp::Unstarted());
    SYNCLINE_RETURN_IF_ERROR(InvokeOpen(run->calculator.get(), context));
    run->is_open = true;
    SetOffsets(run);
    return FinishCall(run, cc);
  }

  Packet SidePacket(const std::string& name,
                    const CalculatorContext& cc) const {
    const auto made = side_packets_.find(name);
    if (made != side_packets_.end()) return made->second;
    const CollectionItemId id = cc.InputSidePackets().GetId(FusedTag(name), 0);
    return id.IsValid() ? cc.InputSidePackets().Get(id) : Packet();
  }

  void SetHeaders(FusedPartRun* run, const CalculatorContext& cc) {
    int port = 0;
    for (const FusedPart::Input& input : run->part->inputs) {
      InputStream& stream = run->context->Inputs().Get(port++);
      stream.SetHeader(
          input.part < 0
              ? cc.Inputs().Get(input.outer_port).Header()
              : runs_[input.part].context->Outputs().Get(input.port).Header());
    }
  }

  void SetOffsets(FusedPartRun* run) {
    TimestampDiff so_far = TimestampDiff::Unset();
    bool is_first = true;
    for (const FusedPart::Input& input : run->part->inputs) {
      const TimestampDiff its =
          input.part < 0 ? TimestampDiff(0)
                         : runs_[input.part].outputs[input.port].whole_offset;
      // Unset is the lowest.
      so_far = is_first ? its : std::min(so_far, its);
      is_first = false;
    }
    int port = 0;
    for (const OutputStream& output : run->context->Outputs()) {
      // Bounds must not pass packets that are held.
      run->outputs[port++].whole_offset =
          run->part->MayHoldPackets() ? TimestampDiff::Unset()
                                      : AddOffsets(so_far, output.Offset());
    }
  }

  // --- Process

  absl::Status RunPart(FusedPartRun* run, CalculatorContext* cc) {
    if (run->part->joins) {
      SYNCLINE_RETURN_IF_ERROR(FillQueues(run, *cc));
      return RunJoin(run, cc);
    }
    if (run->part->inputs.empty()) {
      if (!run->part->is_source) return absl::OkStatus();
      bool stops = false;
      SYNCLINE_RETURN_IF_ERROR(
          CallProcess(run, cc->InputTimestamp(), cc, &stops));
      if (stops) NoteEnd(run);
      return absl::OkStatus();
    }
    return RunDirectly(run, cc);
  }

  // With the inputs of the fused node as they are.
  absl::Status RunDirectly(FusedPartRun* run, CalculatorContext* cc) {
    bool has_packet = false;
    bool is_over = true;
    Timestamp settled = Timestamp::Done();
    int port = 0;
    for (const FusedPart::Input& input : run->part->inputs) {
      const InputStream& outer = cc->Inputs().Get(input.outer_port);
      has_packet |= !outer.IsEmpty();
      is_over &= outer.IsDone();
      settled = std::min(settled, outer.Value().Timestamp());
      run->context->Inputs().Get(port++).Fill(Packet(outer.Value()),
                                              outer.IsDone());
    }
    if (has_packet || run->part->contract.GetProcessTimestampBounds()) {
      SYNCLINE_RETURN_IF_ERROR(
          CallProcess(run, cc->InputTimestamp(), cc, &wants_stop_));
    } else {
      run->context->EndCall();
      if (settled.IsAllowedInStream()) {
        SYNCLINE_RETURN_IF_ERROR(PassBound(run, [&](TimestampDiff offset) {
          return BoundByOffset(settled, offset);
        }));
      }
    }
    if (is_over) NoteEnd(run);
    return absl::OkStatus();
  }

  absl::Status FillQueues(FusedPartRun* run, const CalculatorContext& cc) {
    int port = -1;
    for (const FusedPart::Input& input : run->part->inputs) {
      ++port;
      if (input.part >= 0) continue;
      const InputStream& outer = cc.Inputs().Get(input.outer_port);
      const Timestamp time = outer.Value().Timestamp();
      const Timestamp bound = outer.IsDone() ? Timestamp::Done()
                              : time.IsAllowedInStream()
                                  ? time.NextAllowedInStream()
                                  : Timestamp::PreStream();
      SYNCLINE_RETURN_IF_ERROR(run->Deliver(
          port, {&outer.Value(), outer.IsEmpty() ? 0u : 1u}, bound));
    }
    return absl::OkStatus();
  }

  // Calls the part for all that is settled.
  absl::Status RunJoin(FusedPartRun* run, CalculatorContext* cc) {
    if (!run->part->joins) return absl::OkStatus();
    for (;;) {
      const Readiness ready = run->join.Evaluate();
      if (ready.state == Readiness::State::kClose) {
        NoteEnd(run);
        return absl::OkStatus();
      }
      if (ready.state == Readiness::State::kWait) {
        SYNCLINE_RETURN_IF_ERROR(PassBound(run, [&](TimestampDiff offset) {
          return BoundPassedOn(ready.timestamp, offset);
        }));
        return run->CheckWaiting();
      }
      run->join.Take(ready.timestamp, &run->context->Inputs());
      for (InputQueue& queue : run->queues) {
        if (queue.has_trash()) queue.TakeTrash();
      }
      SYNCLINE_RETURN_IF_ERROR(
          CallProcess(run, ready.timestamp, cc, &wants_stop_));
    }
  }

  // The inputs are there. tool::StatusStop() sets `stops`.
  absl::Status CallProcess(FusedPartRun* run, Timestamp timestamp,
                           CalculatorContext* cc, bool* stops) {
    run->BeginOutputs();
    run->context->BeginCall(CallPhase::kProcess, timestamp);
    const absl::Status status =
        InvokeProcess(run->calculator.get(), run->context.get());
    if (tool::IsStatusStop(status)) {
      *stops = true;
    } else if (!status.ok()) {
      run->context->EndCall();
      return status;
    }
    return FinishCall(run, cc);
  }

  // --- Close

  // Nothing can come any more: to be closed when all parts had their turn.
  void NoteEnd(FusedPartRun* run) {
    run->is_over = true;
    has_ended_parts_ = true;
  }

  // In their order; what Close sends may be the last that a later one gets.
  absl::Status CloseEndedParts(CalculatorContext* cc) {
    has_ended_parts_ = false;
    for (FusedPartRun& run : runs_) {
      if (!run.is_open) continue;
      SYNCLINE_RETURN_IF_ERROR(RunJoin(&run, cc));
      if (run.is_over) SYNCLINE_RETURN_IF_ERROR(ClosePart(&run, cc));
    }
    return absl::OkStatus();
  }

  absl::Status CloseParts(CalculatorContext* cc) {
    for (FusedPartRun& run : runs_) {
      if (!run.is_open) continue;
      if (run.part->joins) {
        int port = -1;
        for (const FusedPart::Input& input : run.part->inputs) {
          ++port;
          if (input.part >= 0) continue;
          SYNCLINE_RETURN_IF_ERROR(run.Deliver(port, {}, Timestamp::Done()));
        }
        SYNCLINE_RETURN_IF_ERROR(RunJoin(&run, cc));
      }
      SYNCLINE_RETURN_IF_ERROR(ClosePart(&run, cc));
    }
    return absl::OkStatus();
  }

  absl::Status ClosePart(FusedPartRun* run, CalculatorContext* cc) {
    run->is_open = false;
    run->BeginOutputs();
    run->context->BeginCall(CallPhase::kClose, Timestamp::Done());
    absl::Status status =
        InvokeClose(run->calculator.get(), run->context.get());
    if (!status.ok()) {
      run->context->EndCall();
      return status;
    }
    SYNCLINE_RETURN_IF_ERROR(FinishCall(run, cc));
    for (size_t port = 0; port < run->outputs.size(); ++port) {
      run->outputs[port].is_closed = true;
      SYNCLINE_RETURN_IF_ERROR(RaiseBound(run, port, Timestamp::Done()));
    }
    return absl::OkStatus();
  }

  // What Close sends and returns reaches nobody.
  void CloseAfterFailure(const absl::Status& status) {
    for (FusedPartRun& run : runs_) {
      if (!std::exchange(run.is_open, false)) continue;
      CalculatorContext* const context = run.context.get();
      context->EndCall();
      context->SetGraphStatus(status);
      run.BeginOutputs();
      context->BeginCall(CallPhase::kClose, Timestamp::Done());
      InvokeClose(run.calculator.get(), context).IgnoreError();
      context->EndCall();
    }
  }

  void EndRun() {
    for (FusedPartRun& run : runs_) run.EndRun();
    side_packets_.clear();
  }

  // --- What a call sent

  absl::Status FinishCall(FusedPartRun* run, CalculatorContext* cc) {
    absl::Status status = TakeResults(run, cc);
    run->context->EndCall();
    return status;
  }

  absl::Status TakeResults(FusedPartRun* run, CalculatorContext* cc) {
    CalculatorContext* const context = run->context.get();
    SYNCLINE_RETURN_IF_ERROR(context->call().status());
    for (size_t port = 0; port < run->outputs.size(); ++port) {
      SYNCLINE_RETURN_IF_ERROR(TakeOutput(run, port, cc));
    }
    for (const std::unique_ptr<NodeOutputSidePacket>& output :
         run->environment->node_output_side_packets()) {
      SYNCLINE_RETURN_IF_ERROR(output->TakeError());
      const absl::optional<Packet> news = output->TakeNews();
      if (!news.has_value()) continue;
      side_packets_[output->name()] = *news;
      const CollectionItemId id =
          cc->OutputSidePackets().GetId(FusedTag(output->name()), 0);
      if (id.IsValid()) cc->OutputSidePackets().Get(id).Set(*news);
    }
    return absl::OkStatus();
  }

  absl::Status TakeOutput(FusedPartRun* run, size_t port,
                          CalculatorContext* cc) {
    FusedPartRun::Output& output = run->outputs[port];
    if (output.is_closed) return absl::OkStatus();
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
    output.had_packets |= !packets.empty();
    output.is_closed = stream.IsClosed();
    const FusedPart::Output& to = run->part->outputs[port];
    if (to.outer_port >= 0) {
      OutputStream& outer = cc->Outputs().Get(to.outer_port);
      for (const Packet& packet : packets) outer.AddPacket(packet);
    }
    const Timestamp bound =
        output.is_closed ? Timestamp::Done() : BoundAfterCall(call);
    if (packets.empty() && bound <= output.bound) return absl::OkStatus();
    output.bound = std::max(output.bound, bound);
    return DeliverToReaders(to, packets, output.bound);
  }

  absl::Status RaiseBound(FusedPartRun* run, size_t port, Timestamp bound) {
    FusedPartRun::Output& output = run->outputs[port];
    if (bound <= output.bound) return absl::OkStatus();
    output.bound = bound;
    return DeliverToReaders(run->part->outputs[port], {}, bound);
  }

  absl::Status DeliverToReaders(const FusedPart::Output& output,
                                absl::Span<const Packet> packets,
                                Timestamp bound) {
    for (const FusedPart::Reader& reader : output.readers) {
      SYNCLINE_RETURN_IF_ERROR(
          runs_[reader.part].Deliver(reader.port, packets, bound));
    }
    return absl::OkStatus();
  }

  // `bound_of` an offset: how far a part is that was not called.
  absl::Status PassBound(FusedPartRun* run,
                         absl::FunctionRef<Timestamp(TimestampDiff)> bound_of) {
    int port = 0;
    for (const OutputStream& stream : run->context->Outputs()) {
      const int at = port++;
      if (!stream.OffsetEnabled() || run->outputs[at].is_closed) continue;
      SYNCLINE_RETURN_IF_ERROR(RaiseBound(run, at, bound_of(stream.Offset())));
    }
    return absl::OkStatus();
  }

  // Where the node promised an offset, bounds passed through it between calls.
  absl::Status LearnBounds(const CalculatorContext& cc) {
    for (FusedPartRun& run : runs_) {
      size_t port = 0;
      for (const FusedPart::Output& to : run.part->outputs) {
        const size_t at = port++;
        if (to.outer_port < 0 || run.outputs[at].is_closed) continue;
        SYNCLINE_RETURN_IF_ERROR(RaiseBound(
            &run, at, cc.Outputs().Get(to.outer_port).NextTimestampBound()));
      }
    }
    return absl::OkStatus();
  }

  // What is known of the fused node's outputs after all parts had their turn.
  void SendBounds(CalculatorContext* cc) {
    for (const FusedPartRun& run : runs_) {
      int port = 0;
      for (const FusedPart::Output& to : run.part->outputs) {
        const FusedPartRun::Output& output = run.outputs[port++];
        if (to.outer_port < 0) continue;
        OutputStream& outer = cc->Outputs().Get(to.outer_port);
        if (output.is_closed) {
          outer.Close();
        } else if (output.bound > outer.NextTimestampBound()) {
          outer.SetNextTimestampBound(output.bound);
        }
      }
    }
  }

  bool HasOpenSource() const {
    return std::any_of(runs_.begin(), runs_.end(), [](const FusedPartRun& run) {
      return run.is_open && run.part->is_source;
    });
  }

  const std::shared_ptr<const FusedParts> parts_;
  std::vector<FusedPartRun> runs_;  // by part
  bool has_inputs_ = false;
  // Of the run.
  bool wants_stop_ = false;
  bool has_ended_parts_ = false;
  // Made by parts, by name.
  absl::flat_hash_map<std::string, Packet> side_packets_;
};

// Keeps what the contract found out for the objects.
class FusedNodeFactory : public CalculatorBaseFactory {
 public:
  absl::Status GetContract(CalculatorContract* cc) const override {
    SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<const FusedParts> parts,
                              FusedParts::Make(*cc));
    SYNCLINE_RETURN_IF_ERROR(parts->Describe(cc));
    MutexLock lock(&mutex_);
    parts_[cc] = std::move(parts);
    return absl::OkStatus();
  }

  std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const override {
    return std::make_unique<FusedNodeCalculator>(PartsOf(cc->contract()));
  }

 private:
  std::shared_ptr<const FusedParts> PartsOf(
      const CalculatorContract& contract) const {
    MutexLock lock(&mutex_);
    const auto found = parts_.find(&contract);
    if (found != parts_.end()) return found->second;
    ReportMisuse(absl::FailedPreconditionError(
        "the factory that makes a FusedNode is not the one that was asked for "
        "its contract."));
  }

  mutable Mutex mutex_;
  // By the contract that they are of, which lives as long as its plan.
  mutable absl::flat_hash_map<const CalculatorContract*,
                              std::shared_ptr<const FusedParts>>
      parts_ ABSL_GUARDED_BY(mutex_);
};

// The name is reserved.
REGISTER_FACTORY_FUNCTION_QUALIFIED(
    CalculatorBaseRegistry, calculator_registration, FusedNode,
    [] { return std::make_unique<FusedNodeFactory>(); });

}  // namespace
}  // namespace syncline
