// RunObjects: what calculators may ask their run for by name, besides what
// their contract asks for: its clock, conditions of nodes, and allocators.
//
// Thread rule: any thread, from the first Open to the last Close.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_RUN_OBJECTS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_RUN_OBJECTS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace syncline {

class Allocator;
class ConditionBase;
class DeviceTimes;
class GraphClock;
class ProfilingContext;

class RunObjects {
 public:
  virtual ~RunObjects() = default;

  // Never null; lives as long as the run.
  virtual GraphClock* clock() const = 0;
  // The condition `name` of node `node_id`, or one that "NODE/NAME" names.
  // NOT_FOUND lists those that there are.
  virtual absl::StatusOr<std::shared_ptr<ConditionBase>> FindCondition(
      int node_id, absl::string_view name) const = 0;
  // NOT_FOUND lists those that there are.
  virtual absl::StatusOr<std::shared_ptr<Allocator>> FindAllocator(
      absl::string_view name) const = 0;
  // Lives as long as the graph. Null: there is none.
  virtual ProfilingContext* profiler() const { return nullptr; }
  // Who wants to know what nodes give to devices (trace/device_times.h); lives
  // as long as the run. Null: nobody.
  virtual DeviceTimes* device_times() const { return nullptr; }
  // The graph's check_device_access.
  virtual absl::optional<bool> check_device_access() const {
    return absl::nullopt;
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_RUN_OBJECTS_H_
