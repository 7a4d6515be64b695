// Text becomes a registered subgraph, and its errors name the file.
#include "framework/expansion/text_subgraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/subgraph.h"
#include "framework/graph_text/graph_positions.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

REGISTER_SYNCLINE_GRAPH_TEXT(EmbeddedGraph,
                             "node { calculator: \"mediapipe.Inner\" }",
                             "graphs/embedded.pbtxt");

TEST(TextSubgraphTest, IsRegisteredUnderItsName) {
  absl::StatusOr<std::unique_ptr<Subgraph>> subgraph =
      SubgraphRegistry::CreateByName("EmbeddedGraph");
  ASSERT_TRUE(subgraph.ok()) << subgraph.status();
  SubgraphContext context;
  absl::StatusOr<CalculatorGraphConfig> config =
      (*subgraph)->GetConfig(&context);
  ASSERT_TRUE(config.ok()) << config.status();
  ASSERT_EQ(config->node_size(), 1);
  EXPECT_EQ(config->node(0).calculator(), "syncline.Inner");
}

TEST(TextSubgraphTest, NodesKnowWhereTheyStand) {
  for (const char* text :
       {"node {\n}\nnode {\n}", "%if (1)% node {} %end%\n\nnode {\n}"}) {
    TextSubgraph subgraph(text, "graphs/two.pbtxt");
    SubgraphContext context;
    ASSERT_TRUE(subgraph.GetConfig(&context).ok());
    ASSERT_NE(context.positions(), nullptr);
    EXPECT_EQ(context.positions()->Node(1).file, "graphs/two.pbtxt");
    EXPECT_EQ(context.positions()->Node(1).line, 3);
  }
}

TEST(TextSubgraphTest, AnErrorInTheTextNamesFileAndLine) {
  TextSubgraph subgraph("node {\n  calculator: 7\n}", "graphs/broken.pbtxt");
  SubgraphContext context;
  EXPECT_THAT(std::string(subgraph.GetConfig(&context).status().message()),
              HasSubstr("graphs/broken.pbtxt:2"));
}

}  // namespace
}  // namespace syncline
