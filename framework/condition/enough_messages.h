// EnoughMessages: says whether enough packets wait at some inputs of a node,
// and how many each input needs. The conditions on messages share it.
//
//   kSumOfAll      all inputs together have min_sum
//   kPerReceiver   each has its number of min_sizes
//
// THE END. No packet comes to an input that has ended, so nobody waits for one:
// too few packets there count as enough, and the answer says so.
//
// Thread rule: made by one thread; Count is const.
// Tested by message_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_ENOUGH_MESSAGES_H_
#define SYNCLINE_FRAMEWORK_CONDITION_ENOUGH_MESSAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/condition/condition.h"

namespace syncline {

class EnoughMessages {
 public:
  enum class Mode { kSumOfAll, kPerReceiver };

  struct Options {
    // The inputs as the config names them; empty: all inputs.
    std::vector<std::string> receivers;
    Mode mode = Mode::kSumOfAll;
    absl::optional<std::uint64_t> min_sum;
    std::vector<std::uint64_t> min_sizes;
    // GXF's older name of min_sum.
    absl::optional<std::uint64_t> min_size;
  };

  // The options of a condition on several inputs.
  template <typename T>
  static Options OptionsOf(const T& config);

  struct Answer {
    // Packets are missing, and may still come.
    bool is_short = false;
    // Packets are missing that will not come.
    bool ended_short = false;
  };

  // INVALID_ARGUMENT for numbers that are missing or do not belong to the mode,
  // and for inputs that do not exist or are named twice.
  static absl::StatusOr<EnoughMessages> Create(const Options& options,
                                               const ConditionSetup& setup);

  Answer Count(absl::Span<const NodeFacts::Input> inputs) const;
  std::vector<PacketNeed> Needs() const;

 private:
  EnoughMessages() = default;

  Mode mode_ = Mode::kSumOfAll;
  std::vector<int> inputs_;
  std::int64_t min_sum_ = 0;
  // For each of inputs_.
  std::vector<std::int64_t> min_sizes_;
};

template <typename T>
EnoughMessages::Options EnoughMessages::OptionsOf(const T& config) {
  Options options;
  options.receivers = {config.receivers().begin(), config.receivers().end()};
  // PER_RECEIVER is 1 in the config.
  if (config.sampling_mode() != 0) options.mode = Mode::kPerReceiver;
  if (config.has_min_sum()) options.min_sum = config.min_sum();
  options.min_sizes = {config.min_sizes().begin(), config.min_sizes().end()};
  if (config.has_min_size()) options.min_size = config.min_size();
  return options;
}

// A number of packets from a config, in the type in which they are counted.
std::int64_t PacketCount(std::uint64_t number);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_ENOUGH_MESSAGES_H_
