// PacketPeek: the last packets of streams that somebody looks at, such as a
// page that shows a run.
//
// Streams cannot be observed once a run has started, and who looks wants a
// packet now and then, not each. So whoever looks asks for the next packet of a
// stream, and whoever sends one while the run is traced puts it here. A packet
// that nobody asked for costs an atomic load; there is room for one packet of
// a stream. A reader that takes the value out of a packet gets it as if nobody
// looked (packet/packet_looks.h).
//
// Thread rule: any thread.
// Tested by packet_peek_test and trace_graph_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_PACKET_PEEK_H_
#define SYNCLINE_FRAMEWORK_STREAM_PACKET_PEEK_H_

#include <atomic>
#include <map>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_looks.h"

namespace syncline {

class PacketPeek : public PacketKeeper {
 public:
  explicit PacketPeek(int num_streams) : is_asked_(num_streams) {}
  ~PacketPeek() override {
    if (is_keeper_) RemovePacketKeeper(this);
  }
  PacketPeek(const PacketPeek&) = delete;
  PacketPeek& operator=(const PacketPeek&) = delete;

  // --- Who sends

  // These packets go to the readers of the stream.
  void See(int stream, absl::Span<const Packet> packets) {
    if (ABSL_PREDICT_FALSE(is_asked_[stream].load(std::memory_order_relaxed))) {
      if (!packets.empty()) Keep(stream, packets.back());
    }
  }

  // --- Who looks

  // The packet that was kept since this was asked last, or an empty one; the
  // next packet of the stream will be kept. REQUIRES: the thread has a
  // PacketLook, for as long as it has the packet, unless it wants to be in the
  // way of readers that consume.
  Packet Look(int stream) ABSL_LOCKS_EXCLUDED(mutex_);
  // Nothing is kept of the stream any more.
  void StopLooking(int stream) ABSL_LOCKS_EXCLUDED(mutex_);

  void LetGo(const Packet& packet) override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Keep(int stream, const Packet& packet) ABSL_LOCKS_EXCLUDED(mutex_);

  // Somebody has looked.
  std::atomic<bool> is_keeper_{false};
  // By stream.
  std::vector<std::atomic<bool>> is_asked_;
  Mutex mutex_;
  std::map<int, Packet> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_STREAM_PACKET_PEEK_H_
