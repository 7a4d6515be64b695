// TimerQueue: which key waits for which time.
//
// A key waits for one time at most: setting another time replaces it. Setting
// and taking take time logarithmic in the number of keys that wait. A key that
// is a number is found at once; other keys, such as pointers, are searched for
// one by one, so there should be few of them.
//
// Thread rule: the owner has a lock for it. A queue calls nobody.
// Tested by timer_queue_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_TIMER_QUEUE_H_
#define SYNCLINE_FRAMEWORK_BASE_TIMER_QUEUE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace syncline {

template <typename Key>
class TimerQueue {
 public:
  static constexpr std::int64_t kNone =
      std::numeric_limits<std::int64_t>::max();

  TimerQueue() requires(!std::is_integral_v<Key>) = default;
  // For keys from 0 to `num_keys` - 1.
  explicit TimerQueue(int num_keys) requires(std::is_integral_v<Key>)
      : places_(num_keys, -1) {}

  bool empty() const { return heap_.empty(); }

  void Set(Key key, std::int64_t target_ns) {
    int place = PlaceOf(key);
    if (place < 0) {
      place = static_cast<int>(heap_.size());
      heap_.emplace_back();
    }
    Sift(place, {target_ns, key});
  }
  // Does nothing if `key` waits for an earlier time already.
  void SetEarlier(Key key, std::int64_t target_ns) {
    const int place = PlaceOf(key);
    if (place < 0 || target_ns < heap_[place].target_ns) Set(key, target_ns);
  }
  void Remove(Key key) {
    const int place = PlaceOf(key);
    if (place >= 0) RemoveAt(place);
  }

  // The earliest time, or kNone.
  std::int64_t Next() const {
    return heap_.empty() ? kNone : heap_.front().target_ns;
  }
  // The key that waits for it. REQUIRES: !empty().
  Key NextKey() const { return heap_.front().key; }
  // Removes the key that waits for the earliest time, and gives it to `key`; of
  // equal times, the smaller key. False if that time is after `now_ns`, or if
  // none waits.
  bool TakeDue(std::int64_t now_ns, Key* key) {
    if (heap_.empty() || heap_.front().target_ns > now_ns) return false;
    *key = heap_.front().key;
    RemoveAt(0);
    return true;
  }

 private:
  static constexpr int kBelow = 4;

  struct Entry {
    std::int64_t target_ns = 0;
    Key key{};

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  // The place in the heap; -1 if the key waits for nothing.
  int PlaceOf(Key key) const {
    if constexpr (std::is_integral_v<Key>) {
      return places_[key];
    } else {
      const auto found =
          std::find_if(heap_.begin(), heap_.end(),
                       [&](const Entry& entry) { return entry.key == key; });
      return found == heap_.end() ? -1
                                  : static_cast<int>(found - heap_.begin());
    }
  }
  void NotePlace(Key key, int place) {
    if constexpr (std::is_integral_v<Key>) places_[key] = place;
  }
  void Put(int place, Entry entry) {
    heap_[place] = entry;
    NotePlace(entry.key, place);
  }
  void RemoveAt(int place) {
    NotePlace(heap_[place].key, -1);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place < static_cast<int>(heap_.size())) Sift(place, last);
  }
  // Puts the entry where it belongs, starting from a free `place`.
  void Sift(int place, Entry entry) {
    while (place > 0 && entry < heap_[(place - 1) / kBelow]) {
      Put(place, heap_[(place - 1) / kBelow]);
      place = (place - 1) / kBelow;
    }
    const int size = static_cast<int>(heap_.size());
    for (;;) {
      const int first = kBelow * place + 1;
      if (first >= size) break;
      const auto begin = heap_.begin() + first;
      const auto earliest =
          std::min_element(begin, begin + std::min(kBelow, size - first));
      if (!(*earliest < entry)) break;
      Put(place, *earliest);
      place = static_cast<int>(earliest - heap_.begin());
    }
    Put(place, entry);
  }

  // A heap in which each entry has four below it, which lie together: no entry
  // is before the one at a quarter of its place.
  std::vector<Entry> heap_;
  // By key, -1: none. Empty where keys are no numbers.
  std::vector<int> places_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_TIMER_QUEUE_H_
