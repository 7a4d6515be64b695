// OutputStreamPoller: the packets of one stream, for the application to read.
//
//   absl::StatusOr<OutputStreamPoller> poller =
//       graph.AddOutputStreamPoller("out");
//   ... StartRun ...
//   Packet packet;
//   while (poller->Next(&packet)) Show(packet.Get<Image>());
//
// Packets that are not read wait in a queue. The queue has no limit unless
// SetMaxQueueSize or SetMaxQueueBytes gives it one. When it reaches its limit,
// the sources that can fill it pause until the application reads. A poller that
// is destroyed holds nothing back, and nothing is kept for it any more.
//
// Thread rule: any thread; which of several readers gets a packet is open.
// Tested by output_stream_poller_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_OUTPUT_STREAM_POLLER_H_
#define SYNCLINE_FRAMEWORK_RUN_OUTPUT_STREAM_POLLER_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/packet/packet.h"

namespace syncline {

class PollerQueue;

class OutputStreamPoller {
 public:
  // The result of NextWithin.
  enum class Result {
    kPacket,
    // The stream has ended, or the run has, or there is no graph any more.
    kEnd,
    kTimeout,
  };

  // Made by CalculatorGraph::AddOutputStreamPoller.
  explicit OutputStreamPoller(std::shared_ptr<PollerQueue> queue)
      : queue_(std::move(queue)) {}
  ~OutputStreamPoller() { LetGo(); }
  OutputStreamPoller(const OutputStreamPoller&) = delete;
  OutputStreamPoller& operator=(const OutputStreamPoller&) = delete;
  OutputStreamPoller(OutputStreamPoller&&) = default;
  OutputStreamPoller& operator=(OutputStreamPoller&& other) noexcept {
    if (this == &other) return *this;
    LetGo();
    queue_ = std::move(other.queue_);
    return *this;
  }

  // Waits for the next packet. False at the end, after all packets have been
  // read. A poller that observes bounds also gets empty packets, at timestamps
  // up to which the stream is settled. Inside of the run, as in an observer,
  // Next does not wait: it returns false also where there is no packet yet.
  bool Next(Packet* packet);
  // The same, for at most `timeout`.
  Result NextWithin(absl::Duration timeout, Packet* packet);

  // Drops what waits.
  void Reset();
  // At least -1, which means no limit; others are ignored with a warning.
  void SetMaxQueueSize(int queue_size);
  // A limit in bytes, beside that; the same goes for it. With 0 the sources
  // pause for good, as nothing is ever less.
  void SetMaxQueueBytes(std::int64_t bytes);
  int QueueSize() const;

 private:
  // Gives the queue up, if there is one: nobody will read it any more.
  void LetGo();

  std::shared_ptr<PollerQueue> queue_;
};

// What CalculatorGraph::AddOutputStreamPoller gives, by the name that ported
// programs use.
using StatusOrPoller = absl::StatusOr<OutputStreamPoller>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_OUTPUT_STREAM_POLLER_H_
