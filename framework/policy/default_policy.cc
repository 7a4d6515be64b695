#include "framework/policy/default_policy.h"

#include <algorithm>
#include <memory>

#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/policy/sync_set.h"

namespace syncline {

DefaultPolicy::DefaultPolicy(const PolicyPorts& ports)
    : all_(ports.queues, AllPorts(ports.queues),
           ports.process_timestamp_bounds),
      batch_size_(std::max(
          1, ports.options->GetExtension(DefaultInputStreamHandlerOptions::ext)
                 .batch_size())) {}

std::unique_ptr<InputPolicy> MakeDefaultPolicy(const PolicyPorts& ports) {
  return std::make_unique<DefaultPolicy>(ports);
}

}  // namespace syncline
