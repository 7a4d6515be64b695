// WaitStep: who waits in a run, and for whom. A chain of these leads to the
// cause of a standstill.
//
// Thread rule: a value.

#ifndef SYNCLINE_FRAMEWORK_REPORT_WAIT_STEP_H_
#define SYNCLINE_FRAMEWORK_REPORT_WAIT_STEP_H_

#include <string>
#include <utility>

#include "framework/packet/timestamp.h"

namespace syncline {

struct WaitStep {
  // The application, in place of a node.
  static constexpr int kApplication = -1;
  // The chain ends.
  static constexpr int kNobody = -2;
  // in_vain_after of what a call ends: calls of a second are nothing special in
  // a run that goes on.
  static constexpr int kAfterSlowCalls = 10;

  int who = kApplication;
  // In place of "the application"; empty for that.
  std::string name;
  // What `who` waits for, or what is the matter with it.
  std::string what;
  // The same without the numbers that change while nothing new is the matter.
  // Empty: `what` has none.
  std::string told_as;
  // At the end of a chain: where the node has moved, and told_as is the same,
  // it is another standstill.
  bool is_new_once_moved = true;
  // So it is, but only if it then lasts much longer than it did before.
  bool is_new_if_longer = false;
  // " for 3.2 s", or empty.
  std::string lasting;
  int next = kNobody;
  // What the next one has to do with it, as "which sends it".
  std::string relation;
  // Up to here the next one has to come.
  Timestamp needed = Timestamp::Done();
  // The stream that the next one sends.
  int stream = -1;
  bool goes_back = false;
  bool is_pause = false;
  // It may be a wait for a device or a network, in which all is as it should
  // be: a camera has a frame now and then. Or the run goes on by itself, on a
  // machine that is busy.
  bool may_be_device = false;
  // The graph's clock will end it.
  bool waits_for_time = false;
  // A loop that waits for this step waits in vain, once nothing has moved here
  // for so many times as long as a standstill lasts before it is told: the node
  // does not send what it has all that it needs for, is switched off, or is in
  // a call, which may only be slow. 0: what else goes on in the run may help.
  int in_vain_after = 0;
  // A thread is in a call of the node.
  bool is_in_call = false;
  // If the chain ends here, or goes round over it: what to do.
  std::string advice;
};

// A step that waits for nobody else.
inline WaitStep LastStep(int who, std::string what, std::string advice) {
  WaitStep step;
  step.who = who;
  step.what = std::move(what);
  step.advice = std::move(advice);
  return step;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_WAIT_STEP_H_
