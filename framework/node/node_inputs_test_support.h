// InputsUnderTest: the inputs of a node that is not there, which read the
// streams "a", "b", "c" with the ids 10, 11, 12, and what follows from what
// comes.
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_INPUTS_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_INPUTS_TEST_SUPPORT_H_

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/calculator.pb.h"
#include "framework/node/effects.h"
#include "framework/node/node_inputs.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/stream/queue_limits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {

inline Readiness Wait(int timestamp) {
  return {Readiness::State::kWait, Timestamp(timestamp)};
}
inline Readiness Ready(int timestamp) {
  return {Readiness::State::kProcess, Timestamp(timestamp)};
}
MATCHER_P(Is, readiness, "") { return arg == readiness; }

struct InputsUnderTest {
  explicit InputsUnderTest(int num_inputs) : plan_inputs(num_inputs) {
    config.set_calculator("T");
    for (int port = 0; port < num_inputs; ++port) {
      config.add_input_stream(std::string(1, static_cast<char>('a' + port)));
      plan_inputs[port].stream = 10 + port;
    }
    EXPECT_TRUE(contract.Initialize(config, "n").ok());
    limits.resize(num_inputs, {.packets = 100});
    plan.id = 5;
    plan.contract = &contract;
    plan.handlers.input_options = &options;
    kind.is_default = true;
  }

  // What was set up becomes inputs.
  void Place() {
    plan.inputs = plan_inputs;
    inputs.Place(plan, kind, limits, marks, &memory);
    const std::vector<std::string> names(config.input_stream().begin(),
                                         config.input_stream().end());
    streams.push_back(MakeInputStreams(*PortLayout::Create(names)));
  }
  void Place(const std::string& policy) {
    kind = *FindInputPolicy(policy);
    Place();
  }

  static Packet At(Timestamp timestamp) {
    return MakePacket<std::string>("12345678").At(timestamp);
  }
  bool Add(int port, Timestamp timestamp) {
    Packet packet = At(timestamp);
    return inputs.Add(port, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                      Timestamp::Unset(), /*sizes=*/{}, &effects);
  }
  bool Add(int port, int timestamp) { return Add(port, Timestamp(timestamp)); }
  bool AddSized(int port, int timestamp, std::int64_t size) {
    Packet packet = At(Timestamp(timestamp));
    return inputs.Add(port, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                      Timestamp::Unset(), {&size, 1}, &effects);
  }
  void AddOne(int port, Timestamp timestamp,
              absl::Span<const PacketTimes> times = {}) {
    Packet packet = At(timestamp);
    inputs.AddOne(port, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                  /*size=*/{}, times, &effects);
  }
  bool Bound(int port, Timestamp bound) {
    return inputs.Add(port, {}, /*may_move=*/true, bound, /*sizes=*/{},
                      &effects);
  }
  InputStreamSet& shown() { return streams.back(); }
  Timestamp Take() {
    return inputs.Take(inputs.Evaluate().timestamp, &shown(), &effects);
  }
  // The times of what waits at `port`.
  std::vector<int> Waiting(int port) const {
    std::vector<int> times;
    const InputQueue& queue = inputs.queue(port);
    for (std::int64_t i = 0; i < queue.size(); ++i) {
      times.push_back(static_cast<int>(queue.at(i).Timestamp().Value()));
    }
    return times;
  }

  // To be changed before Place.
  std::pmr::monotonic_buffer_resource memory;
  CalculatorGraphConfig::Node config;
  CalculatorContract contract;
  SynclineOptions options;
  std::vector<PlanInput> plan_inputs;
  PlanNode plan;
  InputPolicyKind kind;
  std::vector<QueueLimit> limits;
  QueueMarks marks;

  NodeInputs inputs;
  std::vector<InputStreamSet> streams;
  Effects effects;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_INPUTS_TEST_SUPPORT_H_
