// Nodes: sources, side packets, subgraphs and nodes that mix what they read,
// and their options. More joins are in random_graph_joins.cc.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "testing/random_graph_generator.h"

namespace syncline {

RandomGraphGenerator::Node* RandomGraphGenerator::AddNode(
    const std::string& type) {
  Node* const node = graph_->add_node();
  node->set_calculator(type);
  node->set_name(Name("n"));
  OptionsOf(node)->set_salt(Salt());
  if (!executors_.empty() && OneIn(3)) node->set_executor(Any(executors_));
  return node;
}

void RandomGraphGenerator::AddOutputs(Node* node, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string name = Name("s");
    node->add_output_stream(absl::StrCat("OUT:", i, ":", name));
    streams_.push_back(name);
  }
}

SynclineOptions* RandomGraphGenerator::SetHandler(Node* node,
                                                  const std::string& name) {
  node->mutable_input_stream_handler()->set_input_stream_handler(name);
  return node->mutable_input_stream_handler()->mutable_options();
}

void RandomGraphGenerator::AddSource() {
  Node* const node = AddNode("RandomSourceCalculator");
  RandomNodeOptions* const options = OptionsOf(node);
  options->set_count(Below(25));
  options->set_start(Below(60) - 10);
  options->set_step(1 + Below(8));
  if (OneIn(3)) options->set_drop_one_in(2 + Below(4));
  options->set_send_bounds(OneIn(2));
  if (OneIn(20)) options->set_only_pre_stream(true);
  if (OneIn(20)) options->set_only_post_stream(true);
  if (OneIn(20)) options->set_end_at_max(true);
  if (OneIn(3)) node->set_source_layer(Below(3));
  // The input timestamp of a source is 0, so this promises 1 from then on.
  if (options->start() >= 1 && OneIn(8)) {
    options->set_offset(RandomNodeOptions::IN_CONTRACT);
  }
  MaybeReadSidePackets(node, /*early=*/true);
  AddOutputs(node, 1 + Below(2));
}

void RandomGraphGenerator::AddSomething() {
  switch (Below(18)) {
    case 0:
      return AddSide();
    case 1:
      return AddSubgraph();
    case 2:
      return AddAlign();
    case 3:
      return AddBarrierLoop();
    case 4:
      return AddDelayLoop();
    case 5:
      return AddMux();
    case 6:
      return AddSets();
    default:
      return AddMix();
  }
}

void RandomGraphGenerator::AddSide() {
  Node* const node = AddNode("RandomSideCalculator");
  bool is_early = true;
  if (!side_packets_.empty() && OneIn(2)) {
    const std::string& name = Any(side_packets_);
    node->add_input_side_packet(absl::StrCat("SIDE:", name));
    is_early = std::count(early_side_packets_.begin(),
                          early_side_packets_.end(), name) > 0;
  }
  const std::string name = Name("side");
  node->add_output_side_packet(absl::StrCat("SIDE:", name));
  side_packets_.push_back(name);
  if (is_early) early_side_packets_.push_back(name);
}

void RandomGraphGenerator::AddSubgraph() {
  Node* const node = graph_->add_node();
  node->set_calculator("RandomSubgraph");
  node->set_name(Name("subgraph"));
  OptionsOf(node)->set_salt(Salt());
  OptionsOf(node)->set_inner_nodes(1 + Below(4));
  OptionsOf(node)->set_inner_subgraphs(Below(3));
  node->add_input_stream(absl::StrCat("IN:", Any(streams_)));
  const std::string name = Name("s");
  node->add_output_stream(absl::StrCat("OUT:", name));
  streams_.push_back(name);
}

// --- Mixing nodes

void RandomGraphGenerator::AddMix() {
  Node* const node = AddNode("RandomMixCalculator");
  const int num_inputs = OneIn(3) ? 1 : 1 + Below(4);
  for (int i = 0; i < num_inputs; ++i) {
    node->add_input_stream(absl::StrCat("IN:", i, ":", Any(streams_)));
  }
  const bool is_barrier = num_inputs > 1 && OneIn(10);
  const bool is_immediate = num_inputs == 1 && OneIn(8);
  const bool is_batch = !is_barrier && !is_immediate && OneIn(12);
  if (is_barrier) {
    SetHandler(node, "BarrierInputStreamHandler");
  } else if (is_immediate) {
    SetHandler(node, "ImmediateInputStreamHandler");
  } else if (is_batch) {
    SetHandler(node, "DefaultInputStreamHandler")
        ->MutableExtension(DefaultInputStreamHandlerOptions::ext)
        ->set_batch_size(2 + Below(3));
  } else if (num_inputs > 1 && OneIn(8)) {
    auto* const set =
        SetHandler(node, "SyncSetInputStreamHandler")
            ->MutableExtension(SyncSetInputStreamHandlerOptions::ext)
            ->add_sync_set();
    for (int i = 0; i < num_inputs; ++i) {
      set->add_tag_index(absl::StrCat("IN:", i));
    }
  }
  const bool is_plain = !is_barrier && !is_immediate && !is_batch;
  if (is_plain && OneIn(4)) {
    node->set_max_in_flight(2 + Below(3));
  } else {
    AddMemory(node);
  }
  AddTimes(node, /*may_have_bounds=*/is_plain);
  MaybeReadSidePackets(node, /*early=*/false);
  AddOutputs(node, OneIn(8) ? 0 : 1 + Below(3));
  MaybeWriteSidePacket(node);
}

// --- What any node may do

void RandomGraphGenerator::MaybeReadSidePackets(Node* node, bool early) {
  const std::vector<std::string>& from =
      early ? early_side_packets_ : side_packets_;
  if (!from.empty() && OneIn(3)) {
    node->add_input_side_packet(absl::StrCat("SIDE:", Any(from)));
  }
  if (OneIn(30)) node->add_input_side_packet("OPTIONAL:nobody_gives_this");
}

void RandomGraphGenerator::AddMemory(Node* node) {
  RandomNodeOptions* const options = OptionsOf(node);
  options->set_stateful(OneIn(2));
  options->set_flush(OneIn(6));
  if (OneIn(12)) options->set_close_after(1 + Below(6));
  if (!has_sources_ && OneIn(15)) options->set_stop_at(1 + Below(5));
}

void RandomGraphGenerator::AddTimes(Node* node, bool may_have_bounds) {
  RandomNodeOptions* const options = OptionsOf(node);
  if (OneIn(3)) options->set_drop_one_in(2 + Below(4));
  if (OneIn(8)) {
    options->set_stretch(2 + Below(2));
  } else if (OneIn(3)) {
    options->set_delay(Below(9) - 3);
  }
  options->set_pass_special(OneIn(4));
  options->set_send_header(OneIn(8));
  // A packet in Close comes at the bound, which by then is not a matter of
  // chance only if it does not move on its own.
  const bool has_moving_bound = !options->flush();
  if (has_moving_bound && options->stretch() == 1 && OneIn(2)) {
    options->set_offset(OneIn(2) ? RandomNodeOptions::IN_CONTRACT
                                 : RandomNodeOptions::IN_OPEN);
  }
  // The input timestamps of a barrier are not the time of what it knows.
  options->set_send_bounds(may_have_bounds && OneIn(3));
  if (has_moving_bound && may_have_bounds && OneIn(8)) {
    options->set_process_bounds(true);
    options->set_send_bounds(true);
    // After PreStream any bound is an error, and how many calls there are for
    // bounds is a matter of chance.
    options->set_pass_special(false);
  }
}

void RandomGraphGenerator::MaybeWriteSidePacket(Node* node) {
  if (!OneIn(8)) return;
  RandomNodeOptions* const options = OptionsOf(node);
  const std::string name = Name("side");
  node->add_output_side_packet(absl::StrCat("SIDE:", name));
  const int phase = Below(3);
  options->set_side_packet_in(phase == 0   ? RandomNodeOptions::OPEN
                              : phase == 1 ? RandomNodeOptions::CLOSE
                              : node->max_in_flight() > 1
                                  ? RandomNodeOptions::CLOSE
                                  : RandomNodeOptions::PROCESS);
  side_packets_.push_back(name);
}

}  // namespace syncline
