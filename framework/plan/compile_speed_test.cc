// Compiling takes time in proportion to the graph.
//
// Times of one graph and of one ten times as large are compared, the best of
// several tries each; a quadratic pass would make the ratio 100. They are times
// of the processor, for the machine may be busy with other tests. The limit of
// 40 leaves room for memory that no longer fits a cache.
// Absolute times are what benchmarks/plan_compile is for.

#include <time.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/expansion/graph_registry.h"
#include "framework/plan/compile.h"
#include "framework/plan/plan_test_support.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr int kTries = 3;
constexpr double kMostTimesSlower = 40;

double ProcessorSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return absl::ToDoubleSeconds(absl::DurationFromTimespec(now));
}

double BestSeconds(const GraphSource& source, const CompileOptions& options) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < kTries; ++i) {
    const double start = ProcessorSeconds();
    Compile(source, options).IgnoreError();
    best = std::min(best, ProcessorSeconds() - start);
  }
  return best;
}

// `graph` gives the text of a graph of a size.
void ExpectLinear(const std::function<std::string(int)>& graph,
                  CompileOptions options = {}) {
  options.log_warnings = false;
  constexpr int kSize = 200;
  const double small = BestSeconds(ParseSource(graph(kSize)), options);
  const double large = BestSeconds(ParseSource(graph(10 * kSize)), options);
  EXPECT_LT(large, small * kMostTimesSlower)
      << small << " s for " << kSize << ", " << large
      << " s for ten times that";
}

std::string Node(const std::string& type, const std::string& in,
                 const std::string& out) {
  std::string node = absl::StrCat("node { calculator: \"", type, "\"");
  if (!in.empty()) absl::StrAppend(&node, " input_stream: \"", in, "\"");
  if (!out.empty()) absl::StrAppend(&node, " output_stream: \"", out, "\"");
  return node + " }\n";
}

std::string Stream(int i) { return absl::StrCat("s", i); }

TEST(CompileSpeedTest, ChainsOfEqualNames) {
  ExpectLinear([](int size) {
    std::string text = Node("IntNode", "", Stream(0));
    for (int i = 0; i < size; ++i) {
      text += Node("PassNode", Stream(i), Stream(i + 1));
    }
    return text;
  });
}

TEST(CompileSpeedTest, ChainsInReverse) {
  ExpectLinear([](int size) {
    std::string text;
    for (int i = size; i > 0; --i) {
      text += Node("PassNode", Stream(i - 1), Stream(i));
    }
    return text + Node("IntNode", "", Stream(0));
  });
}

TEST(CompileSpeedTest, OneStreamWithManyReaders) {
  ExpectLinear([](int size) {
    std::string text = Node("IntNode", "", "s");
    for (int i = 0; i < size; ++i) text += Node("IntNode", "s", "");
    return text;
  });
}

TEST(CompileSpeedTest, ManyErrors) {
  ExpectLinear([](int size) {
    std::string text;
    for (int i = 0; i < size; ++i) {
      text += Node(absl::StrCat("NoNode", i), Stream(i), "same");
    }
    return text;
  });
}

TEST(CompileSpeedTest, ManyWarnings) {
  ExpectLinear([](int size) {
    std::string text;
    for (int i = 0; i < size; ++i) {
      absl::StrAppend(&text, "output_stream: \"", Stream(i), "\"\n");
    }
    return text;
  });
}

TEST(CompileSpeedTest, ManyExecutors) {
  ExpectLinear([](int size) {
    std::string text;
    for (int i = 0; i < size; ++i) {
      absl::StrAppend(&text, "executor { name: \"e", i,
                      "\" } node { calculator: \"IntNode\" executor: \"e", i,
                      "\" }\n");
    }
    return text;
  });
}

TEST(CompileSpeedTest, OneNodeWithManyPorts) {
  ExpectLinear([](int size) {
    std::string text = "node { calculator: \"PassNode\"\n";
    std::string inputs;
    for (int i = 0; i < size; ++i) {
      absl::StrAppend(&inputs, "input_stream: \"in", i, "\"\n");
      absl::StrAppend(&text, "input_stream: \"in", i, "\" output_stream: \"out",
                      i, "\" input_stream_info { tag_index: \":", i, "\" }\n");
    }
    return inputs + text + "}";
  });
}

TEST(CompileSpeedTest, NestedSubgraphs) {
  // One subgraph in each other, and nodes of calculators beside the outermost.
  GraphRegistry registry;
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(
        registry
            .Register(
                absl::StrCat("Level", i),
                ParseGraph(i == 49 ? "node { calculator: \"IntNode\" }"
                                   : absl::StrCat("node { calculator: \"Level",
                                                  i + 1, "\" }")))
            .ok());
  }
  ExpectLinear(
      [](int size) {
        std::string text = "node { calculator: \"Level0\" }\n";
        for (int i = 0; i < size; ++i) text += Node("IntNode", "", "");
        return text;
      },
      {.registry = &registry});
}

TEST(CompileSpeedTest, ManySubgraphs) {
  ExpectLinear([](int size) {
    std::string text = "input_stream: \"s0\"\n";
    for (int i = 0; i < size; ++i) {
      text += Node("TwoPassGraph", absl::StrCat("IN:", Stream(i)),
                   absl::StrCat("OUT:", Stream(i + 1)));
    }
    return text;
  });
}

}  // namespace
}  // namespace syncline
