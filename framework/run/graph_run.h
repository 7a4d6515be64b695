// GraphRun: one run of a graph, from StartRun to WaitUntilDone.
//
// Here, and nowhere else, facts become actions. Nodes, queues, inputs and taps
// know nothing of each other. Each of their functions reports what has
// happened, and the run acts on it:
//
//   a call sent packets, or a bound rises     to every reader (graph_run_calls)
//   side packets and headers are there        the node opens (graph_run_open)
//   a node became ready                       to the task queue of its executor
//   a queue is full, or no longer             pause or resume its sources
//   somebody erred                            error log; nothing new starts
//   nothing runs and nothing is ready         idle_decision (graph_run_idle)
//
// A thread works a call off completely: it runs the calculator, delivers what
// it sent, lets bounds travel as far as they go, and then continues with the
// most urgent of the calls that became ready.
//
// LOCKS. Each node, queue and input has a lock, and a tap has one if it needs
// it. No lock is held while another component is called. The run itself has no
// lock. Each of its parts looks after itself, and the wait point's lock guards
// the phase of the run (run_life.h).
//
// Invariant 1: `activity_` counts every thread, task and application call that
// may still cause something. It goes up before what causes it goes down, so 0
// means idle. Then OnIdle decides, and no thread is there to change anything.
//
// Invariant 2: a hold of a node keeps the run busy too (holds.h). Only threads
// that `activity_` counts begin and end holds.
//
// Thread rule: Start and CleanUp once each; the rest any thread, in between.
// Tested by graph_bounds_test, graph_errors_test and graph_flow_test; each part
// by a test of its own.

#ifndef SYNCLINE_FRAMEWORK_RUN_GRAPH_RUN_H_
#define SYNCLINE_FRAMEWORK_RUN_GRAPH_RUN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/context.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/run_objects.h"
#include "framework/memory/allocator.h"
#include "framework/node/effects.h"
#include "framework/node/holds.h"
#include "framework/node/node.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/report/packets_left_verdict.h"
#include "framework/report/run_reports.h"
#include "framework/report/run_view.h"
#include "framework/run/error_log.h"
#include "framework/run/gated_nodes.h"
#include "framework/run/graph_input.h"
#include "framework/run/idle_decision.h"
#include "framework/run/inside_run.h"
#include "framework/run/max_duration.h"
#include "framework/run/observed_output.h"
#include "framework/run/output_tap.h"
#include "framework/run/persistent_calculators.h"
#include "framework/run/poller_queue.h"
#include "framework/run/queue_settings.h"
#include "framework/run/relief_count.h"
#include "framework/run/remembered_node.h"
#include "framework/run/run_alarms.h"
#include "framework/run/run_device_times.h"
#include "framework/run/run_life.h"
#include "framework/run/run_look.h"
#include "framework/run/run_memory.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_queues.h"
#include "framework/run/run_side_packets.h"
#include "framework/run/run_sources.h"
#include "framework/run/run_timers.h"
#include "framework/run/run_trace.h"
#include "framework/run/running_calls.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/task_chooser.h"
#include "framework/stream/packet_peek.h"
#include "framework/stream/queue_limits.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"
#include "framework/trace/trace_recorder.h"
#include "framework/trace/trace_switch.h"

namespace syncline {

// The allocator of this name. The error NOT_FOUND lists the names that there
// are.
absl::StatusOr<std::shared_ptr<Allocator>> FindAllocatorIn(
    const std::map<std::string, std::shared_ptr<Allocator>>& allocators,
    absl::string_view name);

class GraphRun : public TaskRunner,
                 public PollerListener,
                 public RunObjects,
                 private RunTimers::Receiver {
 public:
  struct Setup {
    std::shared_ptr<const GraphPlan> plan;
    NodePolicies policies;  // by node
    // By position in plan.executors().
    std::vector<std::shared_ptr<Executor>> executors;
    std::shared_ptr<WaitPoint> wait_point;
    TaskChooser* chooser = nullptr;
    std::vector<std::shared_ptr<OutputTap>> taps;
    std::vector<std::shared_ptr<PollerQueue>> pollers;  // which are taps too
    std::map<std::string, Packet> side_packets;
    std::map<std::string, Packet> stream_headers;
    InputLimits input_limits;
    CounterFactory* counters = nullptr;
    const GraphServiceManager* services = nullptr;
    std::function<void(const absl::Status&)> error_callback;
    // By node: what is known from earlier runs; borrowed. Null if nothing is
    // known.
    std::vector<RememberedNode>* remembered = nullptr;
    // The objects of persistent nodes; borrowed. Null: there are none.
    const PersistentCalculators* kept = nullptr;
    // Never null.
    std::shared_ptr<GraphClock> clock;
    std::map<std::string, std::shared_ptr<Allocator>> allocators;
    // Borrowed; may be null.
    ProfilingContext* profiler = nullptr;
    // For who looks in. Never null.
    struct Tracing {
      std::shared_ptr<TraceSwitch> events = std::make_shared<TraceSwitch>();
      // For the streams of the plan.
      std::shared_ptr<PacketPeek> packets;
    };
    Tracing tracing;
    RunTexts texts;
  };

  explicit GraphRun(Setup setup);
  ~GraphRun() override;

  // REQUIRES: owned by a shared pointer, which is `self`.
  void Start(const std::shared_ptr<GraphRun>& self);
  // Start has thrown: the run is over with this error, once it is waited for.
  void FailToStart(const absl::Status& error);
  // To be called after the end of the run: closes the nodes that are still
  // open, and releases calculators and packets. Returns the status of the run.
  absl::Status CleanUp();

  // The phase of the run, how to wait for it, and its result. Nobody is to wait
  // from inside of the run: see InsideRun.
  RunLife& life() { return life_; }

  // --- Graph inputs, by position.
  absl::Status AddPacket(int input, Packet&& packet, const PacketTimes& times,
                         bool may_wait);
  absl::Status SetBound(int input, Timestamp bound);
  void CloseInput(int input);
  void CloseAllInputs();
  void CloseAllPacketSources();
  std::vector<GraphInput::Snapshot> InputSnapshots() const;

  // Waits until an observer or a poller gets something. REQUIRES: not called
  // from inside of the run.
  absl::Status WaitForObservedOutput();

  // --- Ending and pausing
  void RecordError(const absl::Status& error) override;
  void Cancel();
  void Pause();
  void Resume() { queues_.Resume(); }

  // --- Looking in
  bool has_error() const { return errors_.has_error(); }
  const ErrorLog& errors() const { return errors_; }
  // Empty until the side packet is set.
  Packet SidePacket(int id) const { return side_packets_.Get(id); }
  const GraphPlan& plan() const { return *setup_.plan; }
  std::vector<NodeSnapshot> Snapshot() const;
  bool IsNodeThrottled(int node) const;
  // Raises the limits of full queues. True if one was raised.
  bool RelieveFullQueues();
  // The earliest time that a node waits for.
  absl::optional<std::int64_t> NextTime() const;
  // Who waits for what, and why.
  const RunLook& look() const { return look_; }
  // A number that changes whenever a call ends, or the application gives the
  // run something.
  std::uint64_t Progress() const;
  // Nothing runs, and nothing is ready.
  bool IsIdle() const { return !activity_.busy(); }

  // --- TaskRunner
  void RunTasks(Task* task, SchedulerQueue* queue, int max_tasks) override;
  void OnIdle() override;
  void OnTaskLost(SchedulerQueue* queue) override;
  void OnExecutorError(const absl::Status& error) override;
  // --- RunObjects
  GraphClock* clock() const override { return setup_.clock.get(); }
  absl::StatusOr<std::shared_ptr<ConditionBase>> FindCondition(
      int node_id, absl::string_view name) const override;
  absl::StatusOr<std::shared_ptr<Allocator>> FindAllocator(
      absl::string_view name) const override;
  ProfilingContext* profiler() const override { return setup_.profiler; }
  DeviceTimes* device_times() const override { return &device_times_; }
  absl::optional<bool> check_device_access() const override {
    return plan().settings().check_device_access;
  }
  // --- PollerListener
  void OnFullChange(int stream, int change) override;
  bool IsCalledFromInside() const override { return InsideRun::Is(this); }

 private:
  // While one of these lives, the run is not idle. At its end it acts on the
  // effects that were gathered.
  class ApplicationCall {
   public:
    // In place, since each packet that the application adds makes one.
    ABSL_ATTRIBUTE_ALWAYS_INLINE explicit ApplicationCall(GraphRun* run)
        : run_(run), inside_(run) {
      if (ABSL_PREDICT_FALSE(IsTraced(run->events()))) {
        effects.trace = TraceLaneIfTraced(run->events());
      }
      run->activity_.Add();
    }
    ~ApplicationCall();
    ApplicationCall(const ApplicationCall&) = delete;
    ApplicationCall& operator=(const ApplicationCall&) = delete;

    // False: the run has not begun, or is over, and its nodes may be gone.
    bool is_running() const;

    Effects effects;

   private:
    GraphRun* const run_;
    const InsideRun inside_;
  };

  // graph_run_sources.cc: graph inputs.
  // Delivers what `input` passes on, to all who read its stream.
  void DeliverInput(const GraphInput& input, absl::Span<Packet> packets,
                    Timestamp bound, Effects* effects);
  // The same where the run is traced, or the input keeps times.
  void DeliverInputByRules(const GraphInput& input, absl::Span<Packet> packets,
                           Timestamp bound, Effects* effects);
  // For AddPacket, while a queue behind the input is full: an application waits
  // until there is room. A call from inside of the run does not wait, and its
  // packet goes beyond the limit.
  absl::Status WaitForRoom(int input, bool may_wait);
  // Calls `change`, which returns a status, for a graph input. If the run has
  // an error or is over, returns a status that says so. An exception from
  // `change` ends the run.
  template <typename Change>
  absl::Status CallInput(int input, Change change);
  absl::Status WhyInputTakesNothing(int input) const;

  // graph_run.cc
  void WakeForError();

  // graph_run_calls.cc: calls and what follows from them.
  // Whether the run is traced, and where: see run_trace.h.
  const TraceSwitch& events() const { return *setup_.tracing.events; }
  // Runs tasks, one after the other, until the thread leaves the queue; then
  // returns null. If tracing was switched meanwhile, returns the next task.
  template <bool kTraced>
  Task* RunUntilLeft(Task* task, SchedulerQueue* queue, int max_tasks,
                     Effects* kept);
  // The same with the events of a thread that comes and goes.
  Task* RunTraced(Task* task, SchedulerQueue* queue, int max_tasks,
                  Effects* effects);
  // The framework's own code has thrown, as memory has run out: the run ends,
  // and what is left of the effects is acted on as far as that goes.
  void RecordFailure(const absl::Status& status, Effects* effects);
  // For a call that lately took long.
  template <bool kTraced>
  void RunLong(Invocation* invocation, SchedulerQueue* queue, Effects* effects);
  template <bool kTraced>
  void RunInvocation(Invocation* invocation, Effects* effects);
  // RunProcess for Kind::kPlain. Returns the call that is ready, if that is all
  // that follows; null: what follows is in `effects`. `*follows_at_once`: see
  // NotePlainCallBegins; of this call, and then of the one that is ready.
  template <bool kTraced>
  Invocation* RunPlain(Invocation* invocation, bool* follows_at_once,
                       Effects* effects);
  // SendResults for such a call, with the result of RunPlain. `to`: of
  // ReadersOfOnly. `is_noted`: the trace, if any, has the end of the call.
  template <bool kTraced>
  Invocation* SendPlain(Node* node, CalculatorContext* context,
                        const StreamReaders* to, bool is_noted,
                        Effects* effects);
  // The same two for Kind::kPlainToSome, where `ports` are Node::sent_ports().
  template <bool kTraced>
  Invocation* RunPlainToSome(Invocation* invocation, Effects* effects);
  template <bool kTraced>
  Invocation* SendPlainToSome(Node* node, absl::Span<const int> ports,
                              CalculatorContext* context, bool is_noted,
                              Effects* effects);
  // What they do for an output of a call that only sent packets. `to`: who
  // reads its stream.
  template <bool kTraced>
  Invocation* SendDirectly(Node* node, int port, const StreamReaders& to,
                           CalculatorContext* context, bool is_noted,
                           Effects* effects);
  template <bool kTraced>
  void RunProcess(Invocation* invocation, Effects* effects);
  template <bool kTraced>
  void RunOverlapping(Invocation* invocation, Effects* effects);
  // RunProcess for Kind::kToSome.
  template <bool kTraced>
  void RunToSome(Invocation* invocation, Effects* effects);
  // Makes one call of Process for all input sets of the invocation.
  template <bool kTraced>
  void RunBatch(Invocation* invocation, Effects* effects);
  template <bool kTraced>
  void RunSource(Invocation* invocation, Effects* effects);
  void RunClose(Invocation* invocation, Effects* effects);
  // True unless the call ended with an error, which is recorded. A stop is no
  // error: it stops the sources, if the node is none.
  bool CheckCall(const absl::Status& status, Node* node, Effects* effects) {
    return ABSL_PREDICT_TRUE(status.ok()) ||
           CheckStopOrError(status, node, effects);
  }
  bool CheckStopOrError(const absl::Status& status, Node* node,
                        Effects* effects);
  // False if the calculator did something wrong at its outputs.
  bool SendResults(Node* node, CalculatorContext* context, Effects* effects);
  // The same for a call of Kind::kToSome.
  bool SendToSome(Node* node, CalculatorContext* context, Effects* effects);
  void SendOutput(Node* node, CalculatorContext* context, int port,
                  Effects* effects);
  // SendOutput for `count` outputs from `port` on, which one join reads.
  void SendTogether(Node* node, CalculatorContext* context, int port, int count,
                    Effects* effects);
  // Records the errors of the call, and takes its side packets.
  bool FinishResults(Node* node, CalculatorContext* context, Effects* effects);
  void DeliverStream(int stream, absl::Span<Packet> packets, Timestamp bound,
                     Effects* effects);
  // The same for a stream with taps, in the order that StreamReaders says.
  void DeliverToTapped(const StreamReaders& to, absl::Span<Packet> packets,
                       Timestamp bound, Effects* effects);
  // DeliverStream where it is called for most packets.
  ABSL_ATTRIBUTE_ALWAYS_INLINE void DeliverInPlace(int stream,
                                                   absl::Span<Packet> packets,
                                                   Timestamp bound,
                                                   Effects* effects) {
    const StreamReaders& to = nodes_.ReadersOf(stream);
    if (ABSL_PREDICT_FALSE(!to.HasOneNodeOnly())) {
      return DeliverStream(stream, packets, bound, effects);
    }
    const ReaderPort& reader = *to.ports.data();
    reader.node->Deliver(reader.port, packets, /*may_move=*/true, bound,
                         effects);
  }

  // graph_run_effects.cc
  // DeliverStream for a stream whose readers keep message times. `given`: the
  // times that the calculator has set, for the first of the packets.
  void DeliverTimed(int stream, absl::Span<Packet> packets, Timestamp bound,
                    absl::Span<const PacketTimes> given, Effects* effects);
  void DeliverToTap(OutputTap* tap, absl::Span<const Packet> packets,
                    Timestamp bound, Effects* effects);
  void RecordErrors(Effects* effects);
  // Acts on all effects but the ready calls, and on what follows from that,
  // until there are none.
  void ActOn(Effects* effects);
  void ActOnQueueFacts(Effects* effects);
  // Acts on all effects, and queues the calls that are ready.
  void ActOnAll(Effects* effects);

  // graph_run_open.cc: opening nodes, and side packets.
  // Opens the node. After the last one, the first layer of sources starts.
  void RunOpen(Invocation* invocation, Effects* effects);
  void OpenNode(Invocation* invocation, Effects* effects);
  void TakeSidePackets(Node* node, Effects* effects);
  void ProvideSidePacket(int id, const Packet& packet, Effects* effects);
  bool ReuseRemembered(Node* node, Effects* effects);

  // graph_run_sources.cc: source nodes.
  // They have just become active.
  void StartSources(absl::Span<const int> sources, Effects* effects);
  void StopSources(Effects* effects);
  void SourceClosed(const Node& node);
  // Queues the next call of a source, unless full queues or its conditions hold
  // it back.
  void ContinueSource(Node* node, Effects* effects);
  // The same for a source that no full queue pauses.
  void CallSource(Node* node, Effects* effects);
  // The same for a source that its conditions do not delay either.
  void ReadySource(Node* node, Effects* effects);
  // No full queue pauses these sources any more.
  void Resumed(absl::Span<const int> sources, Effects* effects);

  // graph_run_gates.cc: nodes that wait for more than inputs.
  void MakeGates();
  void StartGates(const std::shared_ptr<GraphRun>& self);
  void ActOnGateFacts(Effects* effects);
  void AskConditions(Node* node, Effects* effects);
  void ConditionChanged(int node);
  // Adds to `state` what nodes are held by.
  void AddHolds(IdleState* state);

  // graph_run_times.cc
  // --- RunTimers::Receiver
  // Tells the nodes of this executor whose time has come.
  void TimeHasCome(int executor, bool serves) override;
  void ClockChanged();
  // Moves the clock to the next time that a node waits for, and tells the node.
  void AdvanceClock();
  // A part of AdvanceClock, for runs in which nodes wait for inputs for a
  // limited time.
  void JumpedTo(std::int64_t now_ns);
  void StartAlarms();
  // Ends the run if max_duration has passed; else sets the alarm for that.
  void LookAtDuration();
  // Closes graph inputs, stops sources and ends holds; the rest of the packets
  // is processed.
  void EndByTime();
  // If there is no thread for the alarm, the run ends with that error.
  void SetAlarm(RunAlarms::Kind kind, std::int64_t steady_ns);

  // graph_run_idle.cc
  // *is_acting: the activity counts this call.
  void OnIdleUnguarded(bool* is_acting);
  // Gathers what is known of the run while no thread is busy.
  RunLife::IdleView LookWhenIdle();
  void ActWhenIdle(IdleAction action);
  void ReportStall();
  // Records `error` with the cause of the standstill before its text.
  void RecordDeadlock(const absl::Status& error);
  // Settles silent streams with idle_after that nodes wait for. False: there
  // are none.
  bool SettleSilentAtEnd();
  // If no stream was to be settled, records the error of `left` and keeps the
  // rest of it.
  void ActOnPacketsLeft(PacketsLeftVerdict left);

  // graph_run_relief.cc
  // Raises the limits of full queues, and of queues with less room than held
  // nodes ask for. False if none may grow.
  bool RaiseFullLimits(Effects* effects);

  const Setup setup_;
  // The parts. Each of them is safe to use as its header says.
  const RunNodes nodes_;
  const std::vector<std::unique_ptr<GraphInput>> inputs_;
  RunQueues queues_;
  GatedNodes gated_nodes_{&nodes_};
  RunAlarms alarms_;
  // Set up with the gates.
  RunTimers timers_{setup_.clock.get(), alarms_.thread(), this};
  MaxDuration max_duration_;
  Activity activity_;
  Holds holds_;
  ErrorLog errors_;
  RunSources sources_;
  ReliefCount reliefs_;
  ObservedOutput observed_{setup_.wait_point.get()};
  RunSidePackets side_packets_;
  const RunLook look_;
  RunMemory memory_{&look_, &alarms_};
  mutable RunDeviceTimes device_times_{
      plan().GraphFields().runtime_info().enable_graph_runtime_info(),
      setup_.tracing.events.get()};
  RunLife life_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_GRAPH_RUN_H_
