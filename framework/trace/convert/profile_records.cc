#include "framework/trace/convert/profile_records.h"

#include <algorithm>

namespace syncline {

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

void ProfileRecords::Take(std::int64_t until_us, const ProfileTimes& times,
                          GraphTrace* part) {
  // Calls are kept when they end, and calls within them before them.
  std::sort(kept_.begin(), kept_.end(),
            [](const ProfileRecordPtr& a, const ProfileRecordPtr& b) {
              return a->time_us != b->time_us ? a->time_us < b->time_us
                                              : a->number < b->number;
            });
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
}

}  // namespace syncline
