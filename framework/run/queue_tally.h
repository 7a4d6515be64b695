// QueueTally: what all queues of a run hold together, added up queue by queue.
//
// All readers of a stream have the same packets, so for each stream only the
// reader with the most bytes counts. Packets that a graph input holds back are
// in no reader's queue yet, and are added.
//
// Thread rule: a value.
// Tested by queue_tally_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_QUEUE_TALLY_H_
#define SYNCLINE_FRAMEWORK_RUN_QUEUE_TALLY_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "framework/run/long_queues.h"
#include "framework/stream/queue_watch.h"

namespace syncline {

class QueueTally {
 public:
  // One of the queues, for a message.
  struct Queue {
    QueueUse use;
    int stream = -1;
    std::string where;
  };

  // Starts with nothing. Passes on to `long_queues`, which is borrowed, what it
  // finds.
  QueueTally(size_t num_streams, LongQueues* long_queues)
      : long_queues_(long_queues), most_(num_streams) {
    long_queues_->ForgetBytes();
  }

  // The queue of one who reads `stream`.
  void AddReader(LongQueues::Key key, const QueueUse& use, int stream,
                 std::string where) {
    const std::int64_t bytes = TotalBytes(use);
    if (bytes <= most_[stream]) return;
    Add(key, bytes - std::exchange(most_[stream], bytes),
        {use, stream, std::move(where)});
  }
  // What a graph input holds back. REQUIRES: once for each input.
  void AddInput(LongQueues::Key key, const QueueUse& use, int stream,
                std::string where) {
    Add(key, TotalBytes(use), {use, stream, std::move(where)});
  }

  std::int64_t total() const { return total_; }
  // The queue with the most bytes; the first one of several.
  const Queue& largest() const { return largest_; }

 private:
  void Add(LongQueues::Key key, std::int64_t more, Queue queue) {
    long_queues_->Note(key, more);
    total_ += more;
    if (TotalBytes(queue.use) > TotalBytes(largest_.use)) {
      largest_ = std::move(queue);
    }
  }

  LongQueues* const long_queues_;
  std::vector<std::int64_t> most_;  // by stream
  std::int64_t total_ = 0;
  Queue largest_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_QUEUE_TALLY_H_
