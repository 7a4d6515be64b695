// TraceEvent: one thing that happened in a run of a graph, in 24 bytes.
//
// The threads of a run note events in the order in which things happen to them.
// Of a call, a thread notes
//
//   kOpenBegin, kProcessBegin or kCloseBegin     the call begins
//     kTaken, one for each packet that it gets
//     ... whatever the calculator does
//   kOpenEnd, kProcessEnd or kCloseEnd           the call has returned
//     kSent and kBound, for what the call sent
//
// Calls of one thread nest: a calculator may run a graph of its own. What
// follows an end of a call is what this call sent, up to the thread's next
// begin. Where results are sent later or by another thread, as where calls of a
// node overlap, kResults says whose they are.
//
// A packet is known by its stream and its timestamp, since a stream has at most
// one packet at a time.
//
// Thread rule: a value.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_EVENT_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_EVENT_H_

#include <cstdint>

namespace syncline {

// The numbers are those of trace files: none is given another meaning.
enum class TraceKind : std::uint8_t {
  // No event.
  kNone = 0,

  // --- Calls. `id`: the node; `timestamp`: the input timestamp.
  kOpenBegin = 1,
  // `extra`: 0, or the code of the status that the call returned.
  kOpenEnd = 2,
  // `extra`: how many input sets the call takes, if it is a batch.
  kProcessBegin = 3,
  kProcessEnd = 4,
  kCloseBegin = 5,
  kCloseEnd = 6,
  // The results of this call are sent from here on.
  kResults = 7,
  // A call that could begin now waits for a thread. Left out where the thread
  // that made it ready begins it at once. `extra`: 0 Process, 1 Open,
  // 2 Close. The timestamp is unset (the least number) for a source, for Open
  // and Close, and where the inputs are chosen when the call begins.
  kReady = 8,
  // Something arrived at the node, and no call can begin. Runs do not note it;
  // MediaPipe's files have it.
  kNotReady = 9,
  // 10 and 11 are packed events (trace_packing.h), which no reader of a trace
  // sees.

  // --- Packets. `id`: the stream; `timestamp`: that of the packet.
  // By the call whose results these are; of an input of the graph, by the
  // application.
  kSent = 16,
  // By the call that has begun. `extra`: the port of its node.
  kTaken = 17,
  // A queue has given the packet up without a call. `extra`: the node in the
  // lower 24 bits, the DropCause in the upper 8.
  kDropped = 18,
  // No packet before `timestamp` comes any more. For what a call sent, as
  // kSent; also without a call.
  kBound = 19,

  // --- Queues. `id`: the stream.
  // `extra`: the node that has the queue, or kNoNode for a poller.
  kQueueFull = 24,
  kQueueNotFull = 25,

  // --- Sources. `id`: the node, or kNoNode for an input of the graph; then
  // `extra` is its stream.
  kThrottled = 32,
  kUnthrottled = 33,

  // --- Conditions and time. `id`: the node.
  // `extra`: the ConditionState; `timestamp`: the time that is waited for, in
  // ns of the graph's clock, if there is one, else the least number.
  kCondition = 40,
  // The time has come that the node waited for.
  kTimer = 41,

  // --- Threads. `id`: the executor.
  // The thread was woken, or asked, to run what waits.
  kThreadIn = 48,
  kThreadOut = 49,

  // --- Devices. `id`: the node; `timestamp`: the input timestamp; `extra`: the
  // stream of the device.
  kDeviceBegin = 56,
  kDeviceEnd = 57,
};

struct TraceEvent {
  // In place of a node.
  static constexpr std::uint32_t kNoNode = 0xffffff;
  // `id` has so many bits.
  static constexpr int kIdBits = 24;

  static constexpr std::uint32_t KindAndId(TraceKind kind, std::uint32_t id) {
    return static_cast<std::uint32_t>(kind) << kIdBits | (id & kNoNode);
  }

  TraceKind kind() const {
    return static_cast<TraceKind>(kind_and_id >> kIdBits);
  }
  std::uint32_t id() const { return kind_and_id & kNoNode; }

  // When, in the ticks of the trace's clock.
  std::uint64_t tick = 0;
  // The value of a Timestamp, in microseconds.
  std::int64_t timestamp = 0;
  std::uint32_t kind_and_id = 0;
  std::uint32_t extra = 0;
};
static_assert(sizeof(TraceEvent) == 24);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_EVENT_H_
