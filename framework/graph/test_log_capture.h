// LogCapture: what goes to the log while it lives, for tests.
//
// Thread rule: any thread.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEST_LOG_CAPTURE_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEST_LOG_CAPTURE_H_

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "glog/logging.h"

namespace syncline {

class LogCapture : public google::LogSink {
 public:
  LogCapture() { google::AddLogSink(this); }
  ~LogCapture() override { google::RemoveLogSink(this); }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  void send(google::LogSeverity, const char*, const char*, int,
            const struct ::tm*, const char* message, size_t length) override {
    MutexLock lock(&mutex_);
    messages_.emplace_back(message, length);
    changed_.SignalAll();
  }

  // Those that contain `part`.
  std::vector<std::string> With(const std::string& part) const {
    MutexLock lock(&mutex_);
    return Found(part);
  }
  // Waits until there are so many; false after a minute without.
  bool WaitFor(size_t count, const std::string& part) {
    constexpr absl::Duration kPatience = absl::Minutes(1);
    MutexLock lock(&mutex_);
    while (Found(part).size() < count) {
      if (changed_.WaitWithTimeout(&mutex_, kPatience)) return false;
    }
    return true;
  }

 private:
  std::vector<std::string> Found(const std::string& part) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    std::vector<std::string> found;
    for (const std::string& message : messages_) {
      if (message.find(part) != std::string::npos) found.push_back(message);
    }
    return found;
  }

  mutable Mutex mutex_;
  CondVar changed_;
  std::vector<std::string> messages_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEST_LOG_CAPTURE_H_
