#include "benchmarks/graph_configs.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/core/flow_limiter_calculator.pb.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;
using Names = std::vector<std::string>;

class Builder {
 public:
  explicit Builder(int threads) {
    if (threads > 0) {
      config_.set_num_threads(threads);
    } else {
      config_.add_executor()->set_type("ApplicationThreadExecutor");
    }
  }

  Node* Add(absl::string_view type, const Names& inputs, const Names& outputs) {
    Node* const node = config_.add_node();
    node->set_calculator(std::string(type));
    for (const std::string& name : inputs) node->add_input_stream(name);
    for (const std::string& name : outputs) node->add_output_stream(name);
    return node;
  }
  Node* AddWithState(absl::string_view type, const Names& inputs,
                     const Names& outputs) {
    Node* const node = Add(type, inputs, outputs);
    node->add_input_side_packet("STATE:state");
    return node;
  }

  // A chain of `size` nodes that reads stream `from`. The last node is a sink,
  // which comes in addition if the nodes work. If they do not, `type` is the
  // type of the others.
  void AddChain(int size, const std::string& from, bool works,
                absl::string_view type = "BenchmarkPass") {
    std::string stream = from;
    for (int i = 1; i < size; ++i) {
      const std::string next = absl::StrCat(from == "in" ? "s" : from, i);
      if (works) {
        AddWithState("BenchmarkWork", {stream}, {next});
      } else {
        Add(type, {stream}, {next});
      }
      stream = next;
    }
    if (works) {
      AddWithState("BenchmarkWork", {stream}, {"worked"});
      stream = "worked";
    }
    AddWithState("BenchmarkSink", {stream}, {});
  }

  // All nodes after the first one, as one fused node.
  void FuseAllButTheFirst() {
    Node fused;
    for (int i = 1; i < config_.node_size(); ++i) {
      fused.add_fused_node()->Swap(config_.mutable_node(i));
    }
    config_.mutable_node()->DeleteSubrange(1, config_.node_size() - 1);
    config_.add_node()->Swap(&fused);
  }

  void AddFanOut(int size) {
    AddWithState("BenchmarkSource", {}, {"in"});
    Names branches;
    for (int i = 0; i < size; ++i) {
      branches.push_back(absl::StrCat("b", i));
      Add("BenchmarkPass", {"in"}, {branches.back()});
    }
    AddWithState("BenchmarkSink", branches, {});
  }

  void AddLayers(int size) {
    const int width = size / kLayers;
    AddWithState("BenchmarkSource", {}, {"in0", "in1"});
    for (int layer = 0; layer < kLayers; ++layer) {
      for (int i = 0; i < width; ++i) {
        Names inputs = {"in0", "in1"};
        if (layer > 0) {
          inputs = {absl::StrCat("s", layer - 1, "_", i),
                    absl::StrCat("s", layer - 1, "_", (i + 1) % width)};
        }
        if (layer == kLayers - 1) {
          AddWithState("BenchmarkSink", inputs, {});
        } else {
          Add("BenchmarkPass", inputs, {absl::StrCat("s", layer, "_", i)});
        }
      }
    }
  }

  void AddJoin(int size) {
    const Names streams = JoinedStreams(size);
    AddWithState("BenchmarkSource", {}, streams);
    AddWithState("BenchmarkSink", streams, {});
  }

  void AddFedJoin(int size) {
    const Names streams = JoinedStreams(size);
    for (const std::string& name : streams) config_.add_input_stream(name);
    AddWithState("BenchmarkSink", streams, {});
  }

  void AddFlowLimiter() {
    Node* const limiter =
        Add("FlowLimiterCalculator", {"in", "FINISHED:finished"}, {"allowed"});
    InputStreamInfo* const info = limiter->add_input_stream_info();
    info->set_tag_index("FINISHED");
    info->set_back_edge(true);
    auto* const options = limiter->mutable_options()->MutableExtension(
        FlowLimiterCalculatorOptions::ext);
    options->set_max_in_flight(1);
    options->set_max_in_queue(1);
    AddWithState("BenchmarkTimedWork", {"allowed"}, {"finished"});
  }

  CalculatorGraphConfig& config() { return config_; }

 private:
  CalculatorGraphConfig config_;
};

}  // namespace

std::vector<std::string> JoinedStreams(int size) {
  Names streams;
  for (int i = 0; i < size; ++i) streams.push_back(absl::StrCat("s", i));
  return streams;
}

CalculatorGraphConfig MakeGraphConfig(const Workload& workload, int threads) {
  Builder builder(threads);
  const int size = workload.size;
  switch (workload.shape) {
    case Shape::kChain:
    case Shape::kTracedChain:
    case Shape::kLifeCycle:
    case Shape::kInitialize:
    case Shape::kRun:
      builder.AddWithState("BenchmarkSource", {}, {"in"});
      builder.AddChain(size, "in", /*works=*/false);
      break;
    case Shape::kPassThroughChain:
      builder.AddWithState("BenchmarkSource", {}, {"in"});
      builder.AddChain(size, "in", /*works=*/false, "PassThroughCalculator");
      break;
    case Shape::kFusedChain:
      builder.AddWithState("BenchmarkSource", {}, {"in"});
      builder.AddChain(size, "in", /*works=*/false);
      builder.FuseAllButTheFirst();
      break;
    case Shape::kStages:
      builder.AddWithState("BenchmarkSource", {}, {"in"});
      builder.AddChain(size, "in", /*works=*/true);
      break;
    case Shape::kFedChain:
    case Shape::kWaitingGraph:
      builder.config().add_input_stream("in");
      builder.AddChain(size, "in", /*works=*/false);
      break;
    case Shape::kFanOut:
      builder.AddFanOut(size);
      break;
    case Shape::kChains:
      for (int i = 0; i < size; ++i) {
        const std::string from = absl::StrCat("c", i, "_");
        builder.AddWithState("BenchmarkSource", {}, {from});
        builder.AddChain(kNodesOfChains, from, /*works=*/false);
      }
      break;
    case Shape::kFusedFanOut:
      builder.AddFanOut(size);
      builder.FuseAllButTheFirst();
      break;
    case Shape::kLayers:
      builder.AddLayers(size);
      break;
    case Shape::kJoin:
      builder.AddJoin(size);
      break;
    case Shape::kFedJoin:
      builder.AddFedJoin(size);
      break;
    case Shape::kLatency:
    case Shape::kUntilIdle:
      builder.config().add_input_stream("in");
      builder.config().add_output_stream("out");
      for (int i = 0; i < size; ++i) {
        builder.Add("BenchmarkPass", {i == 0 ? "in" : absl::StrCat("s", i)},
                    {i == size - 1 ? "out" : absl::StrCat("s", i + 1)});
      }
      break;
    case Shape::kFlowLimiter:
      builder.AddWithState("BenchmarkPacedSource", {}, {"in"});
      builder.AddFlowLimiter();
      break;
    case Shape::kFreeFlowLimiter:
      builder.AddWithState("BenchmarkFreeSource", {}, {"in"});
      builder.AddFlowLimiter();
      break;
    case Shape::kFedFlowLimiter:
      builder.config().add_input_stream("in");
      builder.AddFlowLimiter();
      break;
    case Shape::kQueuedPacket:
      // The second input never gets a packet, so that packets wait in the
      // first.
      builder.config().set_max_queue_size(-1);
      builder.config().set_queue_warning_size(-1);
      builder.config().add_input_stream("in");
      builder.config().add_input_stream("never");
      builder.AddWithState("BenchmarkSink", {"in", "never"}, {});
      break;
  }
  return builder.config();
}

}  // namespace syncline
