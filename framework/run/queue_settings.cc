#include "framework/run/queue_settings.h"

#include <algorithm>
#include <cstdint>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

QueueLimit QueueLimitOf(const GraphPlan& plan, const PlanInput& input,
                        const InputLimits& given) {
  // A queue that drops packets when it is full holds nobody back.
  if (input.queue_policy != InputStreamInfo::BLOCK) return {};
  const PlanSettings& settings = plan.settings();
  QueueLimit limit{.packets = settings.max_queue_size,
                   .bytes = settings.max_queue_bytes,
                   .byte_ceiling = settings.max_queue_bytes_ceiling};
  const PortRef producer = plan.streams()[input.stream].producer;
  if (producer.node < 0) {
    const int packets = given.packets[producer.port];
    const std::int64_t bytes = given.bytes[producer.port];
    if (packets != 0) limit.packets = packets;
    if (bytes != 0) limit.bytes = bytes;
  }
  if (input.max_queue_size > 0) limit.packets = input.max_queue_size;
  if (settings.queue_error_size > 0) {
    limit.packets = std::min(limit.packets, settings.queue_error_size);
  }
  return limit;
}

std::int64_t ByteStep(const GraphPlan& plan) {
  const std::int64_t bytes = plan.settings().max_memory_bytes;
  if (bytes <= 0) return 0;
  std::int64_t queues = 1;
  for (const PlanNode& node : plan.nodes()) {
    queues += static_cast<std::int64_t>(node.inputs.size());
  }
  return std::max<std::int64_t>(1, bytes / 8 / queues);
}

bool ReadersIgnoreTime(const PlanStream& stream, const NodePolicies& policies) {
  return !stream.consumers.empty() &&
         absl::c_all_of(stream.consumers, [&](const PortRef& reader) {
           return policies[reader.node].ignores_time;
         });
}

bool ReadersKeepTimes(const GraphPlan& plan, const PlanStream& stream) {
  return absl::c_any_of(stream.consumers, [&](const PortRef& reader) {
    return plan.nodes()[reader.node].inputs[reader.port].message_times;
  });
}

}  // namespace syncline
