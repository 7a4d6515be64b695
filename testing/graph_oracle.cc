#include "testing/graph_oracle.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "testing/oracle_comparison.h"
#include "testing/reference_run.h"

namespace syncline {
namespace {

// The default executor is what the comparison chooses.
CalculatorGraphConfig WithoutDefaultExecutor(CalculatorGraphConfig config) {
  config.clear_num_threads();
  for (int i = config.executor_size() - 1; i >= 0; --i) {
    if (config.executor(i).name().empty()) {
      config.mutable_executor()->DeleteSubrange(i, 1);
    }
  }
  return config;
}

// In turn, lowest timestamp first, as an application would add them.
ReferenceInputs EventsOf(const ScheduleInputs& inputs) {
  ReferenceInputs result;
  result.side_packets = inputs.side_packets;
  std::map<std::string, std::size_t> next;
  for (;;) {
    const std::string* stream = nullptr;
    Timestamp lowest = Timestamp::Done();
    for (const auto& [name, packets] : inputs.streams) {
      const std::size_t i = next[name];
      if (i >= packets.size() || packets[i].Timestamp() >= lowest) continue;
      lowest = packets[i].Timestamp();
      stream = &name;
    }
    if (stream == nullptr) return result;
    const Packet& packet = inputs.streams.at(*stream)[next[*stream]++];
    result.events.push_back(
        packet.IsEmpty()
            ? GraphInputEvent::OfBound(*stream, lowest.NextAllowedInStream())
            : GraphInputEvent::OfPacket(*stream, packet));
  }
}

class GraphOracle {
 public:
  GraphOracle(GraphPlan plan, const CalculatorGraphConfig& config,
              const GraphOracleOptions& options)
      : plan_(std::move(plan)), config_(config), options_(options) {}

  absl::Status Compare(const ScheduleInputs& inputs) {
    for (const int threads : options_.threads) {
      SYNCLINE_ASSIGN_OR_RETURN(absl::Status difference,
                                CompareRun(inputs, threads));
      if (difference.ok()) continue;
      if (difference.code() == absl::StatusCode::kUnimplemented) {
        return difference;  // a type that has no value to compare
      }
      return Describe(inputs, threads, difference);
    }
    return absl::OkStatus();
  }

 private:
  // What differs; an error says that there is nothing to compare.
  absl::StatusOr<absl::Status> CompareRun(const ScheduleInputs& inputs,
                                          int threads) {
    const ReferenceInputs events = EventsOf(inputs);
    if (options_.before_run) options_.before_run();
    SYNCLINE_ASSIGN_OR_RETURN(
        const ReferenceResult reference,
        RunReference(plan_, events, {.stop_at_error = false}));
    if (options_.before_run) options_.before_run();
    SYNCLINE_ASSIGN_OR_RETURN(
        const EngineResult engine,
        RunOnEngine(config_, events, threads, "Compared with the oracle"));
    return CompareResults(reference, engine, options_.print);
  }

  bool Differs(const ScheduleInputs& inputs, int threads) {
    const absl::StatusOr<absl::Status> compared = CompareRun(inputs, threads);
    return compared.ok() && !compared->ok();
  }

  // Leaves out packets, last ones first, as long as the results differ.
  ScheduleInputs Shrink(ScheduleInputs inputs, int threads) {
    for (auto& [name, packets] : inputs.streams) {
      for (std::size_t i = packets.size(); i-- > 0;) {
        const auto place = packets.begin() + static_cast<std::ptrdiff_t>(i);
        const Packet packet = *place;
        const auto after = packets.erase(place);
        if (!Differs(inputs, threads)) packets.insert(after, packet);
      }
    }
    return inputs;
  }

  absl::Status Describe(const ScheduleInputs& inputs, int threads,
                        const absl::Status& difference) {
    const ScheduleInputs smallest = Shrink(inputs, threads);
    const absl::StatusOr<absl::Status> again = CompareRun(smallest, threads);
    int num_packets = 0;
    std::string text;
    for (const auto& [name, packets] : smallest.streams) {
      for (const Packet& packet : packets) {
        ++num_packets;
        absl::StrAppend(&text, ", \"", name, "\" at ",
                        packet.Timestamp().DebugString());
      }
    }
    return absl::FailedPreconditionError(absl::StrCat(
        "The graph differs from the reference run with ",
        threads == 0
            ? "the application's thread"
            : absl::StrCat(threads, threads == 1 ? " thread" : " threads"),
        ": ", (again.ok() && !again->ok() ? *again : difference).message(),
        " Shrunk to ", num_packets, num_packets == 1 ? " input" : " inputs",
        text,
        ". A calculator whose values depend on the thread, on a clock or on "
        "what earlier runs left behind can be the reason."));
  }

  const GraphPlan plan_;
  const CalculatorGraphConfig& config_;
  const GraphOracleOptions& options_;
};

}  // namespace

absl::Status CompareGraphWithOracle(const CalculatorGraphConfig& config,
                                    const ScheduleInputs& inputs,
                                    const GraphOracleOptions& options) {
  const CalculatorGraphConfig graph = WithoutDefaultExecutor(config);
  CompileOptions compile;
  compile.log_warnings = false;
  SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan, Compile(graph, compile));
  return GraphOracle(std::move(plan), graph, options).Compare(inputs);
}

}  // namespace syncline
