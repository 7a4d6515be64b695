// condition-never-met: a node that its conditions never let be called, or only
// as long as its queue is short.
//
// EVIDENCE. What is found follows from the options of the conditions:
//
//   CountCondition             count: 0
//   BooleanCondition           off at the start, and on_false: STOP closes the
//                              node at once
//   BehaviorCondition          is no root, and no node has it among its
//   children MemoryAvailableCondition   more than a BlockMemoryPool has
//   conditions on messages     more packets than FixedSizeInputStreamHandler
//                              leaves in the queue
//   front_stage_max_size       below what the queue holds: where more packets
//                              wait, only a call could take them
//
// Of several conditions one is enough, since all have to be ready; of an any_of
// group none may be left. A BooleanCondition with on_false: PAUSE, a
// TargetTimeCondition and an AsynchronousCondition are changed by code, also by
// the application, of which a plan knows nothing.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/contract.h"
#include "framework/condition/behavior_condition.h"
#include "framework/condition/boolean_condition.h"
#include "framework/condition/condition.h"
#include "framework/condition/count_condition.h"
#include "framework/condition/memory_available_condition.h"
#include "framework/condition/message_available_condition.h"
#include "framework/config/block_memory_pool.pb.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/conditions.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/make_conditions.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

using NeverMet = NeededConditions::NeverMet;

class ConditionCheck {
 public:
  explicit ConditionCheck(const LintSubject& subject)
      : subject_(subject), plan_(subject.plan) {
    for (const PlanNode& node : plan_.nodes()) {
      for (const auto& [parent, child] :
           node.contract->GetConditionChildren()) {
        children_.insert(child);
      }
    }
  }

  void Find(const PlanNode& node, std::vector<NodeFinding>* findings) const {
    absl::optional<NeverMet> found = subject_.conditions[node.id].FindNeverMet(
        [&](const PlanCondition& condition, const ConditionBase& object) {
          return WhyNever(node, condition, object);
        });
    if (!found.has_value()) return;
    findings->push_back(
        {.node = node.id,
         .rule = kConditionNeverMet,
         .problem = absl::StrCat(Quoted(node.name), " ", found->reason),
         .remedy = std::move(found->remedy)});
  }

 private:
  absl::optional<NeverMet> WhyNever(const PlanNode& node,
                                    const PlanCondition& condition,
                                    const ConditionBase& object) const {
    const SynclineOptions& options = *condition.options;
    const std::string text = ConditionText(condition);
    if (dynamic_cast<const CountCondition*>(&object) != nullptr &&
        options.GetExtension(CountConditionOptions::ext).count() == 0) {
      return NeverMet{
          absl::StrCat("is never called: ", text,
                       " has count: 0, which closes the node"),
          "Set count to the number of calls, or to -1 for no limit."};
    }
    if (dynamic_cast<const BooleanCondition*>(&object) != nullptr) {
      return WhyNotEnabled(text,
                           options.GetExtension(BooleanConditionOptions::ext));
    }
    if (dynamic_cast<const BehaviorCondition*>(&object) != nullptr) {
      return WhyNotStarted(node, condition);
    }
    if (dynamic_cast<const MemoryAvailableCondition*>(&object) != nullptr) {
      return WhyTooLittleMemory(
          text, options.GetExtension(MemoryAvailableConditionOptions::ext));
    }
    absl::optional<NeverMet> dropped = WhyDropped(node, text, object);
    if (dropped.has_value()) return dropped;
    if (dynamic_cast<const MessageAvailableCondition*>(&object) != nullptr) {
      return WhyTooMany(
          node, text, object,
          options.GetExtension(MessageAvailableConditionOptions::ext));
    }
    return absl::nullopt;
  }

  static absl::optional<NeverMet> WhyNotEnabled(
      const std::string& text, const BooleanConditionOptions& options) {
    if (options.enable_tick() ||
        options.on_false() != BooleanConditionOptions::STOP) {
      return absl::nullopt;
    }
    return NeverMet{
        absl::StrCat("is never called: ", text,
                     " is off at the start (enable_tick: false), and "
                     "on_false: STOP closes the node before anybody could "
                     "switch it on"),
        "Set on_false: PAUSE, so that the node waits for enable_tick()."};
  }

  absl::optional<NeverMet> WhyNotStarted(const PlanNode& node,
                                         const PlanCondition& condition) const {
    if (condition.options->GetExtension(BehaviorConditionOptions::ext)
            .is_root() ||
        children_.contains(absl::StrCat(node.name, "/", condition.name))) {
      return absl::nullopt;
    }
    return NeverMet{
        absl::StrCat("is never called: ", ConditionText(condition),
                     " is no root (is_root), and no node of the graph has ",
                     Quoted(node.name), " among its children"),
        "Set is_root: true, or name the node in the children of its parent."};
  }

  absl::optional<NeverMet> WhyTooLittleMemory(
      const std::string& text,
      const MemoryAvailableConditionOptions& options) const {
    for (const AllocatorConfig& allocator : plan_.GraphFields().allocator()) {
      if (allocator.name() != options.allocator() ||
          !absl::EndsWith(allocator.type(), "BlockMemoryPool")) {
        continue;
      }
      const auto& pool =
          allocator.options().GetExtension(BlockMemoryPoolOptions::ext);
      // A size as text is read when the pool is made.
      if (pool.has_block_size_text() && !options.has_min_blocks()) continue;
      std::uint64_t bytes = 0;
      if (__builtin_mul_overflow(pool.block_size(), pool.num_blocks(),
                                 &bytes)) {
        bytes = std::numeric_limits<std::uint64_t>::max();
      }
      const bool is_too_much = options.has_min_blocks()
                                   ? options.min_blocks() > pool.num_blocks()
                                   : options.min_bytes() > bytes;
      if (!is_too_much) return absl::nullopt;
      return NeverMet{
          absl::StrCat("is never called: ", text, " waits for ",
                       options.has_min_blocks()
                           ? absl::StrCat(options.min_blocks(), " blocks")
                           : absl::StrCat(options.min_bytes(), " bytes"),
                       " of allocator ", Quoted(allocator.name()),
                       ", which has ", pool.num_blocks(), " blocks of ",
                       pool.has_block_size_text()
                           ? pool.block_size_text()
                           : absl::StrCat(pool.block_size(), " bytes")),
          "Ask for less, or give the allocator more num_blocks."};
    }
    return absl::nullopt;
  }

  // Of nodes with one input; with several, what is dropped depends on all.
  static absl::optional<NeverMet> WhyDropped(const PlanNode& node,
                                             const std::string& text,
                                             const ConditionBase& object) {
    if (node.handlers.input != "FixedSizeInputStreamHandler" ||
        node.handlers.input_options == nullptr || node.inputs.size() != 1) {
      return absl::nullopt;
    }
    const auto& options = node.handlers.input_options->GetExtension(
        FixedSizeInputStreamHandlerOptions::ext);
    const std::int64_t target =
        std::max<std::int64_t>(1, options.target_queue_size());
    const std::int64_t most =
        std::max<std::int64_t>(options.trigger_queue_size(), target + 1) - 1;
    for (const PacketNeed& need : object.PacketNeeds()) {
      if (need.min_packets <= most) continue;
      return NeverMet{
          absl::StrCat(
              "is not called before its input ends: ", text, " waits for ",
              need.min_packets, " packets (", need.option,
              "), and FixedSizeInputStreamHandler leaves no more than ", most,
              " in the queue (trigger_queue_size)"),
          absl::StrCat("Set trigger_queue_size above ", need.min_packets,
                       ", or ", need.option, " to ", most, " or less.")};
    }
    return absl::nullopt;
  }

  absl::optional<NeverMet> WhyTooMany(
      const PlanNode& node, const std::string& text,
      const ConditionBase& object,
      const MessageAvailableConditionOptions& options) const {
    const std::vector<PacketNeed> needs = object.PacketNeeds();
    if (!options.has_front_stage_max_size() || needs.empty() ||
        needs[0].inputs.empty()) {
      return absl::nullopt;
    }
    const PlanInput& input = node.inputs[needs[0].inputs[0]];
    const std::int64_t limit = input.max_queue_size > 0
                                   ? input.max_queue_size
                                   : plan_.settings().max_queue_size;
    const bool has_limit = limit > 0;
    if (has_limit &&
        static_cast<std::uint64_t>(limit) <= options.front_stage_max_size()) {
      return absl::nullopt;
    }
    return NeverMet{
        absl::StrCat(
            "may never be called again: ", text, " waits while more than ",
            options.front_stage_max_size(),
            options.front_stage_max_size() == 1 ? " packet" : " packets",
            " (front_stage_max_size) of stream ",
            Quoted(plan_.streams()[input.stream].name),
            " wait, the queue holds ",
            has_limit ? absl::StrCat(limit) : "any number",
            " (max_queue_size), and only a call takes packets out"),
        absl::StrCat("Give the input a max_queue_size of ",
                     options.front_stage_max_size(),
                     " or less, or take front_stage_max_size out.")};
  }

  const LintSubject& subject_;
  const GraphPlan& plan_;
  // "NODE/CONDITION" of all that have a parent.
  HashSet<std::string> children_;
};

}  // namespace

void FindConditionsNeverMet(const LintSubject& subject,
                            std::vector<NodeFinding>* findings) {
  const ConditionCheck check(subject);
  for (const PlanNode& node : subject.plan.nodes()) check.Find(node, findings);
}

}  // namespace syncline
