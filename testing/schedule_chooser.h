// ScheduleChooser: the answers that make one schedule out of many.
//
// Answers come from a list as long as there is one, then from a seed, then they
// are 0, which is always the plain answer; what was answered is written down.
// So a schedule can be repeated, made plainer, or varied in its last answer.
//
// Thread rule: one thread at a time.
// Tested by explore_schedules_test.

#ifndef SYNCLINE_TESTING_SCHEDULE_CHOOSER_H_
#define SYNCLINE_TESTING_SCHEDULE_CHOOSER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "framework/scheduler/task_chooser.h"

namespace syncline {

class ScheduleChooser : public TaskChooser {
 public:
  // One answer.
  struct Choice {
    std::size_t chosen;
    std::size_t count;
    // What it means, where it is not plain; "" for "number `chosen`".
    std::string text;
  };

  // `seed` 0: plain answers after those of `prefix`.
  ScheduleChooser(std::vector<std::size_t> prefix, std::uint64_t seed)
      : prefix_(std::move(prefix)), seed_(seed), random_(seed) {}

  std::size_t Choose(std::size_t count) override {
    return Note(seed_ == 0 ? 0 : random_() % count, count);
  }
  // Whether something that a device could do now waits until later. Some seeds
  // mostly say no, others mostly yes: so work is also delayed for long.
  bool ChooseLater() {
    constexpr std::uint64_t kLaterOf16[] = {2, 8, 13, 15};
    const bool later = seed_ != 0 && random_() % 16 < kLaterOf16[seed_ % 4];
    return Note(later ? 1 : 0, 2) == 1;
  }
  // Of the last answer.
  void SetText(std::string text) { choices_.back().text = std::move(text); }

  const std::vector<Choice>& choices() const { return choices_; }

 private:
  std::size_t Note(std::size_t by_seed, std::size_t count) {
    const std::size_t chosen =
        choices_.size() < prefix_.size()
            ? std::min(prefix_[choices_.size()], count - 1)
            : by_seed;
    choices_.push_back({chosen, count, ""});
    return chosen;
  }

  const std::vector<std::size_t> prefix_;
  const std::uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<Choice> choices_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SCHEDULE_CHOOSER_H_
