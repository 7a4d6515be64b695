// Joins that need care lest their outputs depend on the schedule: by a stream
// that chooses, by sets, by alignment, and those of loops.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"
#include "testing/random_graph_generator.h"

namespace syncline {
namespace {

// Packets of a loop come this much later, so that they are known in time.
constexpr int kLoopDelay = 1000;

}  // namespace

// One stream, by way of numbers, says which of the others counts.
void RandomGraphGenerator::AddMux() {
  const int num_data = 1 + Below(3);
  Node* const choice = AddNode("RandomChoiceCalculator");
  choice->add_input_stream(absl::StrCat("IN:", Any(streams_)));
  const std::string name = Name("choice");
  choice->add_output_stream(absl::StrCat("CHOICE:", name));
  OptionsOf(choice)->set_choices(num_data);
  Node* const node = AddNode("RandomMixCalculator");
  for (int i = 0; i < num_data; ++i) {
    node->add_input_stream(absl::StrCat("IN:", i, ":", Any(streams_)));
  }
  node->add_input_stream(absl::StrCat("SELECT:", name));
  SetHandler(node, "MuxInputStreamHandler");
  AddMemory(node);
  AddTimes(node, /*may_have_bounds=*/false);
  AddOutputs(node, 1 + Below(2));
}

// Streams that do not wait for each other. Which set comes first is a matter
// of chance, so each has outputs of its own, none has a memory, and a call
// promises nothing for those of others.
void RandomGraphGenerator::AddSets() {
  Node* const node = AddNode("RandomMixCalculator");
  const int num_inputs = 2 + Below(3);
  auto* const options =
      SetHandler(node, "SyncSetInputStreamHandler")
          ->MutableExtension(SyncSetInputStreamHandlerOptions::ext);
  auto* set = options->add_sync_set();
  for (int i = 0; i < num_inputs; ++i) {
    node->add_input_stream(absl::StrCat("IN:", i, ":", Any(streams_)));
    if (i > 0 && (i + 1 == num_inputs || OneIn(2))) {
      set = options->add_sync_set();
    }
    set->add_tag_index(absl::StrCat("IN:", i));
  }
  AddTimes(node, /*may_have_bounds=*/false);
  OptionsOf(node)->set_send_bounds(false);
  OptionsOf(node)->clear_offset();
  OptionsOf(node)->set_output_per_input(true);
  AddOutputs(node, num_inputs);
}

// Joins graph inputs that no other node of this kind treats differently.
void RandomGraphGenerator::AddAlign() {
  if (graph_inputs_.size() < 2) return AddMix();
  std::vector<std::string> names = graph_inputs_;
  std::rotate(names.begin(),
              names.begin() + Below(static_cast<int>(names.size())),
              names.end());
  names.resize(2 + Below(static_cast<int>(names.size()) - 1));
  for (size_t i = 0; i < names.size(); ++i) {
    if ((i == 0 ? align_others_ : align_bases_).count(names[i]) > 0) {
      return AddMix();
    }
  }
  Node* const node = AddNode("RandomMixCalculator");
  node->add_input_stream(absl::StrCat("BASE:", names[0]));
  align_bases_.insert(names[0]);
  for (size_t i = 1; i < names.size(); ++i) {
    node->add_input_stream(absl::StrCat("IN:", i - 1, ":", names[i]));
    align_others_.insert(names[i]);
  }
  SetHandler(node, "TimestampAlignInputStreamHandler")
      ->MutableExtension(TimestampAlignInputStreamHandlerOptions::ext)
      ->set_timestamp_base_tag_index("BASE");
  AddMemory(node);
  AddTimes(node, /*may_have_bounds=*/false);
  AddOutputs(node, 1);
}

// --- Loops

// head: one packet from outside and one from the loop, whatever their times.
// tail: sends the first packet of the loop, and then what the head sent.
void RandomGraphGenerator::AddBarrierLoop() {
  const std::string loop = Name("loop");
  Node* const head = AddLoopHead(loop);
  SetHandler(head, "BarrierInputStreamHandler");
  OptionsOf(head)->set_main_time(true);
  Node* const tail = AddLoopTail(loop, streams_.back());
  OptionsOf(tail)->set_open_packet(true);
  // Before the first packets of the loops that there are.
  OptionsOf(tail)->set_open_bound(-100000 - 1000 * names_);
}

// head: joins by time. tail: promises that nothing comes for a while, and
// then answers that much later.
void RandomGraphGenerator::AddDelayLoop() {
  const std::string loop = Name("loop");
  Node* const head = AddLoopHead(loop);
  if (OneIn(2)) {
    OptionsOf(head)->set_offset(RandomNodeOptions::IN_CONTRACT);
  }
  std::string stream = streams_.back();
  if (OneIn(3)) {
    Node* const middle = AddNode("RandomMixCalculator");
    middle->add_input_stream(absl::StrCat("IN:", stream));
    AddMemory(middle);
    OptionsOf(middle)->set_flush(false);
    if (OneIn(3)) OptionsOf(middle)->set_drop_one_in(3);
    AddOutputs(middle, 1);
    stream = streams_.back();
  }
  Node* const tail = AddLoopTail(loop, stream);
  OptionsOf(tail)->set_delay(kLoopDelay);
  OptionsOf(tail)->set_open_bound(kLoopDelay);
}

RandomGraphGenerator::Node* RandomGraphGenerator::AddLoopHead(
    const std::string& loop) {
  has_loop_ = true;
  Node* const head = AddNode("RandomMixCalculator");
  head->add_input_stream(absl::StrCat("MAIN:", Any(streams_)));
  head->add_input_stream(absl::StrCat("LOOP:", loop));
  InputStreamInfo* const info = head->add_input_stream_info();
  info->set_tag_index("LOOP");
  info->set_back_edge(true);
  OptionsOf(head)->set_main_tag("MAIN");
  OptionsOf(head)->set_stateful(OneIn(2));
  AddOutputs(head, 1);
  return head;
}

RandomGraphGenerator::Node* RandomGraphGenerator::AddLoopTail(
    const std::string& loop, const std::string& stream) {
  Node* const tail = AddNode("RandomMixCalculator");
  tail->add_input_stream(absl::StrCat("IN:", stream));
  tail->add_output_stream(absl::StrCat("OUT:", loop));
  OptionsOf(tail)->set_stateful(OneIn(2));
  streams_.push_back(loop);
  return tail;
}

}  // namespace syncline
