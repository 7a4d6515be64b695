// OutputTap: a reader of a stream that is not a node.
//
// Observers call the application back, pollers keep packets for it. Both see
// what nodes see: packets in order, then the bound.
//
// Thread rule: packets of a stream are delivered by one thread at a time.
// Bounds that are passed on without packets may come on several threads at
// once, and in any order. So a tap that observes bounds may be in Deliver on
// several threads. Tested by output_tap_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_OUTPUT_TAP_H_
#define SYNCLINE_FRAMEWORK_RUN_OUTPUT_TAP_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/calculator/packet_times.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/run/described_observer.h"

namespace syncline {

class OutputTap {
 public:
  explicit OutputTap(int stream) : stream_(stream) {}
  virtual ~OutputTap() = default;

  int stream() const { return stream_; }

  // A run starts, or is over.
  virtual void StartRun() = 0;
  virtual void EndRun() = 0;

  struct Facts {
    // +1: the queue behind the tap became full. 0: nothing has changed.
    int full_change = 0;
    // The application has seen something.
    bool has_seen = false;
    // The length of the queue behind the tap, if it has no limit and its length
    // deserves a warning; else 0.
    std::int64_t size_to_warn_of = 0;
    // That queue has become longer by a quarter or, while it is short, twice as
    // long as it ever was.
    bool has_grown = false;
    absl::Status status;
  };
  virtual Facts Deliver(absl::Span<const Packet> packets, Timestamp bound) = 0;
  // Called before Deliver, if the stream keeps message times: says when these
  // packets were made.
  virtual absl::Status DeliverTimes(absl::Span<const Packet> /*packets*/,
                                    absl::Span<const PacketTimes> /*times*/) {
    return absl::OkStatus();
  }

 private:
  const int stream_;
};

// Tells the application of packets.
class Observer : public OutputTap {
 public:
  using Callback = std::function<absl::Status(const Packet&)>;

  Observer(int stream, std::string stream_name, Callback callback);

  void StartRun() override { has_failed_ = false; }
  void EndRun() override {}
  Facts Deliver(absl::Span<const Packet> packets, Timestamp bound) override;

  // What the callback says that it is; null if it does not.
  const DescribedObserver* description() const {
    return callback_.target<DescribedObserver>();
  }

 private:
  absl::Status Call(const Packet& packet);

  // Constant.
  const std::string stream_name_;
  const Callback callback_;

  // Belongs to who delivers packets. After an error nothing more is told.
  bool has_failed_ = false;
};

// Tells it also what bounds say, by empty packets.
class BoundObserver : public Observer {
 public:
  // The meaning of the timestamp of an empty packet.
  enum class Tells {
    // The time up to which the stream is settled; the end is not told.
    kSettledTime,
    // The bound, if packets do not say it already; Done at the end.
    kBound,
  };

  // Told of a packet before the callback is, where its times are kept. It is
  // called by whoever sends the packet, one packet at a time.
  using TimesCallback =
      std::function<absl::Status(const Packet&, const PacketTimes&)>;

  BoundObserver(int stream, std::string stream_name, Callback callback,
                Tells tells = Tells::kSettledTime,
                TimesCallback times_callback = nullptr);

  void StartRun() override ABSL_LOCKS_EXCLUDED(mutex_);
  Facts Deliver(absl::Span<const Packet> packets, Timestamp bound) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status DeliverTimes(absl::Span<const Packet> packets,
                            absl::Span<const PacketTimes> times) override;

 private:
  // The timestamp of an empty packet that tells of this bound.
  Timestamp TimeOf(Timestamp bound) const;
  // The same for the bound that a packet at `timestamp` implies.
  Timestamp TimeAfter(Timestamp timestamp) const;

  const Tells tells_;
  const TimesCallback times_callback_;

  Mutex mutex_;
  // The packets that the callback has not been given yet. A thread that finds
  // no other thread in the callback calls it for all of them. So the callback
  // runs once at a time, in order and without the lock.
  std::vector<Packet> untold_ ABSL_GUARDED_BY(mutex_);
  bool is_telling_ ABSL_GUARDED_BY(mutex_) = false;
  // The latest time that the callback was told of, or is about to be.
  Timestamp last_ ABSL_GUARDED_BY(mutex_) = Timestamp::Unstarted();
  // Belongs to who is telling; its memory is used again.
  std::vector<Packet> telling_;
};

// The time up to which a stream with this bound is settled, for an observer of
// bounds. Unstarted if nothing is settled yet or the stream has ended.
Timestamp ObservedTime(Timestamp bound);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_OUTPUT_TAP_H_
