// FaultInjection: makes a chosen call of a chosen node of a graph go wrong.
//
//   SYNCLINE_ASSIGN_OR_RETURN(auto faults, FaultInjection::Create(config));
//   CalculatorGraph graph;
//   SYNCLINE_RETURN_IF_ERROR(graph.Initialize(faults->config()));
//   SYNCLINE_RETURN_IF_ERROR(faults->Add({.node = "detector",
//                                         .kind = FaultKind::kBadAlloc,
//                                         .number = 3}));
//   graph.Run();       // fails: "... a bad_alloc in Process 3 of "detector""
//   faults->Clear();
//   graph.Run();       // as if nothing had been
//
// What a graph does when a part of it fails is seen too seldom to be right. A
// run that fails, or is cancelled, has to end, to name the cause, to leave
// nothing behind, and to let the graph run again; so there has to be a way to
// make any call of any node fail.
//
// How: every node of the expanded graph gets a calculator type of its own, made
// for it and registered for the life of this object. It forwards contract and
// calls to the node's real calculator, in whose place or around which faults
// happen. Ports, options, handlers and names stay what they are.
//
// Each fault happens at most once in a run: at the call with its number, where
// calls of Process are counted from 1 in each run. A fault does not happen if
// the graph makes no such call. A node without streams, whose side packets the
// graph remembers from an earlier run, is not called again. What Close returns
// after the end of the run (of nodes without streams, or in loops) is ignored.
//
// Thread rule: config() is constant. Add, Clear, SetGraph and SetClock between
// runs; the rest from any thread. Must outlive the graph's runs.
// Tested by fault_injection_test and fault_campaign_test.

#ifndef SYNCLINE_TESTING_FAULT_INJECTION_H_
#define SYNCLINE_TESTING_FAULT_INJECTION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/clock.h"
#include "framework/base/name_registry.h"
#include "framework/calculator_graph.h"
#include "framework/config/calculator.pb.h"
#include "testing/fault_orders.h"

namespace syncline {

class FaultInjection {
 public:
  // Errors are those of Compile.
  static absl::StatusOr<std::unique_ptr<FaultInjection>> Create(
      const CalculatorGraphConfig& config);
  ~FaultInjection();
  FaultInjection(const FaultInjection&) = delete;
  FaultInjection& operator=(const FaultInjection&) = delete;

  // The graph to run: expanded, with all nodes named.
  const CalculatorGraphConfig& config() const { return config_; }
  // The names of its nodes: those that errors have.
  const std::vector<std::string>& nodes() const { return nodes_; }

  // For kDelay; by default the real one.
  void SetClock(Clock* clock);
  // For kCancel.
  void SetGraph(CalculatorGraph* graph);

  // NOT_FOUND for a node that is not there, INVALID_ARGUMENT for a number below
  // 1, FAILED_PRECONDITION for kCancel without a graph.
  absl::Status Add(Fault fault);
  // No faults any more, and none have happened.
  void Clear();

  // A fault somewhere in this graph; the same for the same seed. Delays are
  // short.
  Fault RandomFault(std::uint64_t seed) const;

  // Waits until a call blocks. False: Release came first.
  bool WaitUntilBlocked();
  // Lets it go on, and those to come; until Clear.
  void Release();

  // The texts of what has happened, in order.
  std::vector<std::string> happened() const;

 private:
  FaultInjection();
  absl::Status Wrap(CalculatorGraphConfig config);

  CalculatorGraphConfig config_;
  std::vector<std::string> nodes_;
  // The calculators have it too.
  const std::shared_ptr<FaultOrders> orders_;
  std::vector<Unregister> registrations_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_FAULT_INJECTION_H_
