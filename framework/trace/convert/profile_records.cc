#include "framework/trace/convert/profile_records.h"

#include <algorithm>

namespace syncline {
namespace {

// In MediaPipe's ring each of these is an event of its own.
std::int64_t EventsOf(const GraphTrace::CalculatorTrace& event) {
  const std::int64_t starts =
      event.has_start_time() ? std::max(1, event.input_trace_size()) : 0;
  const std::int64_t finishes =
      event.has_finish_time() ? std::max(1, event.output_trace_size()) : 0;
  return std::max<std::int64_t>(1, starts + finishes);
}

std::int64_t LastUs(const ProfileRecord& record) {
  return record.event.has_finish_time() ? record.event.finish_time()
                                        : record.time_us;
}

}  // namespace

ProfileRecordPtr ProfileRecords::New(GraphTrace::EventType type,
                                     std::int32_t node, int thread) {
  auto record = std::make_shared<ProfileRecord>();
  record->number = ++num_records_;
  record->event.set_node_id(node);
  record->event.set_event_type(type);
  record->event.set_thread_id(thread);
  return record;
}

ProfileRecordPtr ProfileRecords::NewInstant(GraphTrace::EventType type,
                                            std::int32_t node, std::int64_t us,
                                            int thread) {
  ProfileRecordPtr record = New(type, node, thread);
  record->event.set_start_time(us);
  record->time_us = us;
  return record;
}

void ProfileRecords::Keep(const ProfileRecordPtr& record) {
  if (Has(record->event.event_type())) kept_.push_back(record);
}

void ProfileRecords::LeaveOutOldest() {
  if (options_.most_events == 0) return;
  std::int64_t all = 0;
  for (const ProfileRecordPtr& record : kept_) all += EventsOf(record->event);
  if (all <= options_.most_events) return;
  std::sort(kept_.begin(), kept_.end(),
            [](const ProfileRecordPtr& a, const ProfileRecordPtr& b) {
              const std::int64_t last_a = LastUs(*a);
              const std::int64_t last_b = LastUs(*b);
              return last_a != last_b ? last_a < last_b : a->number < b->number;
            });
  auto first = kept_.begin();
  // The newest call stays, however many packets it has.
  for (; all > options_.most_events && first + 1 != kept_.end(); ++first) {
    const std::int64_t events = EventsOf((*first)->event);
    all -= events;
    num_left_out_ += events;
    // What it sends from now on is a newer event.
    (*first)->is_taken = true;
  }
  kept_.erase(kept_.begin(), first);
  num_sorted_ = 0;
}

// Most of them may wait for a margin, and are sorted already.
void ProfileRecords::SortByTime() {
  // Calls are kept when they end, and calls within them before them.
  const auto is_earlier = [](const ProfileRecordPtr& a,
                             const ProfileRecordPtr& b) {
    return a->time_us != b->time_us ? a->time_us < b->time_us
                                    : a->number < b->number;
  };
  const auto unsorted =
      kept_.begin() + static_cast<std::ptrdiff_t>(num_sorted_);
  std::sort(unsorted, kept_.end(), is_earlier);
  std::inplace_merge(kept_.begin(), unsorted, kept_.end(), is_earlier);
  num_sorted_ = kept_.size();
}

void ProfileRecords::Take(std::int64_t until_us, const ProfileTimes& times,
                          GraphTrace* part) {
  LeaveOutOldest();
  SortByTime();
  const auto rest = std::find_if(
      kept_.begin(), kept_.end(),
      [until_us](const ProfileRecordPtr& r) { return r->time_us > until_us; });
  for (auto record = kept_.begin(); record != rest; ++record) {
    GraphTrace::CalculatorTrace* const event = part->add_calculator_trace();
    *event = (*record)->event;
    times.MakeRelative(event);
    (*record)->is_taken = true;
  }
  kept_.erase(kept_.begin(), rest);
  num_sorted_ = kept_.size();
}

}  // namespace syncline
