#include "tools/progress_line.h"

#include <unistd.h>

#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"

namespace syncline {
namespace {

constexpr absl::Duration kBetweenLines = absl::Milliseconds(500);
constexpr char kEraseLine[] = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(std::function<std::string()> text)
    : text_(std::move(text)) {
  if (isatty(STDERR_FILENO) == 0) return;
  try {
    writer_ = std::thread([this] { Write(); });
  } catch (const std::system_error&) {
    // The run can do without the line, and will say itself what it lacks.
  }
}

ProgressLine::~ProgressLine() {
  if (!writer_.joinable()) return;
  {
    MutexLock lock(&mutex_);
    ended_ = true;
  }
  ended_cv_.Signal();
  writer_.join();
}

void ProgressLine::Write() {
  const absl::Time start = absl::Now();
  bool is_written = false;
  while (true) {
    {
      MutexLock lock(&mutex_);
      while (!ended_ && !ended_cv_.WaitWithTimeout(&mutex_, kBetweenLines)) {
      }
      if (ended_) break;
    }
    const std::int64_t seconds = absl::ToInt64Seconds(absl::Now() - start);
    std::cerr << kEraseLine << absl::StrCat(seconds, " s, ", text_())
              << std::flush;
    is_written = true;
  }
  if (is_written) std::cerr << kEraseLine << std::flush;
}

}  // namespace syncline
