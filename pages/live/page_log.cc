#include "pages/live/page_log.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace syncline {

void PageLog::send(google::LogSeverity severity, const char* /*full_name*/,
                   const char* base_name, int line, const struct ::tm* time,
                   const char* message, std::size_t size) {
  Line entry;
  entry.severity = "IWEF"[std::clamp<int>(severity, 0, 3)];
  entry.time = absl::StrFormat("%02d:%02d:%02d", time->tm_hour, time->tm_min,
                               time->tm_sec);
  entry.place = absl::StrCat(base_name, ":", line);
  entry.text.assign(message, std::min(size, kLongestLine));
  if (size > kLongestLine) absl::StrAppend(&entry.text, " ...");
  Line dropped;
  MutexLock lock(&mutex_);
  entry.number = ++last_;
  lines_.push_back(std::move(entry));
  if (lines_.size() <= kMostLines) return;
  dropped = std::move(lines_.front());
  lines_.pop_front();
}

std::vector<PageLog::Line> PageLog::Since(std::int64_t since) const {
  std::vector<Line> lines;
  MutexLock lock(&mutex_);
  for (const Line& line : lines_) {
    if (line.number > since) lines.push_back(line);
  }
  return lines;
}

}  // namespace syncline
