#include "examples/pedestrians/live_line.h"

#include <unistd.h>

#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"

namespace syncline {
namespace {

constexpr char kEraseLine[] = "\r\033[K";
constexpr absl::Duration kOnTerminal = absl::Milliseconds(500);
constexpr absl::Duration kElsewhere = absl::Seconds(10);

}  // namespace

std::string LiveText(const FrameCounts& before, const FrameCounts& now,
                     absl::Duration passed) {
  const double seconds = absl::ToDoubleSeconds(passed);
  return absl::StrFormat(
      "frame %d  %.1f fps  %d in flight  %d dropped  latency %.0f ms", now.out,
      seconds > 0 ? static_cast<double>(now.out - before.out) / seconds : 0,
      now.in_flight(), now.refused, absl::ToDoubleMilliseconds(now.latency));
}

LiveLine::LiveLine(const FrameLog* log)
    : log_(log), is_terminal_(isatty(STDERR_FILENO) != 0) {
  writer_ = std::thread([this] { Write(); });
}

LiveLine::~LiveLine() {
  {
    MutexLock lock(&mutex_);
    ended_ = true;
  }
  ended_cv_.Signal();
  writer_.join();
}

void LiveLine::Write() {
  const absl::Duration period = is_terminal_ ? kOnTerminal : kElsewhere;
  FrameCounts before = log_->counts();
  absl::Time last = absl::Now();
  while (true) {
    {
      MutexLock lock(&mutex_);
      while (!ended_ && !ended_cv_.WaitWithTimeout(&mutex_, period)) {
      }
      if (ended_) break;
    }
    const FrameCounts counts = log_->counts();
    const absl::Time now = absl::Now();
    const std::string text = LiveText(before, counts, now - last);
    std::cerr << (is_terminal_ ? absl::StrCat(kEraseLine, text)
                               : absl::StrCat(text, "\n"))
              << std::flush;
    before = counts;
    last = now;
  }
  if (is_terminal_) std::cerr << kEraseLine << std::flush;
}

}  // namespace syncline
