#include "benchmarks/goals.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "benchmarks/subject.h"

namespace syncline {
namespace {

using Value = absl::optional<double>;

constexpr absl::string_view kOurs = "syncline";
constexpr absl::string_view kByHand = "by hand";
constexpr absl::string_view kTbb = "oneTBB";
constexpr absl::string_view kTbbPlain = "oneTBB plain";
constexpr absl::string_view kGstreamer = "GStreamer";

Value Ratio(const Value& a, const Value& b) {
  if (!a.has_value() || !b.has_value() || *b == 0) return absl::nullopt;
  return *a / *b;
}

class Goals {
 public:
  Goals(const Samples& samples, const CostFigures& costs)
      : samples_(samples), costs_(costs) {}

  void AddPeers() {
    for (const char* chain : {"chain of 10", "chain of 100"}) {
      AgainstPeer(chain, 1, kTbb, 0.8, 0.6);
      AgainstPeer(chain, 1, kTbbPlain, 1.1, 0.9);
    }
    for (const char* chain : {"fed chain of 10", "fed chain of 100"}) {
      AgainstPeer(chain, 0, kTbb, 1.2, 0.8);
    }
    for (const char* chain : {"chain of 10", "chain of 100"}) {
      Add(absl::StrCat(chain, ", 2 threads / 1 thread"),
          Ratio(Packet(chain, 2), Packet(chain, 1)), 1.1, 0.9);
    }
    for (const char* fan_out : {"fan-out 2 and join", "fan-out 8 and join"}) {
      for (int threads : {1, 2}) {
        AgainstFasterJoin(fan_out, threads, 0.5, 0.35);
      }
    }
    for (const char* workload : {"chain of 10", "chain of 100",
                                 "fan-out 2 and join", "fan-out 8 and join"}) {
      for (int threads : {1, 2}) {
        AgainstPeer(workload, threads, kGstreamer, 1.0, 0.5);
      }
    }
    for (const char* chain : {"fed chain of 10", "fed chain of 100"}) {
      AgainstPeer(chain, 0, kGstreamer, 1.0, 0.5);
    }
  }

  void AddOurselves() {
    for (const char* stages : {"stages of 20 us", "stages of 200 us"}) {
      Add(absl::StrCat(stages, ", throughput of 2 threads / 1"),
          Ratio(Packet(stages, 1), Packet(stages, 2)), 1.8, 1.95, "x",
          /*more_is_better=*/true);
    }
    // Rows with two threads say nothing where two threads do not get much more
    // done than one even without a graph.
    const auto two_threads = costs_.find("two_threads");
    if (two_threads != costs_.end() && two_threads->second >= 1.8) {
      Add("1000 nodes in layers, throughput of 2 threads / 1, of what two get",
          OfTwoThreads("1000 nodes in layers", two_threads->second), 0.7, 0.85,
          "x", /*more_is_better=*/true);
      Add("four chains of 10, throughput of 2 threads / 1, of what two get",
          OfTwoThreads("four chains of 10", two_threads->second), 0.8, 0.95,
          "x", /*more_is_better=*/true);
    }
    Add("four chains of 10, throughput of 8 threads / 2",
        Ratio(Packet("four chains of 10", 2), Packet("four chains of 10", 8)),
        0.9, 0.97, "x", /*more_is_better=*/true);
    Add("fused chain of 10 / chain of 10",
        Ratio(Packet("fused chain of 10", 1), Packet("chain of 10", 1)), 1.0,
        0.5);
    AddTraced();
    Add("1000 nodes in layers / chain of 10, per invocation",
        Ratio(Invocation("1000 nodes in layers", 1),
              Invocation("chain of 10", 1)),
        2.0, 1.3);
    Add("10000 nodes / 1000 nodes, per invocation",
        Ratio(Invocation("10000 nodes in layers", 1),
              Invocation("1000 nodes in layers", 1)),
        1.5, 1.2);
    Add("100000 nodes / 1000 nodes, per invocation",
        Ratio(Invocation("100000 nodes in layers", 1),
              Invocation("1000 nodes in layers", 1)),
        3.0, 1.5);
    Add("join of 64 / join of 2, per delivered packet",
        Ratio(Packet("join of 64", 1), Packet("join of 2", 1)), 1.5, 1.2);
    Add("life cycle of 1000 / of 10, per node",
        Ratio(Invocation("life cycle of 1000", 0),
              Invocation("life cycle of 10", 0)),
        1.5, 1.0);
    Add("one packet through 10, application thread / chain of 10",
        Ratio(Packet("one packet through 10", 0), Packet("chain of 10", 1)),
        1.5, 1.1);
    Add("one packet until idle, pool of 2 / futex calls there and back",
        Ratio(Packet("one packet until idle", 2),
              samples_.NsPerPacket("one packet until idle", 2, kByHand)),
        1.4, 1.15);
  }

  void AddCosts() {
    Cost("futex wake-ups per packet, pool of 1", "futex_wakeups_1", 2, 1);
    Cost("futex wake-ups per packet, pool of 2", "futex_wakeups_2", 2, 1);
    Cost("futex wake-ups per packet until idle, pool of 2",
         "futex_wakeups_until_idle_2", 2, 2);
    Cost("instructions per invocation", "instructions", 650, 450);
    Cost("atomic read-modify-writes per invocation", "atomic_updates", 5, 3);
    Cost("heap allocations per invocation", "allocations", 1, 0);
    Cost("lock pairs per invocation", "lock_pairs", 3, 1);
    Cost("clock reads per invocation", "clock_reads", 0, 0);
    Cost("simulated cache misses per invocation, 10000 nodes / 1000",
         "cache_misses_ratio", 1.5, 1.2);
    Cost("live graph that does nothing / chain of 10, per invocation",
         "live_graph_ratio", 2.5, 2.0);
  }

  void AddMemoryAndLimiter() {
    Add("queued packet beyond its payload",
        samples_.MedianFigure("queued packet", 1, kOurs,
                              "bytes beyond payload"),
        64, 40, "bytes");
    Add("resident memory per node, 100000 nodes",
        samples_.MedianFigure("waiting graph of 100000", 0, kOurs,
                              "resident bytes per node"),
        2500, 1500, "bytes");
    AddLimiter("flow limiter", 2);
    const auto share = [this](absl::string_view name, int threads,
                              absl::string_view subject) {
      return samples_.MedianFigure(name, threads, subject, "delivered share");
    };
    const Value two = share("free flow limiter", 2, kOurs);
    for (const int threads : {3, 4, 8}) {
      Add(absl::StrCat("free flow limiter, ", threads, " threads / 2"),
          Ratio(share("free flow limiter", threads, kOurs), two), 0.9, 0.97,
          "x", /*more_is_better=*/true);
    }
    for (const int threads : {2, 8}) {
      Add(absl::StrCat("loaded flow limiter, ", threads,
                       " threads / two by hand"),
          Ratio(share("loaded flow limiter", threads, kOurs),
                share("loaded flow limiter", 2, kByHand)),
          0.9, 1, "x", /*more_is_better=*/true);
    }
  }

  std::vector<Goal> Take() { return std::move(goals_); }

 private:
  void AddLimiter(absl::string_view name, int threads) {
    Add(absl::StrCat(name, ", delivered of 20,000/s"),
        samples_.MedianFigure(name, threads, kOurs, "delivered share"), 0.9,
        0.97, "", /*more_is_better=*/true);
    Add(absl::StrCat(name, ", added latency p50"),
        samples_.MedianFigure(name, threads, kOurs, "added us p50"), 50, 15,
        "us");
  }
  // A trace that is on may take 35 ns a call, or 1.5 x a read of the clock if
  // that is more.
  void AddTraced() {
    const Value traced = Invocation("traced chain of 10", 1);
    const Value plain = Invocation("chain of 10", 1);
    const Value clock =
        samples_.MedianFigure("traced chain of 10", 1, kOurs, "clock read ns");
    if (!traced.has_value() || !plain.has_value() || !clock.has_value()) return;
    Add("traced chain of 10 - chain of 10, per invocation", *traced - *plain,
        std::max(35.0, 1.5 * *clock), 25, "ns");
  }
  Value Packet(absl::string_view workload, int threads) const {
    return samples_.NsPerPacket(workload, threads, kOurs);
  }
  Value Invocation(absl::string_view workload, int threads) const {
    return samples_.NsPerInvocation(workload, threads, kOurs);
  }

  void Add(std::string what, Value value, double bar, double aim,
           std::string unit = "x", bool more_is_better = false) {
    goals_.push_back(
        {std::move(what), value, bar, aim, std::move(unit), more_is_better});
  }
  void AgainstPeer(absl::string_view workload, int threads,
                   absl::string_view peer, double bar, double aim) {
    const std::string with = threads == 0   ? "application thread"
                             : threads == 1 ? "1 thread"
                                            : absl::StrCat(threads, " threads");
    Add(absl::StrCat(workload, ", ", with, " / ", peer),
        Ratio(Packet(workload, threads),
              samples_.NsPerPacket(workload, threads, peer)),
        bar, aim);
  }
  // Joins of oneTBB that match times, or that rely on an order which was kept.
  void AgainstFasterJoin(absl::string_view workload, int threads, double bar,
                         double aim) {
    Value theirs = samples_.NsPerPacket(workload, threads, kTbb);
    const Value plain = samples_.NsPerPacket(workload, threads, kTbbPlain);
    const Value violations =
        samples_.MedianFigure(workload, threads, kTbbPlain, kOrderViolations);
    const bool keeps_order = violations.has_value() && *violations == 0;
    if (theirs.has_value() && plain.has_value() && keeps_order) {
      theirs = std::min(*theirs, *plain);
    }
    Add(absl::StrCat(workload, ", ", threads,
                     threads == 1 ? " thread" : " threads",
                     " / oneTBB's faster join that keeps order"),
        Ratio(Packet(workload, threads), theirs), bar, aim);
  }
  Value OfTwoThreads(absl::string_view workload, double two_threads) const {
    const Value gain = Ratio(Packet(workload, 1), Packet(workload, 2));
    return gain.has_value() ? Value(*gain / two_threads) : gain;
  }
  void Cost(absl::string_view what, const std::string& name, double bar,
            double aim) {
    const auto it = costs_.find(name);
    Add(std::string(what), it == costs_.end() ? Value() : Value(it->second),
        bar, aim, "");
  }

  const Samples& samples_;
  const CostFigures& costs_;
  std::vector<Goal> goals_;
};

}  // namespace

std::vector<Goal> EvaluateGoals(const Samples& samples,
                                const CostFigures& costs) {
  Goals goals(samples, costs);
  goals.AddPeers();
  goals.AddOurselves();
  goals.AddCosts();
  goals.AddMemoryAndLimiter();
  return goals.Take();
}

}  // namespace syncline
