// AccessHistory: who used a buffer last, and so whom the next one has to wait
// for.
//
//   the next one reads     waits for the last write
//   the next one writes    waits for the last write and all reads since
//
// Thread rule: one thread at a time.
// Tested by access_history_test.

#ifndef SYNCLINE_GPU_ACCESS_HISTORY_H_
#define SYNCLINE_GPU_ACCESS_HISTORY_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "gpu/access_order.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {

class StreamCore;

struct AccessNote {
  WorkPosition at;
  bool writes = false;
  // Whose number `at` is.
  std::shared_ptr<StreamCore> stream;
  WorkOwner owner;
  // The name of a kernel, or "copy", ...; a constant.
  const char* work = "";
};

class AccessHistory {
 public:
  // Whether work at a position is ordered before the access in question.
  using IsOrdered = absl::FunctionRef<bool(WorkPosition)>;

  // An access that is not ordered before one that reads, or writes; null if all
  // are.
  const AccessNote* FirstUnordered(bool writes, IsOrdered is_ordered) const {
    for (const AccessNote& note : notes_) {
      if ((writes || note.writes) && !is_ordered(note.at)) return &note;
    }
    return nullptr;
  }

  // Notes an access. What a write is ordered after is forgotten.
  void Add(AccessNote note, IsOrdered is_ordered) {
    std::erase_if(notes_, [&](const AccessNote& old) {
      if (note.writes) return is_ordered(old.at);
      // A stream that ended may note late, when its id is another's.
      return !old.writes && old.at.stream == note.at.stream &&
             old.at.number <= note.at.number;
    });
    notes_.push_back(std::move(note));
  }

  // The last write, and the reads since, one for each stream.
  const std::vector<AccessNote>& notes() const { return notes_; }
  std::vector<AccessNote> TakeNotes() { return std::exchange(notes_, {}); }

 private:
  // Without checks there can be several writes.
  std::vector<AccessNote> notes_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_ACCESS_HISTORY_H_
