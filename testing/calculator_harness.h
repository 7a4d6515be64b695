// CalculatorHarness: one calculator on literal inputs; no graph, no thread.
//
//   CalculatorHarness harness(R"pb(
//     calculator: "GateCalculator"
//     input_stream: "ALLOW:allow" input_stream: "in" output_stream: "out"
//   )pb");
//   harness.Feed("ALLOW", {MakePacket<bool>(true).At(Timestamp(1))});
//   harness.Feed("", {MakePacket<int>(7).At(Timestamp(1))});
//   SYNCLINE_ASSERT_OK(harness.Run());
//   EXPECT_EQ(harness.Output("")[0].Get<int>(), 7);
//
// Run() does what a graph would do with this one node: GetContract, checks of
// the ports, Open, Process for each input set in the order of timestamps,
// Close. Inputs are joined by the default rule: all packets of a timestamp come
// in one call; with ImmediateInputStreamHandler each comes in a call of its
// own. Other rules need a graph. An empty packet in the inputs stands for a
// bound: nothing up to this time. It causes a call only where the contract asks
// to process bounds. A node without input streams is called until it stops.
//
// What a run shows is what was sent: packets, bounds, headers, side packets,
// counters. Errors are as a graph words them.
//
// An input that asks for message times has those that it was fed with. Times
// that were not given get defaults, by cc->Clock(): a packet is published, and
// arrives, when the call that takes it begins; it is acquired when it is
// published.
//
// Ports are addressed by tag index: "TAG", "TAG:1", "" or ":1".
//
// Thread rule: for one thread.
// Tested by calculator_harness_test.

#ifndef SYNCLINE_TESTING_CALCULATOR_HARNESS_H_
#define SYNCLINE_TESTING_CALCULATOR_HARNESS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/service.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class CalculatorHarness {
 public:
  // The node, as it would stand in a graph. Text that does not parse is
  // reported by Run().
  explicit CalculatorHarness(absl::string_view node_text);
  explicit CalculatorHarness(CalculatorGraphConfig::Node node);
  ~CalculatorHarness();
  CalculatorHarness(const CalculatorHarness&) = delete;
  CalculatorHarness& operator=(const CalculatorHarness&) = delete;

  // Adds packets to an input stream; with `times`, these are the message times
  // of each of them.
  void Feed(absl::string_view tag_index, std::vector<Packet> packets);
  void Feed(absl::string_view tag_index, std::vector<Packet> packets,
            const PacketTimes& times);
  void SetHeader(absl::string_view tag_index, Packet header);
  void SetSidePacket(absl::string_view tag_index, Packet packet);
  template <typename T>
  absl::Status SetService(const GraphService<T>& service,
                          std::shared_ptr<T> object) {
    return services_.SetServiceObject(service, std::move(object));
  }
  // A source that was called so often without stopping is an error.
  void SetMaxSourceCalls(int64_t calls) { max_source_calls_ = calls; }

  // Runs the calculator. May be called again; each run has a new calculator,
  // the same inputs, and forgets the outputs of the one before.
  absl::Status Run();

  // --- After Run(), also after one that failed. A port that is not there is a
  // misuse: it ends the program, naming those that are.

  const std::vector<Packet>& Output(absl::string_view tag_index) const;
  // The message times that were given with each of these packets.
  const std::vector<PacketTimes>& OutputTimes(
      absl::string_view tag_index) const;
  // The lowest timestamp that could have come next; Done() once closed.
  Timestamp OutputBound(absl::string_view tag_index) const;
  // Every value that the bound took, in order.
  const std::vector<Timestamp>& OutputBounds(absl::string_view tag_index) const;
  const Packet& OutputHeader(absl::string_view tag_index) const;
  // Empty if it was not set.
  const Packet& OutputSidePacket(absl::string_view tag_index) const;
  // Input timestamps of the calls of Process.
  const std::vector<Timestamp>& process_calls() const { return calls_; }
  // 0 for a counter that nobody raised. `name` is without the node's name.
  int64_t CounterValue(absl::string_view name) const;
  // Process of a node with inputs returned tool::StatusStop().
  bool stop_requested() const { return stop_requested_; }

 private:
  friend class HarnessRun;  // one run, in the .cc file; fills what follows

  // What was sent on one output stream.
  struct Sent {
    std::vector<Packet> packets;
    std::vector<PacketTimes> times;
    std::vector<Timestamp> bounds;
    Timestamp bound = Timestamp::PreStream();
    Packet header;
    bool closed = false;
  };

  CalculatorGraphConfig::Node node_;
  const absl::Status config_status_;  // of reading it
  int64_t max_source_calls_ = 1000000;
  GraphServiceManager services_;

  // By tag index in its short form: "TAG", "TAG:1", "", ":1".
  std::map<std::string, std::vector<Packet>> inputs_;
  // Of the packets there, without those that are empty.
  std::map<std::string, std::vector<PacketTimes>> message_times_;
  std::map<std::string, Packet> headers_;
  std::map<std::string, Packet> side_packets_;

  // Of the last run.
  std::map<std::string, Sent> outputs_;
  std::map<std::string, Packet> output_side_packets_;
  std::map<std::string, int64_t> counters_;
  std::vector<Timestamp> calls_;
  bool stop_requested_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_CALCULATOR_HARNESS_H_
