#include "tools/trace/event_lines.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "framework/condition/condition_result.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "tools/exit_status.h"

namespace syncline {
namespace {

constexpr std::size_t kPieceSize = 1 << 16;

std::string NodeText(const Trace& trace, std::uint32_t node) {
  if (node == TraceEvent::kNoNode) return "no node";
  return absl::StrCat(
      "node \"", ShownName(trace.header.node(static_cast<int>(node)).name()),
      "\"");
}

std::string StreamText(const Trace& trace, std::uint32_t stream) {
  return absl::StrCat(
      "stream \"",
      ShownName(trace.header.stream(static_cast<int>(stream)).name()), "\"");
}

std::string DropText(const Trace& trace, std::uint32_t extra) {
  const std::uint32_t cause = extra >> TraceEvent::kIdBits;
  return absl::StrCat(
      " of ", NodeText(trace, extra & TraceEvent::kNoNode), ": ",
      cause < kNumDropCauses ? DropCauseText(static_cast<DropCause>(cause))
                             : absl::string_view("dropped"));
}

absl::string_view ReadyText(std::uint32_t extra) {
  return extra == 1 ? " for Open" : extra == 2 ? " for Close" : " for Process";
}

std::string ConditionText(const TraceEvent& event) {
  std::string text =
      event.extra <= static_cast<std::uint32_t>(ConditionState::kNever)
          ? absl::StrCat(" ", ConditionStateName(
                                  static_cast<ConditionState>(event.extra)))
          : absl::StrCat(" state ", event.extra);
  if (event.timestamp != std::numeric_limits<std::int64_t>::min()) {
    absl::StrAppend(&text, " until ", event.timestamp, " ns");
  }
  return text;
}

// " at 20"; nothing if the timestamp is unset.
std::string AtText(std::int64_t value) {
  const Timestamp timestamp = Timestamp::CreateNoErrorChecking(value);
  return timestamp == Timestamp::Unset()
             ? ""
             : absl::StrCat(" at ", timestamp.DebugString());
}

// What the event is about, after its kind.
std::string SubjectText(const Trace& trace, const TraceEvent& event) {
  const std::uint32_t id = event.id();
  const std::string at = AtText(event.timestamp);
  switch (event.kind()) {
    case TraceKind::kOpenBegin:
    case TraceKind::kCloseBegin:
    case TraceKind::kResults:
    case TraceKind::kNotReady:
      return NodeText(trace, id) + at;
    case TraceKind::kProcessBegin:
      return absl::StrCat(NodeText(trace, id), at,
                          event.extra > 1
                              ? absl::StrCat(", ", event.extra, " input sets")
                              : "");
    case TraceKind::kOpenEnd:
    case TraceKind::kProcessEnd:
    case TraceKind::kCloseEnd:
      return absl::StrCat(
          NodeText(trace, id), at,
          event.extra == 0
              ? ""
              : absl::StrCat(", error ",
                             absl::StatusCodeToString(
                                 static_cast<absl::StatusCode>(event.extra))));
    case TraceKind::kReady:
      return absl::StrCat(NodeText(trace, id), at, ReadyText(event.extra));
    case TraceKind::kSent:
    case TraceKind::kBound:
      return StreamText(trace, id) + at;
    case TraceKind::kTaken:
      return absl::StrCat(StreamText(trace, id), at, " port ", event.extra);
    case TraceKind::kDropped:
      return absl::StrCat(StreamText(trace, id), at,
                          DropText(trace, event.extra));
    case TraceKind::kQueueFull:
    case TraceKind::kQueueNotFull:
      return absl::StrCat(StreamText(trace, id), " of ",
                          NodeText(trace, event.extra & TraceEvent::kNoNode));
    case TraceKind::kThrottled:
    case TraceKind::kUnthrottled:
      return id == TraceEvent::kNoNode ? StreamText(trace, event.extra)
                                       : NodeText(trace, id);
    case TraceKind::kCondition:
      return NodeText(trace, id) + ConditionText(event);
    case TraceKind::kTimer:
      return NodeText(trace, id);
    case TraceKind::kThreadIn:
    case TraceKind::kThreadOut:
      return absl::StrCat("executor ", id);
    case TraceKind::kDeviceBegin:
    case TraceKind::kDeviceEnd:
      return absl::StrCat(NodeText(trace, id), at, " device stream ",
                          event.extra);
    case TraceKind::kNone:
      break;
  }
  return absl::StrCat(id, at, " ", event.extra);
}

}  // namespace

std::string TraceKindName(TraceKind kind) {
  switch (kind) {
    case TraceKind::kNone:
      return "NONE";
    case TraceKind::kOpenBegin:
      return "OPEN_BEGIN";
    case TraceKind::kOpenEnd:
      return "OPEN_END";
    case TraceKind::kProcessBegin:
      return "PROCESS_BEGIN";
    case TraceKind::kProcessEnd:
      return "PROCESS_END";
    case TraceKind::kCloseBegin:
      return "CLOSE_BEGIN";
    case TraceKind::kCloseEnd:
      return "CLOSE_END";
    case TraceKind::kResults:
      return "RESULTS";
    case TraceKind::kReady:
      return "READY";
    case TraceKind::kNotReady:
      return "NOT_READY";
    case TraceKind::kSent:
      return "SENT";
    case TraceKind::kTaken:
      return "TAKEN";
    case TraceKind::kDropped:
      return "DROPPED";
    case TraceKind::kBound:
      return "BOUND";
    case TraceKind::kQueueFull:
      return "QUEUE_FULL";
    case TraceKind::kQueueNotFull:
      return "QUEUE_NOT_FULL";
    case TraceKind::kThrottled:
      return "THROTTLED";
    case TraceKind::kUnthrottled:
      return "UNTHROTTLED";
    case TraceKind::kCondition:
      return "CONDITION";
    case TraceKind::kTimer:
      return "TIMER";
    case TraceKind::kThreadIn:
      return "THREAD_IN";
    case TraceKind::kThreadOut:
      return "THREAD_OUT";
    case TraceKind::kDeviceBegin:
      return "DEVICE_BEGIN";
    case TraceKind::kDeviceEnd:
      return "DEVICE_END";
  }
  return absl::StrCat("KIND_", static_cast<int>(kind));
}

std::string EventLine(const Trace& trace, int thread, const TraceEvent& event) {
  const std::int64_t start =
      trace.clock_points.empty() ? 0 : trace.clock_points.front().steady_ns;
  const std::string& name = trace.threads[thread].name;
  return absl::StrFormat(
      "%12.3f us  thread %d%s  %s %s\n",
      static_cast<double>(trace.Ns(event.tick) - start) / 1000, thread,
      name.empty() ? "" : absl::StrCat(" (", ShownName(name), ")"),
      TraceKindName(event.kind()), SubjectText(trace, event));
}

absl::Status WriteEventLines(
    const Trace& trace,
    absl::FunctionRef<absl::Status(absl::string_view piece)> write) {
  std::string piece;
  absl::Status status;
  ForEachEvent(trace, [&](int thread, const TraceEvent& event) {
    if (!status.ok()) return;
    piece += EventLine(trace, thread, event);
    if (piece.size() < kPieceSize) return;
    status = write(piece);
    piece.clear();
  });
  if (status.ok() && !piece.empty()) status = write(piece);
  return status;
}

}  // namespace syncline
