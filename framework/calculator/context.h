// CalculatorContext: everything a calculator sees during one call.
//
//   absl::Status Process(CalculatorContext* cc) override {
//     const Image& image = cc->Inputs().Tag("IMAGE").Get<Image>();
//     cc->Outputs().Tag("SIZE").AddPacket(
//         MakePacket<int>(image.width()).At(cc->InputTimestamp()));
//     return absl::OkStatus();
//   }
//
// The context is data: input packets in, output packets and bounds out. It can
// be made without a graph (see testing/calculator_harness.h). The engine makes
// one for each call of a node that may run at once, fills it before a call,
// reads the outputs after it, and uses it again; none of this allocates.
//
// Thread rule: belongs to one call at a time.
// Tested by context_test and context_memory_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/type_id.h"
#include "framework/calculator/call.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/counter.h"
#include "framework/calculator/input_batch.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/resource.h"
#include "framework/calculator/service.h"
#include "framework/calculator/side_packets.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class CounterFactory;
class ProfilingContext;

// Aligned: two cache lines.
class alignas(64) CalculatorContext {
 public:
  // `environment` outlives the context, and so does `memory`, where the streams
  // lie if it is not null: StreamBytes() of it, which begin with a cache line.
  explicit CalculatorContext(const NodeEnvironment& environment,
                             void* memory = nullptr);
  CalculatorContext(const CalculatorContext&) = delete;
  CalculatorContext& operator=(const CalculatorContext&) = delete;

  // --- The node.

  // Canonical, e.g. "Detector" or "DetectorCalculator_2".
  const std::string& NodeName() const { return contract().GetNodeName(); }
  // The place of the node in the graph.
  int NodeId() const { return environment_.node_id(); }
  // The node's max_in_flight; 0 if the config does not say, which means 1.
  int NodeMaxInFlight() const;
  // The node's calculator, as the config has it.
  const std::string& CalculatorType() const;

  // The node's options of type T, or the defaults; see node_options.h.
  template <typename T>
  const T& Options() const {
    return contract().Options<T>();
  }
  template <typename T>
  bool HasOptions() const {
    return contract().HasOptions<T>();
  }
  // The container that older calculators look into themselves.
  const CalculatorOptions& Options() const { return contract().Options(); }

  // --- The call.

  // Unstarted in Open, the time of the input set in Process (always 0 for a
  // node without input streams), Done in Close; Unset outside of a call.
  Timestamp InputTimestamp() const { return input_timestamp_; }

  // The input sets of this call of Process, in order. More than one only where
  // the node's config has a `batch`; then Inputs() is the last.
  InputBatch Batch() {
    return InputBatch(batch_, BatchedInputs(InputTimestamp(), &inputs_));
  }

  const InputStreamShardSet& Inputs() const { return inputs_; }
  InputStreamShardSet& Inputs() { return inputs_; }
  const OutputStreamShardSet& Outputs() const { return outputs_; }
  OutputStreamShardSet& Outputs() { return outputs_; }

  const PacketSet& InputSidePackets() const {
    return environment_.input_side_packets();
  }
  const OutputSidePacketSet& OutputSidePackets() const {
    return environment_.output_side_packets();
  }
  OutputSidePacketSet& OutputSidePackets() {
    return environment_.output_side_packets();
  }

  // OutputStream::SetOffset for all outputs; only in Open.
  void SetOffset(TimestampDiff offset);

  // The status of the run so far. Says something only where Close is called
  // because the run has ended. Deprecated.
  absl::Status GraphStatus() const { return graph_status_; }

  // --- What the graph offers.

  // The counter that the graph knows as "<NodeName>-<name>". Never null; lives
  // as long as the graph.
  Counter* GetCounter(absl::string_view name);
  // For counters without the node's name.
  CounterFactory* GetCounterFactory() { return &environment_.counters(); }

  // The object of a service that the contract asked for with UseService();
  // without that, or if nobody gave it, not available.
  template <typename T>
  ServiceBinding<T> Service(const GraphService<T>& service) const {
    const Packet* const packet = ServicePacket(service);
    if (packet == nullptr) return ServiceBinding<T>(service, nullptr);
    return ServiceBinding<T>(service, packet->Get<std::shared_ptr<T>>());
  }

  // Files and what stands in for them; see resources.h.
  const Resources& GetResources() const { return environment_.resources(); }

  // What time it is in the graph. Never null; lives as long as the run.
  GraphClock* Clock() const { return environment_.objects().clock(); }

  // A condition, of this node by its name, of another node as "NODE/NAME". The
  // object may be kept for any time, but changes nothing once the run is over.
  // A misuse if there is no such condition, or it is no T.
  //
  //   cc->Condition<BooleanCondition>("enabled")->disable_tick();
  template <typename T>
  std::shared_ptr<T> Condition(absl::string_view name) const {
    std::shared_ptr<T> condition =
        std::dynamic_pointer_cast<T>(AnyCondition(name));
    if (condition == nullptr) ReportWrongCondition(name, TypeIdOf<T>().name());
    return condition;
  }

  // An allocator of the graph. NOT_FOUND lists those that there are.
  absl::StatusOr<std::shared_ptr<Allocator>> FindAllocator(
      absl::string_view name) const {
    return environment_.objects().FindAllocator(name);
  }

  // The profiler of the graph (trace/profiling_context.h); null for a
  // calculator that runs alone.
  ProfilingContext* GetProfilingContext() const {
    return environment_.objects().profiler();
  }

  // --- For the engine.

  // How much memory the streams of so many ports take; a multiple of a cache
  // line, if it begins with one.
  static size_t StreamBytes(size_t num_inputs, size_t num_outputs);

  const NodeEnvironment& environment() const { return environment_; }
  const CalculatorContract& contract() const { return environment_.contract(); }

  // InputTimestamp for any thread, for reports.
  Timestamp InputTimestampNow() const {
    return std::atomic_ref<Timestamp>(const_cast<Timestamp&>(input_timestamp_))
        .load(std::memory_order_relaxed);
  }
  // Starts a call. Inputs are filled and outputs begun by the caller.
  void BeginCall(CallPhase phase, Timestamp input_timestamp) {
    call_.set_phase(phase);
    SetInputTimestamp(input_timestamp);
  }
  // `sets` are borrowed until the next call.
  void SetBatch(absl::Span<const BatchedInputs> sets) { batch_ = sets; }
  // What went wrong at output streams in this call; the first error counts.
  const CallRecord& call() const { return call_; }
  // Ends the call: lets go of all packets.
  ABSL_ATTRIBUTE_ALWAYS_INLINE void EndCall() {
    for (InputStream& input : inputs_) input.Clear();
    for (OutputStream& output : outputs_) output.Clear();
    call_.Clear();
    SetInputTimestamp(Timestamp::Unset());
  }
  // The same where call() is ok, and the call did nothing but send one packet
  // to the first output, from where it was moved out.
  void EndCallOfOnePacket() {
    for (InputStream& input : inputs_) input.Clear();
    outputs_.begin()->EndOnePacket();
    EndGoodCall();
  }
  // The same where the caller has cleared the inputs and outputs, and call() is
  // ok.
  void EndGoodCall() {
    call_.set_phase(CallPhase::kNone);
    SetInputTimestamp(Timestamp::Unset());
  }
  // The same after a call that has not touched other outputs than these.
  void EndCall(absl::Span<const int> outputs) {
    for (InputStream& input : inputs_) input.Clear();
    for (const int port : outputs) outputs_.begin()[port].Clear();
    call_.Clear();
    SetInputTimestamp(Timestamp::Unset());
  }

  void SetGraphStatus(absl::Status status) {
    graph_status_ = std::move(status);
  }

  // Offsets and headers that another context of the node got in Open.
  void CopyOpenResults(const CalculatorContext& other);

 private:
  struct NamedCounter {
    std::string name;
    Counter* counter;
  };

  void SetInputTimestamp(Timestamp timestamp) {
    std::atomic_ref<Timestamp>(input_timestamp_)
        .store(timestamp, std::memory_order_relaxed);
  }
  // A misuse if there is none.
  std::shared_ptr<ConditionBase> AnyCondition(absl::string_view name) const;
  [[noreturn]] void ReportWrongCondition(absl::string_view name,
                                         absl::string_view wanted) const;
  // Null if the contract did not ask for it, or nobody gave it.
  const Packet* ServicePacket(const GraphServiceBase& service) const;

  // Few calls touch these.
  absl::Status graph_status_;
  // Those that were asked for, so that asking again is a short search.
  // Null: none were.
  std::unique_ptr<std::vector<NamedCounter>> known_counters_;
  const NodeEnvironment& environment_;
  absl::Span<const BatchedInputs> batch_;  // empty: the one
  // Every call touches what follows.
  // Others read it while the call runs: InputTimestampNow.
  Timestamp input_timestamp_;
  CallRecord call_;
  InputStreamSet inputs_;
  OutputStreamSet outputs_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CONTEXT_H_
