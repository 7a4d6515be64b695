// For tests of full queues: a call that lasts until the test lets it end, a
// count of what is on its way, and all the ways in which a limit can allow for
// two packets. Every packet here is an int: 4 bytes.
//
//   LongCall long_call;
//   graph.Give("process", long_call.Function());
//   graph.Start();
//   graph.Add("a", 0, 1);
//   long_call.WaitUntilStarted();
//   ...                        // the call goes on, and queues fill up
//   long_call.End();
//
// Thread rule: LongCall and Backlog are safe from any thread.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_QUEUE_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_QUEUE_TEST_SUPPORT_H_

#include <algorithm>
#include <atomic>
#include <string>
#include <tuple>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "gtest/gtest.h"

namespace syncline {

using AddMode = CalculatorGraph::GraphInputStreamAddMode;

// A call that lasts until it may end, and then sends the sum of its inputs.
class LongCall {
 public:
  TestFunction Function() {
    return [this](CalculatorContext* cc) {
      MutexLock lock(&mutex_);
      has_started_ = true;
      changed_.SignalAll();
      while (!may_end_) changed_.Wait(&mutex_);
      return cc->Outputs().NumEntries() > 0 ? SendSum(cc) : absl::OkStatus();
    };
  }
  void WaitUntilStarted() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (!has_started_) changed_.Wait(&mutex_);
  }
  void End() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    may_end_ = true;
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool has_started_ ABSL_GUARDED_BY(mutex_) = false;
  bool may_end_ ABSL_GUARDED_BY(mutex_) = false;
};

// How many packets are between who sends and who takes them.
class Backlog {
 public:
  void Send() { ++sent_; }
  // `source`, of which each call sends.
  TestFunction Sends(TestFunction source) {
    return [this, source = std::move(source)](CalculatorContext* cc) {
      Send();
      return source(cc);
    };
  }
  // Takes a packet with each call, and passes it on.
  TestFunction Takes() {
    return [this](CalculatorContext* cc) {
      most_ = std::max<int>(most_, sent_ - taken_);
      ++taken_;
      return SendSum(cc);
    };
  }
  int taken() const { return taken_; }
  // As a call to take one saw it.
  int most() const { return most_; }

 private:
  std::atomic<int> sent_{0};
  std::atomic<int> taken_{0};
  std::atomic<int> most_{0};
};

// A limit that allows for two packets, in one way or the other.
struct TwoPackets {
  const char* name;
  const char* settings;
};
inline constexpr TwoPackets kTwoPackets[] = {
    {"Packets", "max_queue_size: 2 "},
    {"PacketsAndBytes", "max_queue_bytes: 8 "},
    {"Bytes", "max_queue_size: -1 max_queue_bytes: 8 "},
};

class TwoPacketsTest
    : public ::testing::TestWithParam<std::tuple<Workers, TwoPackets>> {
 public:
  static std::string Name(const ::testing::TestParamInfo<ParamType>& info) {
    return absl::StrCat(std::get<0>(info.param).Name(), "In",
                        std::get<1>(info.param).name);
  }

 protected:
  static Workers workers() { return std::get<0>(GetParam()); }
  static std::string Graph(const std::string& text) {
    return std::get<1>(GetParam()).settings + text;
  }
};

}  // namespace syncline

#define SYNCLINE_TEST_WITH_TWO_PACKETS(suite)                           \
  INSTANTIATE_TEST_SUITE_P(                                             \
      Limits, suite,                                                    \
      ::testing::Combine(::testing::ValuesIn(::syncline::AllWorkers()), \
                         ::testing::ValuesIn(::syncline::kTwoPackets)), \
      ::syncline::TwoPacketsTest::Name)

#endif  // SYNCLINE_FRAMEWORK_GRAPH_QUEUE_TEST_SUPPORT_H_
