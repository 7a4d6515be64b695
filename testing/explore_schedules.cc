#include "testing/explore_schedules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "testing/schedule_chooser.h"
#include "testing/scheduled_run.h"

namespace syncline {
namespace {

std::vector<std::size_t> AnswersOf(
    const std::vector<ScheduleChooser::Choice>& choices) {
  std::vector<std::size_t> answers;
  for (const ScheduleChooser::Choice& choice : choices) {
    answers.push_back(choice.chosen);
  }
  return answers;
}

// How many choices are not plain.
std::ptrdiff_t NumSteps(const ScheduleOutcome& outcome) {
  return std::count_if(
      outcome.choices.begin(), outcome.choices.end(),
      [](const ScheduleChooser::Choice& choice) { return choice.chosen != 0; });
}

class Explorer {
 public:
  Explorer(ScheduledGraph graph, const ScheduleInputs& inputs,
           const ExploreOptions& options)
      : graph_(std::move(graph)), inputs_(inputs), options_(options) {}

  absl::StatusOr<ExploreResult> Explore() {
    SYNCLINE_ASSIGN_OR_RETURN(plainest_, Run({}, 0));
    // What the checker of accesses finds, it finds in each schedule.
    if (graph_.uses_devices() && !plainest_.status.ok()) {
      return absl::FailedPreconditionError(absl::StrCat(
          "The run fails with seed 0 (first come, first run, each device at "
          "once): ",
          plainest_.status.ToString()));
    }
    SYNCLINE_RETURN_IF_ERROR(CheckThatRunsRepeat());
    return options_.exhaustive ? ExploreAll() : ExploreSeeds();
  }

 private:
  // What is different without any choice being different is not the schedule's
  // doing.
  absl::Status CheckThatRunsRepeat() {
    SYNCLINE_ASSIGN_OR_RETURN(const ScheduleOutcome again, Run({}, 0));
    const std::string difference = DifferenceOf(plainest_, again);
    if (difference.empty()) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(
        "The outputs differ in two runs with the same schedule, seed 0 (first "
        "come, first run): ",
        difference,
        ". Shrunk to 0 steps: the schedule does not matter. A calculator that "
        "keeps something from one run to the next, or asks a clock or a random "
        "number, can be the reason; ExploreOptions::before_run can reset what "
        "calculators are meant to share."));
  }

  absl::StatusOr<ExploreResult> ExploreSeeds() {
    for (int i = 0; i < options_.schedules; ++i) {
      const std::uint64_t seed = options_.first_seed + i;
      SYNCLINE_ASSIGN_OR_RETURN(const ScheduleOutcome outcome, Run({}, seed));
      SYNCLINE_RETURN_IF_ERROR(Compare(outcome, absl::StrCat("seed ", seed)));
      if (options_.after_run) options_.after_run(i + 1);
    }
    return ExploreResult{options_.schedules, false};
  }

  // Depth first: the last choice that has another answer gets it.
  absl::StatusOr<ExploreResult> ExploreAll() {
    std::vector<ScheduleChooser::Choice> last = plainest_.choices;
    for (int i = 1;; ++i) {
      while (!last.empty() && last.back().chosen + 1 == last.back().count) {
        last.pop_back();
      }
      if (last.empty()) return ExploreResult{i, true};
      if (i >= options_.schedules) return ExploreResult{i, false};
      ++last.back().chosen;
      SYNCLINE_ASSIGN_OR_RETURN(const ScheduleOutcome outcome,
                                Run(AnswersOf(last), 0));
      SYNCLINE_RETURN_IF_ERROR(Compare(outcome, absl::StrCat("schedule ", i)));
      last = outcome.choices;
      if (options_.after_run) options_.after_run(i + 1);
    }
  }

  absl::Status Compare(const ScheduleOutcome& outcome,
                       const std::string& name) {
    if (DifferenceOf(plainest_, outcome).empty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const ScheduleOutcome shrunk, Shrink(outcome));
    std::string steps;
    int num_steps = 0;
    for (std::size_t i = 0; i < shrunk.choices.size(); ++i) {
      const ScheduleChooser::Choice& choice = shrunk.choices[i];
      if (choice.chosen == 0) continue;
      absl::StrAppend(
          &steps, num_steps++ == 0 ? "" : ", ", "at choice ", i, " ",
          choice.text.empty()
              ? absl::StrCat("number ", choice.chosen, " of ", choice.count)
              : choice.text);
    }
    return absl::FailedPreconditionError(absl::StrCat(
        "The outputs depend on the schedule: seed 0 (first come, first run) "
        "and ",
        name, " differ: ", DifferenceOf(plainest_, shrunk), ". Shrunk to ",
        num_steps, " steps from the first schedule: ", steps,
        ". A calculator that uses a global, an input stream handler that takes "
        "packets as they come, or a sum that depends on the order",
        graph_.uses_devices() ? ", or work on two device streams of which "
                                "neither waits for the other,"
                              : "",
        " can be the reason."));
  }

  // Makes choices plain, first long runs of them and then single ones, as long
  // as the outcome still differs. A choice that is made plain changes what
  // those after it mean, so single ones are tried again as long as one was made
  // plain.
  absl::StatusOr<ScheduleOutcome> Shrink(ScheduleOutcome worst) {
    bool was_shrunk = false;
    for (std::size_t length = worst.choices.size(); length > 0;
         length = length == 1 && was_shrunk ? 1 : length / 2) {
      was_shrunk = false;
      for (std::size_t from = 0; from < worst.choices.size(); from += length) {
        std::vector<std::size_t> answers = AnswersOf(worst.choices);
        const std::size_t to = std::min(from + length, answers.size());
        bool is_plain = true;
        for (std::size_t i = from; i < to; ++i) {
          is_plain = is_plain && answers[i] == 0;
          answers[i] = 0;
        }
        if (is_plain) continue;
        SYNCLINE_ASSIGN_OR_RETURN(ScheduleOutcome outcome, Run(answers, 0));
        if (DifferenceOf(plainest_, outcome).empty()) continue;
        // Fewer choices may be left that are not plain, or there may be others:
        // only the first is progress.
        was_shrunk |= NumSteps(outcome) < NumSteps(worst);
        worst = std::move(outcome);
      }
    }
    return worst;
  }

  absl::StatusOr<ScheduleOutcome> Run(std::vector<std::size_t> prefix,
                                      std::uint64_t seed) {
    if (options_.before_run) options_.before_run();
    ScheduleChooser chooser(std::move(prefix), seed);
    return graph_.Run(inputs_, options_.print, &chooser);
  }

  const ScheduledGraph graph_;
  const ScheduleInputs& inputs_;
  const ExploreOptions& options_;
  ScheduleOutcome plainest_;
};

}  // namespace

absl::StatusOr<ExploreResult> Explore(const CalculatorGraphConfig& config,
                                      const ScheduleInputs& inputs,
                                      const ExploreOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(ScheduledGraph graph,
                            ScheduledGraph::Compile(config));
  return Explorer(std::move(graph), inputs, options).Explore();
}

absl::Status ExploreSchedules(const CalculatorGraphConfig& config,
                              const ScheduleInputs& inputs,
                              const ExploreOptions& options) {
  return Explore(config, inputs, options).status();
}

}  // namespace syncline
