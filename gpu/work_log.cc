#include "gpu/work_log.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/mutex.h"

namespace syncline::gpu {

WorkLog::Entry* WorkLog::AddStream(absl::string_view name) {
  MutexLock lock(&mutex_);
  Entry& added = entries_.emplace_back();
  added.stream = std::string(name);
  return &added;
}

void WorkLog::EndStream(Entry* stream) {
  MutexLock lock(&mutex_);
  stream->has_ended = true;
  auto oldest = entries_.end();
  int num_ended = 0;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->has_ended) continue;
    ++num_ended;
    if (oldest == entries_.end() || entry->number < oldest->number) {
      oldest = entry;
    }
  }
  // One that had no work says nothing.
  if (num_ended > kMostStreams || oldest->number == 0) entries_.erase(oldest);
}

void WorkLog::Note(Entry* stream, const char* work, const WorkOwner& owner) {
  MutexLock lock(&mutex_);
  stream->work = work;
  stream->owner = owner;
  stream->number = ++last_number_;
}

std::string WorkLog::ToText() const {
  MutexLock lock(&mutex_);
  std::vector<const Entry*> newest;
  for (const Entry& entry : entries_) {
    if (entry.number > 0) newest.push_back(&entry);
  }
  std::sort(newest.begin(), newest.end(), [](const Entry* a, const Entry* b) {
    return a->number > b->number;
  });
  if (newest.size() > kMostStreams) newest.resize(kMostStreams);
  return absl::StrJoin(newest, ", ", [](std::string* text, const Entry* entry) {
    absl::StrAppend(text, "\"", entry->work, "\" of ", entry->owner.ToText(),
                    " on stream \"", entry->stream, "\"");
  });
}

int WorkLog::num_streams() const {
  MutexLock lock(&mutex_);
  return static_cast<int>(entries_.size());
}

}  // namespace syncline::gpu
