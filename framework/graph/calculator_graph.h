// CalculatorGraph: a graph of calculators, and runs of it.
//
//   CalculatorGraph graph;
//   SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
//   SYNCLINE_RETURN_IF_ERROR(graph.ObserveOutputStream(
//       "out", [](const Packet& packet) { ...; return absl::OkStatus(); }));
//   SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
//   SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream(
//       "in", MakePacket<int>(7).At(Timestamp(0))));
//   SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
//   SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
//
// LIFE. Initialize once; then any number of runs, one after the other, each
// from StartRun to WaitUntilDone. A run ends when all sources have ended, all
// graph inputs are closed and everything they caused is processed, or on the
// first error, or by Cancel. Destroying a graph cancels its run and waits.
//
// Thread rule: Initialize, StartRun, WaitUntilDone and what has to come before
// or between them: one thread at a time. During a run every other function may
// be called on any thread, also from observers and calculators, except that a
// function that waits must not be called from within the run it waits for.
// Packets for one graph input may come from several threads; which comes first
// is then up to them.
// Tested by calculator_graph_test, graph_bounds_test, graph_errors_test and
// graph_flow_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_GRAPH_H_
#define SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_GRAPH_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/graph_clock.h"
#include "framework/base/type_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/service.h"
#include "framework/condition/condition.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/memory/allocator.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/left_at_end.h"
#include "framework/report/node_wait.h"
#include "framework/run/output_stream_poller.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/task_chooser.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_options.h"
#include "framework/trace/trace_recorder.h"

namespace syncline {

class GraphRun;
class ProfilingContext;

class CalculatorGraph {
 public:
  // What AddPacketToInputStream does while a queue behind the input is full.
  enum class GraphInputStreamAddMode {
    // Waits. On an application-thread executor it runs the graph meanwhile.
    WAIT_TILL_NOT_FULL,
    // Adds nothing, and returns UNAVAILABLE.
    ADD_IF_NOT_FULL,
  };

  CalculatorGraph();
  // Initializes, and ends the process with the error if that fails.
  explicit CalculatorGraph(CalculatorGraphConfig config);
  // For a graph inside a calculator: it has the services of the graph around
  // it, and no others are made by default.
  explicit CalculatorGraph(CalculatorContext* cc);
  ~CalculatorGraph();
  CalculatorGraph(const CalculatorGraph&) = delete;
  CalculatorGraph& operator=(const CalculatorGraph&) = delete;

  // --- Before Initialize

  // Called for each error as it is recorded, on the thread that met it.
  absl::Status SetErrorCallback(
      std::function<void(const absl::Status&)> callback);
  // Gives the executor of this name; "" is the default one. INVALID_ARGUMENT
  // for a reserved name, ALREADY_EXISTS for a name that has another one.
  absl::Status SetExecutor(const std::string& name,
                           std::shared_ptr<Executor> executor);

  // The clock that conditions and timeouts of this graph live by, in place of
  // the one that its config asks for. All runs share it.
  absl::Status SetClock(std::shared_ptr<GraphClock> clock);

  // For tests of schedules: the graph runs on the thread that waits for it, one
  // task at a time, whatever its executors are, and `chooser` decides which is
  // next. Borrowed for the life of the graph.
  absl::Status SetTaskChooser(TaskChooser* chooser);

  // --- Once

  // `side_packets` are common to all runs. Errors are those of Compile.
  absl::Status Initialize(
      CalculatorGraphConfig config,
      const std::map<std::string, Packet>& side_packets = {});
  // Several configs and templates, of which `graph_type` selects the root;
  // see Compile. `options` are those of the root: for a template, its
  // arguments.
  absl::Status Initialize(
      const std::vector<CalculatorGraphConfig>& configs,
      const std::vector<CalculatorGraphTemplate>& templates,
      const std::map<std::string, Packet>& side_packets = {},
      const std::string& graph_type = "",
      const CalculatorGraphConfig::Node* options = nullptr);
  // A graph that is compiled already.
  absl::Status Initialize(
      GraphPlan plan, const std::map<std::string, Packet>& side_packets = {});

  // Canonical, expanded and sorted. REQUIRES: initialized.
  const CalculatorGraphConfig& Config() const;
  const GraphPlan& plan() const;

  // --- Before StartRun

  // `callback` gets the packets of a stream, one at a time and in order, on
  // whatever thread sends them. With `observe_timestamp_bounds` it also gets
  // empty packets, at timestamps up to which the stream is settled. If it
  // returns an error the run ends with it, and the callback is not called again
  // in that run. Any stream of the expanded graph will do; NOT_FOUND for
  // others.
  absl::Status ObserveOutputStream(
      const std::string& stream_name,
      std::function<absl::Status(const Packet&)> callback,
      bool observe_timestamp_bounds = false);
  // The same with all that is known of a stream, for instance for a recording.
  // The timestamp of an empty packet is the new bound, Timestamp::Done() when
  // the stream has ended. `times_callback` gets a packet's message times before
  // `callback` gets the packet, if an input that reads the stream keeps them.
  absl::Status ObserveWholeStream(
      const std::string& stream_name,
      std::function<absl::Status(const Packet&)> callback,
      std::function<absl::Status(const Packet&, const PacketTimes&)>
          times_callback = nullptr);
  // Watches over the runs that start from now on: where one of them stands
  // still for `after` while somebody waits for it, `tell` gets the text that
  // Explain() begins with, once, and again when the cause has changed. It is
  // called on a thread of the watch, and must not wait for the graph. Without
  // `tell` the text is logged as a warning. Off by default, and with an `after`
  // that is not positive.
  struct StandstillOptions {
    absl::Duration after = absl::Seconds(1);
    std::function<void(const std::string& text)> tell;
    // The program waits for the run all the time, also in no call of the graph.
    bool program_waits = false;
    // Who feeds a graph input, by the name of its stream, if the text is not to
    // speak of the application.
    std::map<std::string, std::string> feeders;
  };
  void ExplainStandstills(StandstillOptions options);
  void ExplainStandstills(
      absl::Duration after = absl::Seconds(1),
      std::function<void(const std::string& text)> tell = nullptr);
  // A queue of the stream's packets, for the application to read.
  absl::StatusOr<OutputStreamPoller> AddOutputStreamPoller(
      const std::string& stream_name, bool observe_timestamp_bounds = false);

  // --- Runs

  // StartRun and WaitUntilDone, for graphs without inputs.
  absl::Status Run(
      const std::map<std::string, Packet>& extra_side_packets = {});
  // Starts a run. On an error nothing has started, and StartRun may be called
  // again.
  absl::Status StartRun(
      const std::map<std::string, Packet>& extra_side_packets,
      const std::map<std::string, Packet>& stream_headers = {});
  // Waits for the end of the run, and returns its status. From inside of the
  // run, as from an observer, this function and the two below return
  // FAILED_PRECONDITION, because they would wait for themselves.
  absl::Status WaitUntilDone();
  // Waits until nothing is running or ready. Returns the errors so far. If the
  // graph has source nodes, an idle moment may never come, or packets may still
  // follow it. So a warning is logged once.
  absl::Status WaitUntilIdle();
  // Waits until an observed stream has sent something since the last call.
  // OUT_OF_RANGE when the run is over.
  absl::Status WaitForObservedOutput();
  // Runs on this thread the calls that are ready, and those that they make
  // ready, until none is ready or `budget`, by the graph's clock, is spent. It
  // stops only between two calls. If the budget is not positive, opens the
  // nodes that can be opened, and calls each node that is ready now once. For
  // loops that have other things to do, as in games and robots. Never sleeps.
  // Returns an error of the run, or FAILED_PRECONDITION unless the default
  // executor is an ApplicationThreadExecutor, as with `scheduler { type:
  // "EpochScheduler" }`.
  struct EpochReport {
    // Calls of nodes: of Open, Close, and Process, or as many of Process in a
    // row as the batch_size of the node's input stream handler says.
    std::int64_t tasks = 0;
    // By how much it took longer than the budget, by the graph's clock.
    absl::Duration overrun;
    // The run is over: WaitUntilDone() will not wait.
    bool is_finished = false;
    // The next time, on the graph's clock, that a node waits for.
    absl::optional<std::int64_t> next_ns;
  };
  absl::StatusOr<EpochReport> RunEpoch(absl::Duration budget);
  // Ends the run with CANCELLED, without waiting. Callers that wait in other
  // functions return.
  void Cancel();
  // While paused, no further call starts. An error ends the pause and the run.
  // Deprecated.
  void Pause();
  void Resume();

  bool HasError() const;
  // Ends the run with `error`.
  void RecordError(const absl::Status& error);
  // False without errors; else combines them all behind `prefix`.
  bool GetCombinedErrors(const std::string& prefix, absl::Status* status) const;
  bool GetCombinedErrors(absl::Status* status) const;

  // --- Graph inputs, during a run

  bool HasInputStream(absl::string_view name) const;
  // INVALID_ARGUMENT: type or timestamp; a timestamp that goes back ends the
  // run, unless the graph's graph_input_info says what else happens to the
  // packet. NOT_FOUND: no such input.
  // FAILED_PRECONDITION: not started, or the input is closed. An error of the
  // run comes back with "Graph has errors: ". From inside of the run it does
  // not wait: its packet goes beyond the limit of a full queue.
  absl::Status AddPacketToInputStream(absl::string_view stream_name,
                                      const Packet& packet);
  absl::Status AddPacketToInputStream(absl::string_view stream_name,
                                      Packet&& packet);
  // The same with when the packet was acquired, for inputs that keep message
  // times; see packet_times.h. Published it is now, unless `times` say so.
  absl::Status AddPacketToInputStream(absl::string_view stream_name,
                                      Packet packet, const PacketTimes& times);
  // Promises that no packet below `timestamp` comes. Never waits.
  absl::Status SetInputStreamTimestampBound(const std::string& stream_name,
                                            Timestamp timestamp);
  // Closing again is no error.
  absl::Status CloseInputStream(const std::string& stream_name);
  absl::Status CloseAllInputStreams();
  // Also stops sources, before their next packet.
  absl::Status CloseAllPacketSources();

  // For all readers of a graph input, from the next run on; -1 for no limit.
  absl::Status SetInputStreamMaxQueueSize(const std::string& stream_name,
                                          int max_queue_size);
  // The same in bytes, as PayloadSize counts them, beside the other limit.
  absl::Status SetInputStreamMaxQueueBytes(const std::string& stream_name,
                                           std::int64_t max_queue_bytes);
  int GetMaxInputStreamQueueSize() const;
  GraphInputStreamAddMode GetGraphInputStreamAddMode() const;
  void SetGraphInputStreamAddMode(GraphInputStreamAddMode mode);

  // --- Values

  // NOT_FOUND: no such side packet. UNAVAILABLE: not there yet.
  absl::StatusOr<Packet> GetOutputSidePacket(const std::string& packet_name);

  void SetCounterFactory(CounterFactory* factory);  // takes ownership
  CounterFactory* GetCounterFactory();

  template <typename T>
  absl::Status SetServiceObject(const GraphService<T>& service,
                                std::shared_ptr<T> object) {
    return SetServicePacket(service,
                            MakePacket<std::shared_ptr<T>>(std::move(object)));
  }
  absl::Status SetServicePacket(const GraphServiceBase& service, Packet packet);
  template <typename T>
  std::shared_ptr<T> GetServiceObject(const GraphService<T>& service) {
    return services().GetServiceObject(service);
  }
  // The clock of the run, or of the next one; null before Initialize.
  std::shared_ptr<GraphClock> GetClock() const;
  // NOT_FOUND lists those that there are.
  absl::StatusOr<std::shared_ptr<Allocator>> GetAllocator(
      const std::string& name) const;
  // A condition of the run, as "NODE/CONDITION". Once the run is over, the
  // object changes nothing any more. NOT_FOUND if no condition has this name,
  // or it is no T; FAILED_PRECONDITION before StartRun.
  template <typename T>
  absl::StatusOr<std::shared_ptr<T>> GetCondition(
      absl::string_view name) const {
    absl::StatusOr<std::shared_ptr<ConditionBase>> condition =
        FindCondition(name);
    if (!condition.ok()) return condition.status();
    auto found = std::dynamic_pointer_cast<T>(*condition);
    if (found != nullptr) return found;
    return absl::NotFoundError(absl::StrCat("Condition \"", name, "\" is no ",
                                            TypeIdOf<T>().name(), "."));
  }

  // Services that nobody gives are not made by default.
  absl::Status DisallowServiceDefaultInitialization();

  // --- Looking in

  // A snapshot of all nodes: queues and bounds, and, where `runtime_info` in
  // the config is enabled, when their last calls began and ended.
  absl::StatusOr<GraphRuntimeInfo> GetGraphRuntimeInfo();
  // The run that goes on, or the last one.
  struct RunProgress {
    // 0: there was none so far; then 1, 2, ...
    std::int64_t number = 0;
    // No call follows. Its status is that of WaitUntilDone().
    bool is_over = false;
    // Since its start, or from its start to its end.
    absl::Duration elapsed;
  };
  RunProgress GetRunProgress() const;
  // Why the graph stands still, as a text of lines. The first is one sentence
  // that names what the nodes wait for in the end. Then: who waits for that,
  // what to do, which calls of the application wait, and for each node with
  // packets the streams whose bounds keep it from running.
  std::string Explain() const;
  // Looks for the time `still` whether anything moves, and returns the first
  // lines of Explain() if nothing does. Empty if something moves, the run is
  // over, nobody waits, or the graph waits for its clock or for a device.
  std::string ExplainIfStill(absl::Duration still) const;
  // Who waits for whom at this moment, by ids of the plan. Empty if nobody
  // waits and after the end of the run. In a run that goes on, what waits may
  // be served the next moment: ask GetGraphRuntimeInfo() whether it stands.
  std::vector<NodeWait> GetWaits() const;
  // What nodes were left with when the last run ended well, or with the error
  // that packets were left. Listed are nodes that held packets, nodes that were
  // held by conditions which nothing could change any more, and nodes that sent
  // packets in their last Close(), when nobody read any more. Empty after any
  // other error, and while a run goes on. A program that must lose nothing
  // looks here.
  std::vector<LeftAtEnd> GetLeftAtEnd() const;
  // --- Traces

  // Writes what happens in the graph, from now on, into a file for tools/trace:
  // calls, packets, bounds, full queues, conditions, threads. Before a run or
  // while it goes on. REQUIRES: initialized, and observers are added.
  absl::Status StartTrace(const std::string& path,
                          const TraceOptions& options = {});
  // Ends the file. The status is the first error in writing it, such as a full
  // disk; the run does not end by that. `num_lost`: events that came faster
  // than the disk took them. A graph that is destroyed stops its trace, too.
  absl::Status StopTrace(std::int64_t* num_lost = nullptr);
  // Keeps the last events of each thread in memory; TraceOptions says what that
  // costs. Off unless asked for. REQUIRES: as for StartTrace.
  absl::Status EnableFlightRecorder(const FlightRecorderOptions& options = {});
  // Writes them into a file for tools/trace. FAILED_PRECONDITION: it is off.
  absl::Status WriteFlightRecorder(const std::string& path) const;
  // The last events of what is traced.
  Trace TakeTrace() const;
  // Those since the last call with this cursor, but for what threads are just
  // noting. What was noted meanwhile and written over is counted as lost. Only
  // the first trace of a recorder has a header.
  Trace TakeTrace(TraceCursor* cursor) const;
  // The last packet of a stream, for who looks at it now and then while a run
  // is traced, as by the flight recorder: a packet that was sent since the last
  // call for this stream, or an empty one. The next one is kept for the next
  // call, for which it stays in memory. NOT_FOUND: no such stream.
  absl::StatusOr<Packet> LookAtStream(const std::string& stream_name) const;
  // Nothing is kept for LookAtStream any more.
  absl::Status StopLookingAtStream(const std::string& stream_name) const;

  // What profiler_config asks for (trace/profiling_context.h). Null before
  // Initialize.
  ProfilingContext* profiler();
  // The same as profiler()->GetCalculatorProfiles(). Empty without
  // enable_profiler.
  absl::Status GetCalculatorProfiles(
      std::vector<CalculatorProfile>* profiles) const;
  // The first error in writing the files of profiler_config, of the last run:
  // such an error is logged, and does not end the run. OK before the first run.
  absl::Status GetProfilerStatus() const;

  // --- For tests

  bool GraphInputStreamsClosed() const;
  // Whether a full queue keeps the source node `node_id` from being called.
  bool IsNodeThrottled(int node_id) const;
  // Raises the limits of full queues, as an idle graph does. True if any was.
  bool UnthrottleSources();

 private:
  struct Members;

  const GraphServiceManager& services() const;
  absl::Status TakePlan(GraphPlan plan,
                        const std::map<std::string, Packet>& side_packets);
  absl::Status MakeRun(const std::map<std::string, Packet>& extra_side_packets,
                       const std::map<std::string, Packet>& stream_headers);
  absl::Status StartProfiler();
  absl::StatusOr<std::shared_ptr<ConditionBase>> FindCondition(
      absl::string_view name) const;
  absl::StatusOr<int> StreamToLookAt(absl::string_view name) const;

  std::unique_ptr<Members> members_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_GRAPH_H_
