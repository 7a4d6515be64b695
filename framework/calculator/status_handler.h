// StatusHandler: code that hears how a run starts and ends; kept for graphs
// that have it.
//
//   class ReportHandler : public StatusHandler {
//    public:
//     static absl::Status FillExpectations(const SynclineOptions& options,
//                                          PacketTypeSet* input_side_packets);
//     static absl::Status HandlePreRunStatus(
//         const SynclineOptions& options, const PacketSet& input_side_packets,
//         const absl::Status& status);
//     static absl::Status HandleStatus(
//         const SynclineOptions& options, const PacketSet& input_side_packets,
//         const absl::Status& status);
//   };
//   REGISTER_STATUS_HANDLER(ReportHandler);
//
// The handlers of a graph are called in the order of its config: once with the
// status of the preparation, before the run, and once with that of the run. An
// error they return is added to the run's. New code uses the status that the
// graph returns.
//
// Thread rule: called by one thread at a time.
// Tested by legacy_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_STATUS_HANDLER_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_STATUS_HANDLER_H_

#include <concepts>
#include <memory>

#include "absl/status/status.h"
#include "framework/base/registry.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/syncline_options.pb.h"

namespace syncline {

// The base class; all functions are static and the class is never made.
class StatusHandler {
 protected:
  StatusHandler() = default;
};

// The static functions of one class, as virtual ones.
class StaticStatusHandler {
 public:
  virtual ~StaticStatusHandler() = default;
  virtual absl::Status FillExpectations(
      const SynclineOptions& options,
      PacketTypeSet* input_side_packets) const = 0;
  virtual absl::Status HandlePreRunStatus(const SynclineOptions& options,
                                          const PacketSet& input_side_packets,
                                          const absl::Status& status) const = 0;
  virtual absl::Status HandleStatus(const SynclineOptions& options,
                                    const PacketSet& input_side_packets,
                                    const absl::Status& status) const = 0;
};

template <typename T>
class StaticStatusHandlerFor : public StaticStatusHandler {
  static_assert(std::derived_from<T, StatusHandler>,
                "a status handler derives from StatusHandler");

 public:
  absl::Status FillExpectations(
      const SynclineOptions& options,
      PacketTypeSet* input_side_packets) const override {
    return T::FillExpectations(options, input_side_packets);
  }
  absl::Status HandlePreRunStatus(const SynclineOptions& options,
                                  const PacketSet& input_side_packets,
                                  const absl::Status& status) const override {
    return T::HandlePreRunStatus(options, input_side_packets, status);
  }
  absl::Status HandleStatus(const SynclineOptions& options,
                            const PacketSet& input_side_packets,
                            const absl::Status& status) const override {
    return T::HandleStatus(options, input_side_packets, status);
  }
};

using StaticStatusHandlerRegistry =
    GlobalFactoryRegistry<std::unique_ptr<StaticStatusHandler>>;

#define REGISTER_STATUS_HANDLER(name)                                       \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(                                      \
      ::syncline::StaticStatusHandlerRegistry, status_handler_registration, \
      name, std::make_unique<::syncline::StaticStatusHandlerFor<name>>)

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_STATUS_HANDLER_H_
