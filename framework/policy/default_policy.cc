#include "framework/policy/default_policy.h"

#include <algorithm>
#include <memory>

#include "framework/config/default_input_stream_handler.pb.h"

namespace syncline {

DefaultPolicy::DefaultPolicy(const PolicyPorts& ports)
    : all_(ports.queues, ports.process_timestamp_bounds),
      batch_size_(DefaultBatchSize(*ports.options)) {}

int DefaultBatchSize(const SynclineOptions& options) {
  return std::max(
      1,
      options.GetExtension(DefaultInputStreamHandlerOptions::ext).batch_size());
}

std::unique_ptr<InputPolicy> MakeDefaultPolicy(const PolicyPorts& ports) {
  return std::make_unique<DefaultPolicy>(ports);
}

}  // namespace syncline
