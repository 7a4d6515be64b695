#include "gpu/stand_in/work_queues.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gpu/stand_in/work_queues_state.h"

namespace syncline::gpu {

WorkQueues::WorkQueues(WorkQueuesOptions options, int num_devices)
    : state_(std::make_shared<State>(std::move(options), num_devices)) {}

WorkQueues::~WorkQueues() { state_->End(); }

absl::Status WorkQueues::AddQueue(int device, int priority, Queue** queue) {
  return State::AddQueue(state_, device, priority, queue);
}
void WorkQueues::DropQueue(Queue* queue) { state_->DropQueue(queue); }
absl::Status WorkQueues::Submit(Queue* queue, Work work) {
  return state_->Submit(queue, std::move(work));
}
absl::Status WorkQueues::HasEnded(const std::shared_ptr<Recording>& recording,
                                  bool* has_ended) {
  return state_->HasEnded(*recording, has_ended);
}
absl::Status WorkQueues::HostWaitFor(
    const std::shared_ptr<Recording>& recording) {
  return state_->HostWaitFor(*recording);
}
absl::Status WorkQueues::HostWaitFor(Queue* queue) {
  return state_->HostWaitFor(queue);
}
std::int64_t WorkQueues::Nanoseconds(const Recording& begin,
                                     const Recording& end) {
  return end.time - begin.time;
}
void WorkQueues::Fail(int device, const absl::Status& status) {
  state_->Fail(device, status);
}
absl::Status WorkQueues::Health(int device) const {
  return state_->Health(device);
}
std::size_t WorkQueues::NumReady() const { return state_->ReadyWorks().size(); }
std::vector<std::string> WorkQueues::ReadyWorks() const {
  return state_->ReadyWorks();
}
bool WorkQueues::Step(std::size_t choice) { return state_->Step(choice); }
bool WorkQueues::StepBySeed() { return state_->StepBySeed(); }

}  // namespace syncline::gpu
