#include "testing/explore_schedules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/scheduler/task_chooser.h"
#include "testing/print_value.h"

namespace syncline {
namespace {

// One answer of a schedule.
struct Choice {
  std::size_t chosen;
  std::size_t count;
};

// Answers from a list as long as there is one, then from a seed, then with 0;
// writes down what it answered.
class RecordingChooser : public TaskChooser {
 public:
  RecordingChooser(std::vector<std::size_t> prefix, std::uint64_t seed)
      : prefix_(std::move(prefix)), seed_(seed), random_(seed) {}

  std::size_t Choose(std::size_t count) override {
    std::size_t chosen = 0;
    if (choices_.size() < prefix_.size()) {
      chosen = std::min(prefix_[choices_.size()], count - 1);
    } else if (seed_ != 0) {
      chosen = random_() % count;
    }
    choices_.push_back({chosen, count});
    return chosen;
  }
  const std::vector<Choice>& choices() const { return choices_; }

 private:
  const std::vector<std::size_t> prefix_;
  const std::uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<Choice> choices_;
};

// What came out of one run.
struct Outcome {
  struct Item {
    Timestamp timestamp;
    std::string value;
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::map<std::string, std::vector<Item>> streams;
  absl::Status status;
  std::vector<Choice> choices;
};

std::string ItemText(const std::vector<Outcome::Item>& items, std::size_t i) {
  if (i >= items.size()) return "nothing";
  constexpr std::size_t kLongest = 80;
  std::string value = items[i].value.substr(0, kLongest);
  return absl::StrCat(value, " at ", items[i].timestamp.DebugString());
}

// "" if the two are the same.
std::string Difference(const Outcome& a, const Outcome& b) {
  for (const auto& [stream, items] : a.streams) {
    const std::vector<Outcome::Item>& others = b.streams.at(stream);
    // After an error it is a matter of chance how far each stream came.
    const bool both_ended = a.status.ok() && b.status.ok();
    const std::size_t size = both_ended ? std::max(items.size(), others.size())
                                        : std::min(items.size(), others.size());
    for (std::size_t i = 0; i < size; ++i) {
      if (i < items.size() && i < others.size() && items[i] == others[i]) {
        continue;
      }
      return absl::StrCat("packet ", i, " of stream \"", stream, "\" is ",
                          ItemText(items, i), " in the one and ",
                          ItemText(others, i), " in the other");
    }
  }
  if (a.status.code() == b.status.code()) return "";
  return absl::StrCat("the run ends with \"", a.status.ToString(),
                      "\" in the one and with \"", b.status.ToString(),
                      "\" in the other");
}

class Explorer {
 public:
  Explorer(GraphPlan plan, const ScheduleInputs& inputs,
           const ExploreOptions& options)
      : plan_(std::move(plan)), inputs_(inputs), options_(options) {
    std::set<int> outputs;
    for (const PlanGraphOutput& output : plan_.graph_outputs()) {
      if (output.stream >= 0) outputs.insert(output.stream);
    }
    for (const PlanStream& stream : plan_.streams()) {
      if (outputs.empty() || outputs.count(stream.id) > 0) {
        observed_.emplace_back(stream.name);
      }
    }
  }

  absl::StatusOr<ExploreResult> Explore() {
    SYNCLINE_ASSIGN_OR_RETURN(plainest_, Run({}, 0));
    SYNCLINE_RETURN_IF_ERROR(CheckThatRunsRepeat());
    return options_.exhaustive ? ExploreAll() : ExploreSeeds();
  }

 private:
  // What is different without any choice being different is not the schedule's
  // doing.
  absl::Status CheckThatRunsRepeat() {
    SYNCLINE_ASSIGN_OR_RETURN(const Outcome again, Run({}, 0));
    const std::string difference = Difference(plainest_, again);
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
      SYNCLINE_ASSIGN_OR_RETURN(const Outcome outcome, Run({}, seed));
      SYNCLINE_RETURN_IF_ERROR(Compare(outcome, absl::StrCat("seed ", seed)));
      if (options_.after_run) options_.after_run(i + 1);
    }
    return ExploreResult{options_.schedules, false};
  }

  // Depth first: the last choice that has another answer gets it.
  absl::StatusOr<ExploreResult> ExploreAll() {
    std::vector<Choice> last = plainest_.choices;
    for (int i = 1;; ++i) {
      while (!last.empty() && last.back().chosen + 1 == last.back().count) {
        last.pop_back();
      }
      if (last.empty()) return ExploreResult{i, true};
      if (i >= options_.schedules) return ExploreResult{i, false};
      ++last.back().chosen;
      SYNCLINE_ASSIGN_OR_RETURN(const Outcome outcome, Run(Answers(last), 0));
      SYNCLINE_RETURN_IF_ERROR(Compare(outcome, absl::StrCat("schedule ", i)));
      last = outcome.choices;
      if (options_.after_run) options_.after_run(i + 1);
    }
  }

  static std::vector<std::size_t> Answers(const std::vector<Choice>& choices) {
    std::vector<std::size_t> answers;
    for (const Choice& choice : choices) answers.push_back(choice.chosen);
    return answers;
  }

  absl::Status Compare(const Outcome& outcome, const std::string& name) {
    if (Difference(plainest_, outcome).empty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const Outcome shrunk, Shrink(outcome));
    std::string steps;
    int num_steps = 0;
    for (std::size_t i = 0; i < shrunk.choices.size(); ++i) {
      if (shrunk.choices[i].chosen == 0) continue;
      absl::StrAppend(&steps, num_steps++ == 0 ? "" : ", ", "at choice ", i,
                      " number ", shrunk.choices[i].chosen, " of ",
                      shrunk.choices[i].count);
    }
    return absl::FailedPreconditionError(absl::StrCat(
        "The outputs depend on the schedule: seed 0 (first come, first run) "
        "and ",
        name, " differ: ", Difference(plainest_, shrunk), ". Shrunk to ",
        num_steps, " steps from the plain schedule: ", steps,
        ". A calculator that uses a global, an input stream handler that takes "
        "packets as they come, or a sum that depends on the order can be the "
        "reason."));
  }

  // Makes choices plain, first long runs of them and then single ones, as long
  // as the outcome still differs.
  absl::StatusOr<Outcome> Shrink(Outcome worst) {
    for (std::size_t length = worst.choices.size(); length > 0; length /= 2) {
      for (std::size_t from = 0; from < worst.choices.size(); from += length) {
        std::vector<std::size_t> answers = Answers(worst.choices);
        const std::size_t to = std::min(from + length, answers.size());
        bool is_plain = true;
        for (std::size_t i = from; i < to; ++i) {
          is_plain = is_plain && answers[i] == 0;
          answers[i] = 0;
        }
        if (is_plain) continue;
        SYNCLINE_ASSIGN_OR_RETURN(Outcome outcome, Run(answers, 0));
        if (!Difference(plainest_, outcome).empty()) worst = std::move(outcome);
      }
    }
    return worst;
  }

  absl::StatusOr<Outcome> Run(std::vector<std::size_t> prefix,
                              std::uint64_t seed) {
    if (options_.before_run) options_.before_run();
    RecordingChooser chooser(std::move(prefix), seed);
    Outcome outcome;
    absl::Status print_error;
    {
      CalculatorGraph graph;
      SYNCLINE_RETURN_IF_ERROR(graph.SetTaskChooser(&chooser));
      SYNCLINE_RETURN_IF_ERROR(graph.Initialize(plan_));
      for (const std::string& stream : observed_) {
        std::vector<Outcome::Item>& items = outcome.streams[stream];
        SYNCLINE_RETURN_IF_ERROR(graph.ObserveOutputStream(
            stream, [this, &items, &print_error](const Packet& packet) {
              const absl::StatusOr<std::string> value = options_.print(packet);
              if (!value.ok()) return print_error = value.status();
              items.push_back({packet.Timestamp(), *value});
              return absl::OkStatus();
            }));
      }
      SYNCLINE_RETURN_IF_ERROR(graph.StartRun(inputs_.side_packets));
      Feed(&graph, &chooser);
      outcome.status = graph.WaitUntilDone();
    }
    SYNCLINE_RETURN_IF_ERROR(print_error);
    outcome.choices = chooser.choices();
    return outcome;
  }

  // Adds the packets of all inputs, as one of the many applications that could
  // have done so: the order between streams is free, and so is how much the
  // graph has done in between.
  void Feed(CalculatorGraph* graph, RecordingChooser* chooser) {
    std::map<std::string, std::size_t> next;
    for (;;) {
      std::vector<const std::string*> open;
      for (const auto& [stream, packets] : inputs_.streams) {
        if (next[stream] < packets.size()) open.push_back(&stream);
      }
      if (open.empty()) break;
      const std::string& stream =
          *open[open.size() == 1 ? 0 : chooser->Choose(open.size())];
      const Packet& packet = inputs_.streams.at(stream)[next[stream]++];
      // An error is the run's, and comes with its status.
      if (!graph->AddPacketToInputStream(stream, packet).ok()) break;
      if (chooser->Choose(2) == 1 && !graph->WaitUntilIdle().ok()) break;
    }
    (void)graph->CloseAllInputStreams().ok();
  }

  const GraphPlan plan_;
  const ScheduleInputs& inputs_;
  const ExploreOptions& options_;
  std::vector<std::string> observed_;
  Outcome plainest_;
};

}  // namespace

absl::StatusOr<ExploreResult> Explore(const CalculatorGraphConfig& config,
                                      const ScheduleInputs& inputs,
                                      const ExploreOptions& options) {
  CompileOptions compile;
  compile.log_warnings = false;
  SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan, Compile(config, compile));
  return Explorer(std::move(plan), inputs, options).Explore();
}

absl::Status ExploreSchedules(const CalculatorGraphConfig& config,
                              const ScheduleInputs& inputs,
                              const ExploreOptions& options) {
  return Explore(config, inputs, options).status();
}

}  // namespace syncline
