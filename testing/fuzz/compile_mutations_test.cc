// A few thousand changed graphs, the same ones in every run: whatever a graph
// says, the plan compiler answers with a plan or a status. The fuzzer next to
// this file goes on where it ends.

#include <cstddef>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/graph_source.h"
#include "gtest/gtest.h"
#include "testing/fuzz/compile_target.h"
#include "testing/fuzz/graph_mutator.h"

namespace syncline {
namespace {

constexpr char kFolder[] = "testing/fuzz/corpus/";

std::vector<std::string> Corpus() {
  std::vector<std::string> texts;
  for (const char* name :
       {"chain", "conditions", "executors", "fused", "handlers", "legacy",
        "options", "subgraphs", "templates", "types"}) {
    std::ifstream file(std::string(kFolder) + name + ".pbtxt");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(file.good()) << name;
    texts.push_back(text.str());
  }
  return texts;
}

// The graphs to start from compile, so that changes to them get far.
TEST(CompileMutationsTest, EveryGraphOfTheCorpusCompiles) {
  for (const std::string& text : Corpus()) {
    const CompileFacts facts = CompileBytes(text);
    EXPECT_TRUE(facts.broken.empty()) << facts.broken;
    EXPECT_TRUE(facts.was_compiled) << facts.error << "\n" << text;
  }
}

TEST(CompileMutationsTest, ChangedGraphsGiveAPlanOrAStatus) {
  constexpr int kRuns = 3000;
  std::vector<CalculatorGraphConfig> graphs;
  for (const std::string& text : Corpus()) {
    const absl::StatusOr<GraphSource> source = ReadGraphText(text);
    ASSERT_TRUE(source.ok()) << source.status();
    graphs.push_back(source->config);
  }
  std::mt19937 random(1);
  int read = 0;
  int compiled = 0;
  for (int i = 0; i < kRuns; ++i) {
    CalculatorGraphConfig config = graphs[random() % graphs.size()];
    const CalculatorGraphConfig& other = graphs[random() % graphs.size()];
    GraphMutator mutator(random());
    if (random() % 8 == 0) {
      mutator.CrossOver(other, &config);
    } else {
      mutator.Mutate(&config);
    }
    const std::string text = GraphText(config);
    const CompileFacts facts = CompileBytes(text);
    ASSERT_TRUE(facts.broken.empty())
        << "run " << i << ": " << facts.broken << "\n"
        << text;
    read += facts.was_read;
    compiled += facts.was_compiled;
    // What still compiles is changed again.
    if (facts.was_compiled && random() % 4 == 0) {
      graphs[random() % graphs.size()] = config;
    }
  }
  // Otherwise the changes are too wild, or too tame, to tell anything.
  EXPECT_GT(read, kRuns / 2);
  EXPECT_GT(compiled, kRuns / 10);
  EXPECT_LT(compiled, kRuns * 9 / 10);
}

TEST(CompileMutationsTest, ChangedBytesGiveAPlanOrAStatus) {
  const std::vector<std::string> corpus = Corpus();
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = corpus[random() % corpus.size()];
    if (random() % 2 == 0) {
      bytes = ReadGraphText(bytes)->config.SerializeAsString();
    }
    for (int j = static_cast<int>(random() % 8); j >= 0 && !bytes.empty();
         --j) {
      const size_t at = random() % bytes.size();
      if (random() % 2 == 0) {
        bytes[at] = static_cast<char>(random());
      } else {
        bytes.erase(at, random() % 4);
      }
    }
    const CompileFacts facts = CompileBytes(bytes);
    ASSERT_TRUE(facts.broken.empty()) << facts.broken << "\n" << bytes;
  }
}

}  // namespace
}  // namespace syncline
