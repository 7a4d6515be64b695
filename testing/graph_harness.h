// GraphHarness: a whole graph on literal inputs.
//
//   GraphHarness graph(R"pb(
//     input_stream: "in"
//     node { calculator: "SumCalculator" input_stream: "in" output_stream:
//     "out" }
//   )pb", GetParam());
//   graph.Feed("in", {{0, 1}, {10, 2}});
//   SYNCLINE_ASSERT_OK(graph.Run());
//   graph.Expect("out", {{0, 1}, {10, 2}});
//
// or step by step, to see what must not happen yet:
//
//   SYNCLINE_ASSERT_OK(graph.Start());
//   graph.Feed("in", {{0, 1}});
//   graph.Idle();
//   graph.Expect("out", {{0, 1}});
//   SYNCLINE_EXPECT_OK(graph.Finish());
//
// The packets of every stream of the graph are written down, those of nodes
// inside too. When an expectation fails, all streams are printed as timelines.
//
// How the graph runs is chosen by Workers, which replaces the graph's default
// executor; see framework/graph/test_workers.h.
//
// Thread rule: for the thread of the test, except that graph() may be used from
// other threads as CalculatorGraph says.
// Tested by graph_harness_test.

#ifndef SYNCLINE_TESTING_GRAPH_HARNESS_H_
#define SYNCLINE_TESTING_GRAPH_HARNESS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/calculator_graph.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/scheduler/executor.h"
#include "gtest/gtest.h"
#include "testing/lifetimes.h"
#include "testing/packet_matchers.h"
#include "testing/test_calculators.h"

namespace syncline {

class GraphHarness {
 public:
  // An error of the text or of Initialize comes from Start(), Run() and
  // Initialize().
  explicit GraphHarness(absl::string_view graph_text, Workers workers = {});
  explicit GraphHarness(CalculatorGraphConfig config, Workers workers = {});
  ~GraphHarness();
  GraphHarness(const GraphHarness&) = delete;
  GraphHarness& operator=(const GraphHarness&) = delete;

  // --- Before Initialize, which comes with the first call of those below.

  void SetExecutor(const std::string& name, std::shared_ptr<Executor> executor);
  void SetErrorCallback(std::function<void(const absl::Status&)> callback);
  absl::Status Initialize();

  // --- Before Start

  // Side packets stay for later runs.
  void SetSidePacket(const std::string& name, Packet packet);
  // For a LambdaCalculator.
  void SetFunction(const std::string& name, LambdaFunction function);
  // For a BlockingCalculator.
  void SetLatch(const std::string& name, Latch* latch);
  template <typename T>
  absl::Status SetService(const GraphService<T>& service,
                          std::shared_ptr<T> object) {
    return graph().SetServiceObject(service, std::move(object));
  }
  // Also writes down the bounds of this stream, as empty packets.
  void CollectBounds(const std::string& stream);

  // Forgets what was written down.
  absl::Status Start(const std::map<std::string, Packet>& headers = {});

  // --- Inputs. Before Start they are kept for each Run; afterwards they go to
  // the graph at once, and fail the test if they are not welcome.

  template <typename T = int>
  void Feed(const std::string& stream, const LiteralStream<T>& packets) {
    for (const LiteralPacket<T>& packet : packets) {
      FeedPacket(stream,
                 MakeCounted<T>(packet.value).At(packet.time.timestamp()));
    }
  }
  // An empty packet is a bound: nothing up to its timestamp.
  void FeedPacket(const std::string& stream, Packet packet);

  // --- During a run

  // Of one packet, for those that may be refused.
  absl::Status Add(const std::string& stream, LiteralTime time, int value);
  // Fail the test if they fail.
  void SetBound(const std::string& stream, LiteralTime bound);
  void Close(const std::string& stream);
  void Idle();

  // Closes all inputs and waits for the end.
  absl::Status Finish();
  // Start, the inputs that were fed before, and Finish. Inputs are fed in turn,
  // lowest timestamp first. May be called again.
  absl::Status Run();

  // --- What was written down. Any stream of the graph, inputs too.

  std::vector<Packet> Packets(const std::string& stream) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  template <typename T = int>
  void Expect(const std::string& stream, LiteralStream<T> packets) const {
    EXPECT_THAT(Packets(stream), StreamIs<T>(std::move(packets)))
        << "Stream \"" << stream << "\" of:\n"
        << Timelines();
  }
  int Count(const std::string& stream) const {
    return static_cast<int>(Packets(stream).size());
  }
  std::string Timelines() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Destroys the graph, running or not.
  void Destroy() { graph_.reset(); }
  CalculatorGraph& graph();
  const Workers& workers() const { return workers_; }

 private:
  absl::Status InitializeOnce();
  void CollectAll();
  void Collect(const std::string& stream, bool with_bounds);
  absl::Status AddFed();

  const Workers workers_;
  absl::Status config_status_;
  CalculatorGraphConfig config_;
  std::unique_ptr<WorkersGraph> graph_;
  absl::Status initialize_status_;
  bool is_initialized_ = false;
  bool is_running_ = false;
  bool collects_ = false;
  std::vector<std::string> streams_with_bounds_;
  std::map<std::string, Packet> side_packets_;
  std::vector<std::pair<std::string, Packet>> fed_;

  mutable Mutex mutex_;
  std::map<std::string, std::vector<Packet>> packets_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_GRAPH_HARNESS_H_
