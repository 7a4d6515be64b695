#include "testing/random_graph.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/proto_text.h"
#include "google/protobuf/text_format.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;

// Packets of a loop come this much later, so that they are known in time.
constexpr int kLoopDelay = 1000;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {
    case_.set_seed(seed);
    graph_ = case_.mutable_graph();
  }

  RandomCase Make() {
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

 private:
  // --- Chance

  // The library's distributions differ between machines.
  int Below(int end) { return static_cast<int>(random_() % end); }
  bool OneIn(int n) { return Below(n) == 0; }
  std::int64_t Salt() { return static_cast<std::int64_t>(random_() >> 8); }
  std::string Name(absl::string_view prefix) {
    return absl::StrCat(prefix, names_++);
  }
  template <typename T>
  const T& Any(const std::vector<T>& values) {
    return values[Below(static_cast<int>(values.size()))];
  }

  static RandomNodeOptions* OptionsOf(Node* node) {
    return node->mutable_options()->MutableExtension(RandomNodeOptions::ext);
  }

  Node* AddNode(const std::string& type) {
    Node* const node = graph_->add_node();
    node->set_calculator(type);
    node->set_name(Name("n"));
    OptionsOf(node)->set_salt(Salt());
    if (!executors_.empty() && OneIn(3)) node->set_executor(Any(executors_));
    return node;
  }

  // --- The graph

  void AddGraphSettings() {
    static constexpr int kQueueSizes[] = {0, 0, 1, 1, 2, 3, 10, 100, -1};
    graph_->set_max_queue_size(kQueueSizes[Below(9)]);
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

  void AddSidePackets() {
    for (int i = OneIn(3) ? 1 + Below(2) : 0; i > 0; --i) {
      RandomCase::SidePacket* const side_packet = case_.add_side_packet();
      side_packet->set_name(Name("side"));
      side_packet->set_value(Salt());
      early_side_packets_.push_back(side_packet->name());
    }
    side_packets_ = early_side_packets_;
  }

  void AddGraphInput() {
    const std::string name = Name("in");
    graph_->add_input_stream(name);
    graph_inputs_.push_back(name);
    streams_.push_back(name);
  }

  // `early`: only those that are there before any packet flows.
  void MaybeReadSidePackets(Node* node, bool early) {
    const std::vector<std::string>& from =
        early ? early_side_packets_ : side_packets_;
    if (!from.empty() && OneIn(3)) {
      node->add_input_side_packet(absl::StrCat("SIDE:", Any(from)));
    }
    if (OneIn(30)) node->add_input_side_packet("OPTIONAL:nobody_gives_this");
  }

  void AddSource() {
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

  void AddOutputs(Node* node, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string name = Name("s");
      node->add_output_stream(absl::StrCat("OUT:", i, ":", name));
      streams_.push_back(name);
    }
  }

  void AddSomething() {
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

  void AddSide() {
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

  void AddSubgraph() {
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

  void AddMix() {
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

  static SynclineOptions* SetHandler(Node* node, const std::string& name) {
    node->mutable_input_stream_handler()->set_input_stream_handler(name);
    return node->mutable_input_stream_handler()->mutable_options();
  }

  void AddMemory(Node* node) {
    RandomNodeOptions* const options = OptionsOf(node);
    options->set_stateful(OneIn(2));
    options->set_flush(OneIn(6));
    if (OneIn(12)) options->set_close_after(1 + Below(6));
    if (!has_sources_ && OneIn(15)) options->set_stop_at(1 + Below(5));
  }

  void AddTimes(Node* node, bool may_have_bounds) {
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

  void MaybeWriteSidePacket(Node* node) {
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

  // One stream, by way of numbers, says which of the others counts.
  void AddMux() {
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
  void AddSets() {
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
  void AddAlign() {
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
  void AddBarrierLoop() {
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
  void AddDelayLoop() {
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

  Node* AddLoopHead(const std::string& loop) {
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

  Node* AddLoopTail(const std::string& loop, const std::string& stream) {
    Node* const tail = AddNode("RandomMixCalculator");
    tail->add_input_stream(absl::StrCat("IN:", stream));
    tail->add_output_stream(absl::StrCat("OUT:", loop));
    OptionsOf(tail)->set_stateful(OneIn(2));
    streams_.push_back(loop);
    return tail;
  }

  // --- Faults

  void AddFault() {
    std::vector<Node*> nodes;
    for (Node& node : *graph_->mutable_node()) {
      // Where calls come in no fixed order, so would the fault.
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

  void ShuffleNodes() {
    for (int i = graph_->node_size() - 1; i > 0; --i) {
      graph_->mutable_node()->SwapElements(i, Below(i + 1));
    }
  }

  // --- Inputs

  using Events = std::vector<RandomCase::InputEvent>;

  Events EventsOf(const std::string& stream) {
    Events events;
    const auto add = [&]() -> RandomCase::InputEvent& {
      events.emplace_back().set_stream(stream);
      return events.back();
    };
    const auto add_packet = [&](std::int64_t time) {
      RandomCase::InputEvent& event = add();
      event.set_packet_at(time);
      event.set_value(Salt());
    };
    if (OneIn(25)) {
      add_packet(OneIn(2) ? Timestamp::PreStream().Value()
                          : Timestamp::PostStream().Value());
    } else {
      std::int64_t time = Below(60) - 10;
      // From Min to a time above 0 is more than a shift can be.
      const bool is_aligned =
          align_bases_.count(stream) + align_others_.count(stream) > 0;
      if (OneIn(25) && !is_aligned) add_packet(Timestamp::Min().Value());
      for (int left = Below(20); left > 0; --left) {
        if (OneIn(4)) {
          add().set_bound(time);
        } else {
          add_packet(time);
        }
        time += 1 + Below(OneIn(3) ? 20 : 4);
      }
      if (OneIn(25)) add_packet(Timestamp::Max().Value());
      if (OneIn(25)) add().set_bound(Timestamp::OneOverPostStream().Value());
    }
    if (OneIn(2)) add().set_close(true);
    return events;
  }

  // One stream's events in their order, those of several in any.
  void AddInputEvents() {
    std::map<std::string, Events> waiting;
    for (const std::string& stream : graph_inputs_) {
      Events events = EventsOf(stream);
      if (align_others_.count(stream) > 0) Begin(stream, &events);
      waiting[stream] = std::move(events);
    }
    while (!waiting.empty()) {
      auto next = waiting.begin();
      std::advance(next, Below(static_cast<int>(waiting.size())));
      if (next->second.empty()) {
        waiting.erase(next);
        continue;
      }
      *case_.add_input() = next->second.front();
      next->second.erase(next->second.begin());
    }
  }

  // Moves the events up to the first packet, or to the close, to the front.
  void Begin(const std::string& stream, Events* events) {
    while (!events->empty()) {
      const RandomCase::InputEvent event = events->front();
      events->erase(events->begin());
      *case_.add_input() = event;
      if (event.has_packet_at() || event.close()) return;
    }
    RandomCase::InputEvent* const close = case_.add_input();
    close->set_stream(stream);
    close->set_close(true);
  }

  std::mt19937_64 random_;
  RandomCase case_;
  CalculatorGraphConfig* graph_;
  int names_ = 0;
  bool has_sources_ = false;
  bool has_loop_ = false;
  std::vector<std::string> executors_;
  std::vector<std::string> graph_inputs_;
  // What later nodes may read.
  std::vector<std::string> streams_;
  std::vector<std::string> side_packets_;
  std::vector<std::string> early_side_packets_;
  // Graph inputs that some node aligns to, or aligns.
  std::set<std::string> align_bases_;
  std::set<std::string> align_others_;
};

}  // namespace

RandomCase MakeRandomCase(std::uint64_t seed) { return Generator(seed).Make(); }

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
