#include "testing/reference_run.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/call.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/counter.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/default_service.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/service.h"
#include "framework/calculator/side_packets.h"
#include "framework/stream/bound_after_call.h"
#include "testing/reference_join.h"

namespace syncline {
namespace {

enum class Life { kUnopened, kOpen, kOver };

struct ReferenceNode {
  ReferenceNode(const PlanNode& plan, ReferenceJoin join)
      : plan(plan), join(std::move(join)) {}

  const PlanNode& plan;
  ReferenceJoin join;
  Life life = Life::kUnopened;
  std::unique_ptr<NodeEnvironment> environment;
  std::unique_ptr<CalculatorContext> context;
  std::unique_ptr<CalculatorBase> calculator;
};

using Invoke =
    absl::FunctionRef<absl::Status(CalculatorBase*, CalculatorContext*)>;

class ReferenceRun {
 public:
  ReferenceRun(const GraphPlan& plan, const ReferenceOptions& options)
      : plan_(plan), options_(options) {}

  absl::Status Prepare(const ReferenceInputs& inputs) {
    streams_.resize(plan_.streams().size());
    for (const PlanNode& node : plan_.nodes()) {
      absl::optional<ReferenceJoin> join;
      if (!node.inputs.empty()) {
        SYNCLINE_ASSIGN_OR_RETURN(join, ReferenceJoin::Create(node, streams_));
      }
      nodes_.emplace_back(node, join.value_or(ReferenceJoin()));
    }
    for (const PlanService& service : plan_.services()) {
      SYNCLINE_RETURN_IF_ERROR(
          ProvideDefaultService(*service.request, "reference run", &services_));
    }
    SYNCLINE_RETURN_IF_ERROR(plan_.CheckSidePackets(inputs.side_packets));
    side_packets_ = inputs.side_packets;
    for (const GraphInputEvent& event : inputs.events) {
      SYNCLINE_RETURN_IF_ERROR(Feed(event));
    }
    for (const PlanGraphInput& input : plan_.graph_inputs()) {
      streams_[input.stream].bound = Timestamp::Done();
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ReferenceResult> Run() {
    while (DoOne()) {
      if (num_calls_ > options_.max_calls) {
        return absl::ResourceExhaustedError(
            absl::StrCat("The reference run did not end within ",
                         options_.max_calls, " calls and bounds."));
      }
      if (options_.stop_at_error && !errors_.empty()) break;
    }
    ReferenceResult result;
    for (const PlanStream& stream : plan_.streams()) {
      const ReferenceStream& sent = streams_[stream.id];
      result.streams[std::string(stream.name)] = {sent.packets,
                                                  sent.IsClosed()};
    }
    for (const PlanSidePacket& side_packet : plan_.side_packets()) {
      const auto found = side_packets_.find(side_packet.name);
      if (found != side_packets_.end()) result.side_packets.insert(*found);
    }
    result.calls = std::move(calls_);
    result.errors = errors_;
    if (!errors_.empty()) result.status = errors_.front();
    CloseTheRest();
    return result;
  }

 private:
  absl::Status Feed(const GraphInputEvent& event) {
    const int input = plan_.FindGraphInput(event.stream);
    if (input < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("There is no graph input \"", event.stream, "\"."));
    }
    ReferenceStream& stream = streams_[plan_.graph_inputs()[input].stream];
    const Timestamp time = event.packet.Timestamp();
    switch (event.kind) {
      case GraphInputEvent::Kind::kPacket:
        if (!time.IsAllowedInStream() || time < stream.bound ||
            (time == Timestamp::PostStream() && !stream.packets.empty())) {
          return absl::InvalidArgumentError(
              absl::StrCat("Packet at ", time.DebugString(), " in \"",
                           event.stream, "\" comes too late."));
        }
        stream.packets.push_back(event.packet);
        stream.bound = time.NextAllowedInStream();
        break;
      case GraphInputEvent::Kind::kBound:
        stream.bound = std::max(stream.bound, event.bound);
        break;
      case GraphInputEvent::Kind::kClose:
        stream.bound = Timestamp::Done();
        break;
    }
    return absl::OkStatus();
  }

  // False when there is nothing left to do.
  bool DoOne() {
    for (ReferenceNode& node : nodes_) {
      if (node.life == Life::kUnopened && MayOpen(node)) return Open(node);
    }
    for (ReferenceNode& node : nodes_) {
      if (node.life == Life::kOpen && !node.plan.inputs.empty() &&
          WorkOnInputs(node)) {
        return true;
      }
    }
    int layer = -1;
    for (const ReferenceNode& node : nodes_) {
      if (!node.plan.is_source || node.life == Life::kOver) continue;
      if (layer < 0 || node.plan.sources.layer < layer) {
        layer = node.plan.sources.layer;
      }
    }
    for (ReferenceNode& node : nodes_) {
      if (node.plan.is_source && node.plan.sources.layer == layer &&
          node.life == Life::kOpen) {
        return WorkOnSource(node);
      }
    }
    // A node that failed in Open is over, and holds no layer up.
    for (ReferenceNode& node : nodes_) {
      if (node.plan.is_source && node.life == Life::kUnopened &&
          errors_.empty() && IsSourceOpen()) {
        return Fail(node, absl::UnknownError(absl::StrCat(
                              "deadlock: the source \"", node.plan.name,
                              "\" cannot open before one of a later layer")));
      }
    }
    return false;
  }

  bool IsSourceOpen() const {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [](const ReferenceNode& node) {
                         return node.plan.is_source && node.life == Life::kOpen;
                       });
  }

  // --- Open

  bool MayOpen(const ReferenceNode& node) const {
    for (const PlanInput& input : node.plan.inputs) {
      const int producer = plan_.streams()[input.stream].producer.node;
      if (producer >= 0 && !input.back_edge &&
          has_opened_.count(producer) == 0) {
        return false;
      }
    }
    for (const int id : node.plan.input_side_packets) {
      const PlanSidePacket& side_packet = plan_.side_packets()[id];
      if (side_packet.producer.node >= 0 &&
          side_packets_.count(side_packet.name) == 0) {
        return false;
      }
    }
    return true;
  }

  // For the nodes that read an output whose consumers all ignore time.
  bool IgnoresTime(int stream) const {
    const auto& consumers = plan_.streams()[stream].consumers;
    return !consumers.empty() &&
           std::all_of(consumers.begin(), consumers.end(),
                       [this](const PortRef& reader) {
                         return plan_.nodes()[reader.node].handlers.input ==
                                "BarrierInputStreamHandler";
                       });
  }

  bool Open(ReferenceNode& node) {
    absl::StatusOr<PacketSet> side_packets = FillInputSidePackets(
        node.plan.contract->InputSidePackets(),
        [this](const std::string& name) {
          const auto found = side_packets_.find(name);
          return found == side_packets_.end() ? Packet() : found->second;
        });
    if (!side_packets.ok()) return Fail(node, side_packets.status());
    node.environment = std::make_unique<NodeEnvironment>(
        *node.plan.contract,
        NodeEnvironment::Run{.node_id = node.plan.id,
                             .input_side_packets = *std::move(side_packets),
                             .counters = &counters_,
                             .services = &services_});
    for (size_t port = 0; port < node.plan.outputs.size(); ++port) {
      node.environment->output_ports()[port].checks_order =
          !IgnoresTime(node.plan.outputs[port].stream);
    }
    node.context = std::make_unique<CalculatorContext>(*node.environment);
    int port = 0;
    for (const PlanInput& input : node.plan.inputs) {
      node.context->Inputs()
          .Get(CollectionItemId(port++))
          .SetHeader(streams_[input.stream].header);
    }
    absl::StatusOr<std::unique_ptr<CalculatorBase>> calculator =
        InvokeCreate(*node.plan.factory, node.context.get());
    if (!calculator.ok()) return Fail(node, calculator.status());
    node.calculator = *std::move(calculator);
    if (!Call(node, CallPhase::kOpen, Timestamp::Unstarted(), &InvokeOpen)) {
      return true;
    }
    node.life = Life::kOpen;
    has_opened_.insert(node.plan.id);
    return true;
  }

  // --- Inputs

  // False if the node waits, and has nothing new to say.
  bool WorkOnInputs(ReferenceNode& node) {
    // What could be taken now, one after the other.
    ReferenceJoin join = node.join;
    InputStreamSet scratch(node.plan.contract->Inputs().TagMap());
    std::vector<ReferenceJoin::Decision> due;
    ReferenceJoin::Decision last;
    do {
      absl::StatusOr<ReferenceJoin::Decision> next = join.Decide();
      if (!next.ok()) return Fail(node, next.status());
      last = *next;
      if (last.state != ReferenceJoin::State::kCall) break;
      due.push_back(last);
      join.Take(last, &scratch);
    } while (static_cast<int>(due.size()) < join.batch_size());
    if (last.state == ReferenceJoin::State::kWait) {
      return PassBoundOn(node, due.empty() ? last.time : due.front().time);
    }
    for (const ReferenceJoin::Decision& decision : due) {
      // The copy has decided; here it is only to drop and align the same way.
      (void)node.join.Decide();
      node.context->BeginCall(CallPhase::kProcess, decision.time);
      node.join.Take(decision, &node.context->Inputs());
      if (!Process(node, decision.time)) {
        return PassOnBeforeFailure(node, due.front().time);
      }
    }
    if (last.state == ReferenceJoin::State::kClose && !Close(node)) {
      return PassOnBeforeFailure(node, Timestamp::Max());
    }
    return true;
  }

  // A call at `time` failed, and promises nothing. Before the inputs of the
  // call came the node may have waited, and passed on that nothing is earlier.
  bool PassOnBeforeFailure(ReferenceNode& node, Timestamp time) {
    if (node.join.PassesBoundsOn()) {
      PassBoundOn(node, std::min(time, Timestamp::Max()));
    }
    return true;
  }

  bool Process(ReferenceNode& node, Timestamp time) {
    bool stops = false;
    if (!Call(node, CallPhase::kProcess, time,
              [&](CalculatorBase* calculator, CalculatorContext* context) {
                absl::Status status = InvokeProcess(calculator, context);
                stops = tool::IsStatusStop(status);
                return stops ? absl::OkStatus() : status;
              })) {
      return false;
    }
    if (stops) sources_stop_ = true;
    return true;
  }

  bool PassBoundOn(ReferenceNode& node, Timestamp input_bound) {
    bool has_news = false;
    int port = 0;
    for (const OutputStream& output : node.context->Outputs()) {
      const Timestamp bound = BoundPassedOn(input_bound, output.Offset());
      has_news |= Raise(streams_[node.plan.outputs[port++].stream], bound);
    }
    if (has_news) ++num_calls_;
    return has_news;
  }

  // --- Sources

  bool WorkOnSource(ReferenceNode& node) {
    if (sources_stop_) {
      Close(node);
      return true;
    }
    bool stops = false;
    const bool is_fine =
        Call(node, CallPhase::kProcess, Timestamp(0),
             [&](CalculatorBase* calculator, CalculatorContext* context) {
               absl::Status status = InvokeProcess(calculator, context);
               stops = tool::IsStatusStop(status);
               return stops ? absl::OkStatus() : status;
             });
    if (is_fine && stops) Close(node);
    return true;
  }

  // --- Close

  // False if it failed.
  bool Close(ReferenceNode& node) {
    if (!Call(node, CallPhase::kClose, Timestamp::Done(), &InvokeClose)) {
      return false;
    }
    node.life = Life::kOver;
    for (const PlanOutput& output : node.plan.outputs) {
      streams_[output.stream].bound = Timestamp::Done();
    }
    return true;
  }

  // The end of the run: nobody reads any more.
  void CloseTheRest() {
    for (ReferenceNode& node : nodes_) {
      if (node.life != Life::kOpen) continue;
      node.context->SetGraphStatus(errors_.empty() ? absl::OkStatus()
                                                   : errors_.front());
      node.context->BeginCall(CallPhase::kClose, Timestamp::Done());
      (void)InvokeClose(node.calculator.get(), node.context.get());
      node.context->EndCall();
    }
  }

  // --- Calls

  // False if it failed; then the node is over.
  bool Call(ReferenceNode& node, CallPhase phase, Timestamp time,
            Invoke invoke) {
    ++num_calls_;
    CalculatorContext& context = *node.context;
    context.BeginCall(phase, time);
    int port = 0;
    for (OutputStream& output : context.Outputs()) {
      const ReferenceStream& sent = streams_[node.plan.outputs[port++].stream];
      output.Begin(sent.bound, sent.IsClosed(), !sent.packets.empty());
    }
    const absl::Status status = invoke(node.calculator.get(), &context);
    std::vector<absl::Status> errors(context.call().errors().begin(),
                                     context.call().errors().end());
    if (status.ok()) {
      NoteCall(node, phase, time);
      port = 0;
      for (OutputStream& output : context.Outputs()) {
        Send(time, output, streams_[node.plan.outputs[port++].stream], &errors);
      }
      TakeSidePackets(node, &errors);
    } else {
      errors.push_back(status);
    }
    context.EndCall();
    for (const absl::Status& error : errors) Fail(node, error);
    return errors.empty();
  }

  void NoteCall(const ReferenceNode& node, CallPhase phase, Timestamp time) {
    ReferenceResult::Call& call = calls_.emplace_back();
    call.node = node.plan.id;
    call.phase = phase;
    call.timestamp = time;
    int port = 0;
    for (const InputStream& input : node.context->Inputs()) {
      if (phase == CallPhase::kProcess && !input.IsEmpty()) {
        call.taken.push_back({port, input.Value().Timestamp()});
      }
      ++port;
    }
    port = 0;
    for (const OutputStream& output : node.context->Outputs()) {
      for (const Packet& packet : output.packets()) {
        call.sent.push_back({port, packet.Timestamp()});
      }
      ++port;
    }
  }

  static void Send(Timestamp time, OutputStream& output,
                   ReferenceStream& stream, std::vector<absl::Status>* errors) {
    stream.header = output.Header();
    if (stream.IsClosed()) return;
    OutputOfCall call;
    call.input_timestamp = time;
    call.offset = output.Offset();
    call.explicit_bound = output.explicit_bound();
    for (const Packet& packet : output.packets()) {
      call.last_packet = packet.Timestamp();
      stream.packets.push_back(packet);
    }
    const Timestamp bound = BoundAfterCall(call);
    // With an offset the bound rises on its own, so that a lower one says
    // nothing.
    const bool may_fall =
        call.offset != TimestampDiff::Unset() || !output.port().checks_order;
    if (call.explicit_bound != Timestamp::Unset() &&
        call.explicit_bound < stream.bound && !may_fall) {
      errors->push_back(
          output.BoundGoesBackError(stream.bound, call.explicit_bound));
    }
    Raise(stream, output.IsClosed() ? Timestamp::Done() : bound);
  }

  void TakeSidePackets(ReferenceNode& node, std::vector<absl::Status>* errors) {
    int port = 0;
    for (const std::unique_ptr<NodeOutputSidePacket>& output :
         node.environment->node_output_side_packets()) {
      const int id = node.plan.output_side_packets[port++];
      absl::Status error = output->TakeError();
      if (!error.ok()) errors->push_back(std::move(error));
      const Packet packet = output->packet();
      if (packet.IsEmpty()) continue;
      side_packets_[plan_.side_packets()[id].name] = packet;
    }
  }

  static bool Raise(ReferenceStream& stream, Timestamp bound) {
    if (bound <= stream.bound) return false;
    stream.bound = bound;
    return true;
  }

  bool Fail(ReferenceNode& node, absl::Status error) {
    node.life = Life::kOver;
    errors_.push_back(std::move(error));
    return true;
  }

  const GraphPlan& plan_;
  const ReferenceOptions& options_;
  std::vector<ReferenceStream> streams_;
  std::vector<ReferenceNode> nodes_;
  std::set<int> has_opened_;
  std::map<std::string, Packet> side_packets_;
  GraphServiceManager services_;
  BasicCounterFactory counters_;
  std::vector<absl::Status> errors_;
  std::vector<ReferenceResult::Call> calls_;
  bool sources_stop_ = false;
  int num_calls_ = 0;
};

}  // namespace

absl::StatusOr<ReferenceResult> RunReference(const GraphPlan& plan,
                                             const ReferenceInputs& inputs,
                                             const ReferenceOptions& options) {
  ReferenceRun run(plan, options);
  SYNCLINE_RETURN_IF_ERROR(run.Prepare(inputs));
  return run.Run();
}

}  // namespace syncline
