// Protos are found at the paths that users of MediaPipe know, and users' own
// options extend ours through them.

#include "calculators/internal/callback_packet_calculator.pb.h"
#include "framework/calculator.pb.h"
#include "framework/calculator_options.pb.h"
#include "framework/calculator_profile.pb.h"
#include "framework/deps/proto_descriptor.pb.h"
#include "framework/forwarding_protos_test.pb.h"
#include "framework/graph_runtime_info.pb.h"
#include "framework/mediapipe_options.pb.h"
#include "framework/packet_factory.pb.h"
#include "framework/packet_generator.pb.h"
#include "framework/status_handler.pb.h"
#include "framework/stream_handler.pb.h"
#include "framework/stream_handler/default_input_stream_handler.pb.h"
#include "framework/stream_handler/fixed_size_input_stream_handler.pb.h"
#include "framework/stream_handler/sync_set_input_stream_handler.pb.h"
#include "framework/stream_handler/timestamp_align_input_stream_handler.pb.h"
#include "framework/syncline_options.pb.h"
#include "framework/thread_pool_executor.pb.h"
#include "framework/tool/calculator_graph_template.pb.h"
#include "framework/tool/field_data.pb.h"
#include "framework/tool/node_chain_subgraph.pb.h"
#include "framework/tool/packet_generator_wrapper_calculator.pb.h"
#include "framework/tool/source.pb.h"
#include "framework/tool/switch_container.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// That the headers above are found and define these is the test.
TEST(ForwardingProtosTest, EveryMessageIsFoundWhereMediaPipeHasIt) {
  (void)CalculatorGraphConfig();
  (void)CalculatorOptions();
  (void)GraphProfile();
  (void)GraphRuntimeInfo();
  (void)SynclineOptions();
  (void)PacketFactoryConfig();
  (void)PacketGeneratorConfig();
  (void)StatusHandlerConfig();
  (void)InputStreamHandlerConfig();
  (void)ThreadPoolExecutorOptions();
  (void)DefaultInputStreamHandlerOptions();
  (void)FixedSizeInputStreamHandlerOptions();
  (void)SyncSetInputStreamHandlerOptions();
  (void)TimestampAlignInputStreamHandlerOptions();
  (void)CalculatorGraphTemplate();
  (void)FieldData();
  (void)NodeChainSubgraphOptions();
  (void)PacketGeneratorWrapperCalculatorOptions();
  (void)SidePacketsToStreamsCalculatorOptions();
  (void)SwitchContainerOptions();
  (void)CallbackPacketCalculatorOptions();
  EXPECT_EQ(FieldDescriptorProto::TYPE_SINT64, 18);
}

TEST(ForwardingProtosTest, UsersOptionsExtendOurs) {
  CalculatorGraphConfig config;
  CalculatorGraphConfig::Node* node = config.add_node();
  node->mutable_options()
      ->MutableExtension(users::UserOptions::ext)
      ->mutable_graph()
      ->set_num_threads(3);
  node->mutable_input_stream_handler()
      ->mutable_options()
      ->MutableExtension(users::UserHandlerOptions::ext)
      ->set_size(4);

  CalculatorGraphConfig read;
  ASSERT_TRUE(read.ParseFromString(config.SerializeAsString()));
  EXPECT_EQ(read.node(0)
                .options()
                .GetExtension(users::UserOptions::ext)
                .graph()
                .num_threads(),
            3);
  EXPECT_EQ(read.node(0)
                .input_stream_handler()
                .options()
                .GetExtension(users::UserHandlerOptions::ext)
                .size(),
            4);
}

}  // namespace
}  // namespace syncline
