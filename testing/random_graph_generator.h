// RandomGraphGenerator: makes one random case, choice by choice.
//
// All choices come from one sequence of numbers, so the case of a seed stays
// the same only if every choice stays where it is. What may be chosen without
// making the outputs a matter of chance is said in random_graph.h.
//
// Private to random_graph: the frame is in random_graph.cc, the nodes in
// random_graph_nodes.cc and random_graph_joins.cc, what the application does in
// random_graph_inputs.cc.
//
// Thread rule: for one thread, and for one call of Make.
// Tested by random_graph_test.

#ifndef SYNCLINE_TESTING_RANDOM_GRAPH_GENERATOR_H_
#define SYNCLINE_TESTING_RANDOM_GRAPH_GENERATOR_H_

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_options.pb.h"
#include "testing/random_graph.pb.h"

namespace syncline {

class RandomGraphGenerator {
 public:
  explicit RandomGraphGenerator(std::uint64_t seed) : random_(seed) {
    case_.set_seed(seed);
    graph_ = case_.mutable_graph();
  }

  // Once.
  RandomCase Make();

 private:
  using Node = CalculatorGraphConfig::Node;
  using Events = std::vector<RandomCase::InputEvent>;

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

  // --- The graph

  void AddGraphSettings();
  void AddSidePackets();
  void AddGraphInput();
  void AddFault();
  void ShuffleNodes();

  // --- Nodes

  static RandomNodeOptions* OptionsOf(Node* node) {
    return node->mutable_options()->MutableExtension(RandomNodeOptions::ext);
  }
  Node* AddNode(const std::string& type);
  void AddOutputs(Node* node, int count);
  static SynclineOptions* SetHandler(Node* node, const std::string& name);

  void AddSource();
  void AddSomething();
  void AddSide();
  void AddSubgraph();
  void AddMix();

  // `early`: only those that are there before any packet flows.
  void MaybeReadSidePackets(Node* node, bool early);
  void MaybeWriteSidePacket(Node* node);
  void AddMemory(Node* node);
  void AddTimes(Node* node, bool may_have_bounds);

  // --- Joins

  void AddMux();
  void AddSets();
  void AddAlign();
  void AddBarrierLoop();
  void AddDelayLoop();
  Node* AddLoopHead(const std::string& loop);
  Node* AddLoopTail(const std::string& loop, const std::string& stream);

  // --- Inputs

  Events EventsOf(const std::string& stream);
  void AddInputEvents();
  void Begin(const std::string& stream, Events* events);

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

}  // namespace syncline

#endif  // SYNCLINE_TESTING_RANDOM_GRAPH_GENERATOR_H_
