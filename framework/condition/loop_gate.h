// LoopGate: what a calculator says that lets only so many packets into a loop
// and, while they are inside, drops the others or keeps them.
//
//   class MyLimiter : public CalculatorBase, public LoopGate {
//     ...
//     absl::Status Process(CalculatorContext* cc) override {
//       ...
//       if (num_inside < limit) {
//         WaitForNoLoop();
//       } else if (has_turned_one_away) {
//         WaitForLoop(cc->Inputs().GetId("FINISHED", 0).value());
//       }
//
// The engine sees that packets went into the loop and have not come back. It
// cannot tell one that the loop has lost from one that it keeps on purpose, as
// a delay line does. The calculator knows whether it goes on without an answer;
// with what it says, reports name the node that owes the answer
// (report/wait_search), and none that owes nothing.
//
// It says so only while a packet that it has turned away, or keeps, shows that
// there is somebody to wait, and while nothing but the loop can let the next
// one in.
//
// Thread rule: awaited_input, any thread; the rest, the calls of the
// calculator. Tested by node_test, and with graphs by
// testing/scenarios/standstill_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_LOOP_GATE_H_
#define SYNCLINE_FRAMEWORK_CONDITION_LOOP_GATE_H_

#include <atomic>

namespace syncline {

class LoopGate {
 public:
  LoopGate(const LoopGate&) = delete;
  LoopGate& operator=(const LoopGate&) = delete;

  // The input, by its place among all, over which the loop has to answer before
  // the next packet is let in; -1: there is none.
  int awaited_input() const {
    return awaited_input_.load(std::memory_order_relaxed);
  }

 protected:
  LoopGate() = default;
  ~LoopGate() = default;

  void WaitForLoop(int input) {
    awaited_input_.store(input, std::memory_order_relaxed);
  }
  void WaitForNoLoop() { WaitForLoop(-1); }

 private:
  std::atomic<int> awaited_input_{-1};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_LOOP_GATE_H_
