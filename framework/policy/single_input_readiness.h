// The default rule for a node with one input: the queue is the answer.
//
//   10 20 | bound 21    ready at 10, then at 20
//         | bound 21    wait; nothing below 21 comes
//         | bound Done  close
//
// With one stream there is nothing to settle, so a node of this kind, which is
// every second one of an ordinary graph, needs no policy object. The rule and
// its results are those of DefaultPolicy, as single_input_readiness_test shows.
//
// Thread rule: a free function; the queue belongs to the caller.
// Tested by single_input_readiness_test and readiness_shortcuts_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_SINGLE_INPUT_READINESS_H_
#define SYNCLINE_FRAMEWORK_POLICY_SINGLE_INPUT_READINESS_H_

#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

inline Readiness EvaluateSingleInput(const InputQueue& queue) {
  if (!queue.empty()) {
    return {Readiness::State::kProcess, queue.front().Timestamp()};
  }
  const Timestamp bound = queue.bound();
  return {bound >= Timestamp::OneOverPostStream() ? Readiness::State::kClose
                                                  : Readiness::State::kWait,
          bound};
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_SINGLE_INPUT_READINESS_H_
