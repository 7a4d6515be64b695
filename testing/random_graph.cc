#include "testing/random_graph.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/config/packets_left.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/graph_text/proto_text.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "google/protobuf/text_format.h"
#include "testing/random_graph_generator.h"

namespace syncline {

RandomCase RandomGraphGenerator::Make() {
  const int kind = Below(3);
  const int num_inputs = kind == 0 ? 0 : 1 + Below(3);
  const int num_sources = kind == 1 ? 0 : 1 + Below(2);
  has_sources_ = num_sources > 0;
  AddGraphSettings();
  AddSidePackets();
  for (int i = 0; i < num_inputs; ++i) AddGraphInput();
  for (int i = 0; i < num_sources; ++i) AddSource();
  const int size = 1 + Below(11);
  while (graph_->node_size() < num_sources + size) AddSomething();
  if (OneIn(10)) AddFault();
  if (!has_loop_ && OneIn(5)) ShuffleNodes();
  AddInputEvents();
  return std::move(case_);
}

void RandomGraphGenerator::AddGraphSettings() {
  static constexpr int kQueueSizes[] = {0, 0, 1, 1, 2, 3, 10, 100, -1};
  graph_->set_max_queue_size(kQueueSizes[Below(9)]);
  // Nodes of a loop may wait for each other for ever.
  graph_->mutable_options()
      ->MutableExtension(PacketsLeftOptions::ext)
      ->set_allowed(true);
  if (OneIn(20)) {
    graph_->mutable_input_stream_handler()->set_input_stream_handler(
        "SyncSetInputStreamHandler");
  }
  for (int i = OneIn(4) ? 1 + Below(2) : 0; i > 0; --i) {
    ExecutorConfig* const executor = graph_->add_executor();
    executor->set_name(Name("executor"));
    executor->set_type("ThreadPoolExecutor");
    executor->mutable_options()
        ->MutableExtension(ThreadPoolExecutorOptions::ext)
        ->set_num_threads(1 + Below(3));
    executors_.push_back(executor->name());
  }
}

void RandomGraphGenerator::AddSidePackets() {
  for (int i = OneIn(3) ? 1 + Below(2) : 0; i > 0; --i) {
    RandomCase::SidePacket* const side_packet = case_.add_side_packet();
    side_packet->set_name(Name("side"));
    side_packet->set_value(Salt());
    early_side_packets_.push_back(side_packet->name());
  }
  side_packets_ = early_side_packets_;
}

void RandomGraphGenerator::AddGraphInput() {
  const std::string name = Name("in");
  graph_->add_input_stream(name);
  graph_inputs_.push_back(name);
  streams_.push_back(name);
}

void RandomGraphGenerator::AddFault() {
  std::vector<Node*> nodes;
  for (Node& node : *graph_->mutable_node()) {
    // The calls of these nodes have no fixed order, so the fault would have
    // none either.
    if (node.calculator() == "RandomSubgraph" ||
        node.calculator() == "RandomChoiceCalculator" ||
        OptionsOf(&node)->output_per_input()) {
      continue;
    }
    nodes.push_back(&node);
  }
  if (nodes.empty()) return;
  Node* const node = Any(nodes);
  RandomNodeOptions* const options = OptionsOf(node);
  options->set_fault(static_cast<RandomNodeOptions::Fault>(1 + Below(5)));
  options->set_fault_in(static_cast<RandomNodeOptions::Phase>(
      OneIn(6) ? 2 * Below(2) : RandomNodeOptions::PROCESS));
  options->set_fault_at(1 + Below(10));
  // How far the calls for bounds came before the fault is a matter of chance.
  options->set_process_bounds(false);
}

void RandomGraphGenerator::ShuffleNodes() {
  for (int i = graph_->node_size() - 1; i > 0; --i) {
    graph_->mutable_node()->SwapElements(i, Below(i + 1));
  }
}

// --- The public functions

RandomCase MakeRandomCase(std::uint64_t seed) {
  return RandomGraphGenerator(seed).Make();
}

std::string RandomCaseText(const RandomCase& random_case) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(random_case, &text);
  return text;
}

absl::StatusOr<RandomCase> ReadRandomCase(absl::string_view text) {
  RandomCase random_case;
  SYNCLINE_RETURN_IF_ERROR(ParseProtoText(text, "", &random_case));
  return random_case;
}

ReferenceInputs InputsOf(const RandomCase& random_case) {
  ReferenceInputs inputs;
  for (const RandomCase::SidePacket& side_packet : random_case.side_packet()) {
    inputs.side_packets[side_packet.name()] =
        MakePacket<std::int64_t>(side_packet.value());
  }
  for (const RandomCase::InputEvent& event : random_case.input()) {
    if (event.has_packet_at()) {
      inputs.events.push_back(GraphInputEvent::OfPacket(
          event.stream(),
          MakePacket<std::int64_t>(event.value())
              .At(Timestamp::CreateNoErrorChecking(event.packet_at()))));
    } else if (event.has_bound()) {
      inputs.events.push_back(GraphInputEvent::OfBound(
          event.stream(), Timestamp::CreateNoErrorChecking(event.bound())));
    } else {
      inputs.events.push_back(GraphInputEvent::OfClose(event.stream()));
    }
  }
  return inputs;
}

}  // namespace syncline
