#include "framework/trace/convert/profile_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "framework/trace/sum_in_range.h"

namespace syncline {
namespace {

// The begin of the call that `end` ends; kNone if it is no end.
TraceKind BeginOf(TraceKind end) {
  switch (end) {
    case TraceKind::kOpenEnd:
      return TraceKind::kOpenBegin;
    case TraceKind::kProcessEnd:
      return TraceKind::kProcessBegin;
    case TraceKind::kCloseEnd:
      return TraceKind::kCloseBegin;
    default:
      return TraceKind::kNone;
  }
}

GraphTrace::EventType TypeOfCall(TraceKind begin) {
  return begin == TraceKind::kOpenBegin    ? GraphTrace::OPEN
         : begin == TraceKind::kCloseBegin ? GraphTrace::CLOSE
                                           : GraphTrace::PROCESS;
}

}  // namespace

ProfileRecordPtr ProfileCalls::NewRecord(const ProfileCall& call,
                                         const ProfileThread& thread) {
  ProfileRecordPtr record =
      records_.New(TypeOfCall(call.begin_kind), call.node, thread.number);
  if (call.begin_kind == TraceKind::kProcessBegin) {
    record->event.set_input_timestamp(call.timestamp);
  }
  return record;
}

void ProfileCalls::Begin(const TraceEvent& event, std::int64_t us,
                         ProfileThread* thread) {
  ProfileCall call;
  call.begin_kind = event.kind();
  call.node = static_cast<std::int32_t>(event.id());
  call.timestamp = event.timestamp;
  call.begin_us = us;
  call.record = NewRecord(call, *thread);
  call.record->event.set_start_time(us);
  call.record->time_us = us;
  thread->open.push_back(std::move(call));
  thread->sender = nullptr;
}

void ProfileCalls::End(const TraceEvent& event, std::int64_t us,
                       ProfileThread* thread) {
  const TraceKind begin_kind = BeginOf(event.kind());
  auto found = thread->open.rbegin();
  while (found != thread->open.rend() &&
         (found->node != static_cast<std::int32_t>(event.id()) ||
          found->begin_kind != begin_kind)) {
    ++found;
  }
  ProfileCall call;
  if (found == thread->open.rend()) {
    call.begin_kind = begin_kind;
    call.node = static_cast<std::int32_t>(event.id());
    call.timestamp = event.timestamp;
    call.begin_us = us;
    call.begin_is_known = false;
    call.record = NewRecord(call, *thread);
    call.record->time_us = us;
  } else {
    // The ends of calls within this one are missing.
    const auto position = std::prev(found.base());
    std::for_each(std::next(position), thread->open.end(),
                  [this](const ProfileCall& inner) { GiveUpCall(inner); });
    call = std::move(*position);
    thread->open.erase(position, thread->open.end());
    Count(call, us);
  }
  if (options_.instant_events && call.begin_is_known) {
    if (!call.has_start) records_.Keep(call.record);
    call.record = NewRecord(call, *thread);
    call.record->time_us = us;
  }
  call.record->event.set_finish_time(us);
  records_.Keep(call.record);
  NoteEnd(call, us, thread);
}

void ProfileCalls::NoteEnd(const ProfileCall& call, std::int64_t us,
                           ProfileThread* thread) {
  thread->sender = call.record;
  thread->sender_origin_us = call.origin_us.value_or(call.begin_us);
  if (call.begin_kind != TraceKind::kProcessBegin) return;
  // No part takes a record that is left out.
  ended_.Add(call.node,
             {call.timestamp, us, thread->sender_origin_us,
              records_.Has(GraphTrace::PROCESS) ? call.record : nullptr});
}

void ProfileCalls::Count(const ProfileCall& call, std::int64_t end_us) {
  NodeProfile& profile = profiles_.Of(call.node);
  const std::int64_t runtime =
      std::max<std::int64_t>(end_us - call.begin_us, 0);
  if (call.begin_kind == TraceKind::kOpenBegin) {
    profile.open_us = SumInRange(profile.open_us, runtime);
  } else if (call.begin_kind == TraceKind::kCloseBegin) {
    profile.close_us = SumInRange(profile.close_us, runtime);
  } else {
    profile.process.Add(runtime, options_);
    if (!call.origin_us.has_value()) return;
    // An origin that is a timestamp may be any number.
    profile.input_latency.Add(DifferenceInRange(call.begin_us, *call.origin_us),
                              options_);
    profile.output_latency.Add(DifferenceInRange(end_us, *call.origin_us),
                               options_);
  }
}

void ProfileCalls::GiveUp(ProfileThread* thread) {
  for (const ProfileCall& call : thread->open) GiveUpCall(call);
  thread->open.clear();
  thread->sender = nullptr;
}

void ProfileCalls::GiveUpCall(const ProfileCall& call) {
  if (!options_.instant_events || !call.has_start) records_.Keep(call.record);
}

void ProfileCalls::FindSender(const TraceEvent& event, std::int64_t us,
                              ProfileThread* thread) {
  const auto node = static_cast<std::int32_t>(event.id());
  const EndedCall* const ended = ended_.FindForResults(node, event.timestamp);
  thread->sender_origin_us = ended == nullptr ? us : ended->origin_us;
  if (ended != nullptr && ended->record != nullptr) {
    thread->sender = ended->record;
    return;
  }
  // An earlier part has the call, or its end is lost.
  ProfileCall call;
  call.begin_kind = TraceKind::kProcessBegin;
  call.node = node;
  call.timestamp = event.timestamp;
  thread->sender = NewRecord(call, *thread);
  thread->sender->event.set_finish_time(ended == nullptr ? us
                                                         : ended->finish_us);
  thread->sender->is_taken = true;
}

}  // namespace syncline
