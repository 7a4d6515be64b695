#include "framework/condition/enough_messages.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"

namespace syncline {
namespace {

absl::Status CheckNumbers(const EnoughMessages::Options& options) {
  if (options.mode == EnoughMessages::Mode::kPerReceiver) {
    if (options.min_sum || options.min_size) {
      return absl::InvalidArgumentError(absl::StrCat(
          options.min_sum ? "min_sum" : "min_size",
          " is set, but the sampling_mode is PER_RECEIVER, which takes "
          "min_sizes. Set either SUM_OF_ALL or min_sizes."));
    }
    return absl::OkStatus();
  }
  if (!options.min_sizes.empty()) {
    return absl::InvalidArgumentError(
        "min_sizes is set, but the sampling_mode is SUM_OF_ALL, which takes "
        "min_sum. Set either PER_RECEIVER or min_sum.");
  }
  if (options.min_sum && options.min_size) {
    return absl::InvalidArgumentError(
        "min_sum and min_size, its older name, are both set. Set min_sum.");
  }
  if (!options.min_sum && !options.min_size) {
    return absl::InvalidArgumentError(
        "min_sum is not set. Say how many packets have to wait, or set the "
        "sampling_mode PER_RECEIVER and min_sizes.");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> FindInputs(
    const std::vector<std::string>& receivers, const ConditionSetup& setup) {
  std::vector<std::string> names = receivers;
  if (names.empty()) {
    for (const ConditionPort& port : setup.inputs()) {
      names.push_back(absl::StrCat(port.tag, ":", port.index));
    }
  }
  if (names.empty()) {
    return absl::InvalidArgumentError(
        "The condition counts packets, but the node has no input streams.");
  }
  std::vector<int> inputs;
  for (const std::string& name : names) {
    SYNCLINE_ASSIGN_OR_RETURN(const int input, setup.Input("receivers", name));
    if (std::find(inputs.begin(), inputs.end(), input) != inputs.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("receivers names the input \"", name, "\" twice."));
    }
    inputs.push_back(input);
  }
  return inputs;
}

}  // namespace

std::int64_t PacketCount(std::uint64_t number) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(number, kMax));
}

absl::StatusOr<EnoughMessages> EnoughMessages::Create(
    const Options& options, const ConditionSetup& setup) {
  SYNCLINE_RETURN_IF_ERROR(CheckNumbers(options));
  EnoughMessages enough;
  enough.mode_ = options.mode;
  SYNCLINE_ASSIGN_OR_RETURN(enough.inputs_,
                            FindInputs(options.receivers, setup));
  if (options.mode == Mode::kSumOfAll) {
    enough.min_sum_ =
        PacketCount(options.min_sum ? *options.min_sum : *options.min_size);
    return enough;
  }
  if (options.min_sizes.size() != enough.inputs_.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "min_sizes has ", options.min_sizes.size(), " numbers for ",
        enough.inputs_.size(), " inputs. Give one for each."));
  }
  for (const std::uint64_t size : options.min_sizes) {
    enough.min_sizes_.push_back(PacketCount(size));
  }
  return enough;
}

std::vector<PacketNeed> EnoughMessages::Needs() const {
  if (mode_ == Mode::kSumOfAll) return {{inputs_, min_sum_, "min_sum"}};
  std::vector<PacketNeed> needs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    needs.push_back({{inputs_[i]}, min_sizes_[i], "min_sizes"});
  }
  return needs;
}

EnoughMessages::Answer EnoughMessages::Count(
    absl::Span<const NodeFacts::Input> inputs) const {
  Answer answer;
  if (mode_ == Mode::kPerReceiver) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const NodeFacts::Input& input = inputs[inputs_[i]];
      if (input.queued >= min_sizes_[i]) continue;
      (input.is_done ? answer.ended_short : answer.is_short) = true;
    }
    return answer;
  }
  std::int64_t sum = 0;
  bool is_done = true;
  for (const int i : inputs_) {
    sum += inputs[i].queued;
    is_done = is_done && inputs[i].is_done;
  }
  if (sum < min_sum_) (is_done ? answer.ended_short : answer.is_short) = true;
  return answer;
}

}  // namespace syncline
