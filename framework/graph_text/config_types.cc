#include "framework/graph_text/config_types.h"

#include "framework/config/calculator_graph_template.pb.h"
#include "framework/config/callback_packet_calculator.pb.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/config/source.pb.h"
#include "framework/config/switch_container.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"
#include "google/protobuf/message.h"

namespace syncline {

void LinkConfigTypes() {
  using google::protobuf::LinkMessageReflection;
  LinkMessageReflection<CallbackPacketCalculatorOptions>();
  LinkMessageReflection<DefaultInputStreamHandlerOptions>();
  LinkMessageReflection<FixedSizeInputStreamHandlerOptions>();
  LinkMessageReflection<NodeChainSubgraphOptions>();
  LinkMessageReflection<PacketGeneratorWrapperCalculatorOptions>();
  LinkMessageReflection<SidePacketsToStreamsCalculatorOptions>();
  LinkMessageReflection<SwitchContainerOptions>();
  LinkMessageReflection<SyncSetInputStreamHandlerOptions>();
  LinkMessageReflection<TemplateSubgraphOptions>();
  LinkMessageReflection<ThreadPoolExecutorOptions>();
  LinkMessageReflection<TimestampAlignInputStreamHandlerOptions>();
}

}  // namespace syncline
