// PageLog: the last lines of the program's log, for a page to show.
//
// Thread rule: any thread.
// Tested by page_log_test.

#ifndef SYNCLINE_PAGES_LIVE_PAGE_LOG_H_
#define SYNCLINE_PAGES_LIVE_PAGE_LOG_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "glog/logging.h"

namespace syncline {

class PageLog : private google::LogSink {
 public:
  static constexpr std::size_t kMostLines = 400;
  static constexpr std::size_t kLongestLine = 2000;

  struct Line {
    // Counts up from 1.
    std::int64_t number = 0;
    // 'I', 'W', 'E' or 'F'.
    char severity = 'I';
    // "10:12:33", in the time zone of the machine.
    std::string time;
    // "file.cc:12"
    std::string place;
    std::string text;
  };

  PageLog() { google::AddLogSink(this); }
  ~PageLog() override { google::RemoveLogSink(this); }
  PageLog(const PageLog&) = delete;
  PageLog& operator=(const PageLog&) = delete;

  // Those behind number `since`, the oldest first: as many as there are.
  std::vector<Line> Since(std::int64_t since) const ABSL_LOCKS_EXCLUDED(mutex_);
  // The number of the last line; 0: there was none.
  std::int64_t last() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return last_;
  }

 private:
  // Called by the log, with its lock held, on the thread that logs.
  void send(google::LogSeverity severity, const char* full_name,
            const char* base_name, int line, const struct ::tm* time,
            const char* message, std::size_t size) override
      ABSL_LOCKS_EXCLUDED(mutex_);

  mutable Mutex mutex_;
  std::deque<Line> lines_ ABSL_GUARDED_BY(mutex_);
  std::int64_t last_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_PAGE_LOG_H_
