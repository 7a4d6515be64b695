// StatusHandler: the old way to get the status of a run.
//
// New code looks at the status that WaitUntilDone returns. The status handlers
// of a graph are called in the order of the config: before a run with the
// status of its preparation, and after it with the run's.
//
//   class LogHandler : public syncline::StatusHandler {
//    public:
//     static absl::Status FillExpectations(
//         const syncline::SynclineOptions& options,
//         syncline::PacketTypeSet* input_side_packets);
//     static absl::Status HandlePreRunStatus(
//         const syncline::SynclineOptions& options,
//         const syncline::PacketSet& input_side_packets,
//         const absl::Status& pre_run_status);
//     static absl::Status HandleStatus(
//         const syncline::SynclineOptions& options,
//         const syncline::PacketSet& input_side_packets,
//         const absl::Status& run_status);
//   };
//   REGISTER_STATUS_HANDLER(LogHandler);
//
// An error that a handler returns becomes one of the run's errors.
//
// Thread rule: the functions may be called on any thread.
// Tested by status_handler_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_STATUS_HANDLER_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_STATUS_HANDLER_H_

#include <concepts>
#include <memory>
#include <type_traits>

#include "absl/status/status.h"
#include "framework/base/typed_registry.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/syncline_options.pb.h"

namespace syncline {

// Only its static functions are used; there are no objects.
class StatusHandler {
 public:
  virtual ~StatusHandler() = 0;
};
inline StatusHandler::~StatusHandler() = default;

// The functions of one handler class.
class StaticStatusHandler {
 public:
  virtual ~StaticStatusHandler() = default;
  virtual absl::Status FillExpectations(const SynclineOptions& options,
                                        PacketTypeSet* inputs) const = 0;
  virtual absl::Status HandlePreRunStatus(
      const SynclineOptions& options, const PacketSet& inputs,
      const absl::Status& pre_run_status) const = 0;
  virtual absl::Status HandleStatus(const SynclineOptions& options,
                                    const PacketSet& inputs,
                                    const absl::Status& run_status) const = 0;
};

template <typename T>
concept HasStatusHandlerFunctions = requires(const SynclineOptions& options,
                                             PacketTypeSet* types,
                                             const PacketSet& inputs,
                                             const absl::Status& status) {
  { T::FillExpectations(options, types) } -> std::convertible_to<absl::Status>;
  {
    T::HandlePreRunStatus(options, inputs, status)
    } -> std::convertible_to<absl::Status>;
  {
    T::HandleStatus(options, inputs, status)
    } -> std::convertible_to<absl::Status>;
};

template <typename T>
class StaticStatusHandlerFor : public StaticStatusHandler {
  static_assert(std::is_base_of_v<StatusHandler, T>,
                "a status handler derives from syncline::StatusHandler");
  static_assert(HasStatusHandlerFunctions<T>,
                "a status handler has the public static functions "
                "FillExpectations, HandlePreRunStatus and HandleStatus; see "
                "status_handler.h");

 public:
  absl::Status FillExpectations(const SynclineOptions& options,
                                PacketTypeSet* inputs) const override {
    return T::FillExpectations(options, inputs);
  }
  absl::Status HandlePreRunStatus(
      const SynclineOptions& options, const PacketSet& inputs,
      const absl::Status& pre_run_status) const override {
    return T::HandlePreRunStatus(options, inputs, pre_run_status);
  }
  absl::Status HandleStatus(const SynclineOptions& options,
                            const PacketSet& inputs,
                            const absl::Status& run_status) const override {
    return T::HandleStatus(options, inputs, run_status);
  }
};

using StaticStatusHandlerRegistry =
    GlobalFactoryRegistry<std::unique_ptr<StaticStatusHandler>>;

}  // namespace syncline

#define REGISTER_STATUS_HANDLER(name)                                        \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(                                       \
      ::syncline::StaticStatusHandlerRegistry, status_handler_registration,  \
      name, [] {                                                             \
        return std::make_unique<::syncline::StaticStatusHandlerFor<name>>(); \
      })

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_STATUS_HANDLER_H_
