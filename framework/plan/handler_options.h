// Which stream handlers there are, and whether a node's options suit them.
//
// This file knows the name of each input stream handler and a check of its
// options; the runtime has the handler itself. So a plan is checked without
// handlers, and mistakes are found before a run starts: a batch of no packets,
// a sync set with a stream that the node does not have, ...
//
// The names are in the process-wide registry of kind "InputStreamHandler".
// These are there from the start: DefaultInputStreamHandler, Immediate...,
// SyncSet..., FixedSize..., TimestampAlign..., ApproximateTime..., Latest...,
// Mux..., Barrier..., Timeout... and EarlyCloseInputStreamHandler. Whoever adds
// a handler to the runtime adds its name here.
//
// Output stream handlers have no options: InOrderOutputStreamHandler is the
// only one, in the registry of kind "OutputStreamHandler".
//
// Thread rule: any thread.
// Tested by handler_options_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_HANDLER_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_PLAN_HANDLER_OPTIONS_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/name_registry.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/syncline_options.pb.h"

namespace syncline {

// The largest batch of a node, and batch_size of a handler: each input set has
// a context of its own.
inline constexpr int kMaxBatchSize = 10000;

// What is known of one kind of input stream handler.
struct InputPolicyType {
  // INVALID_ARGUMENT when a node with these inputs cannot have a handler with
  // these options. The text begins with the name of an option or of the
  // handler; the caller adds the node. Empty: all options are right.
  std::function<absl::Status(const SynclineOptions& options,
                             const PortLayout& inputs)>
      check;
  // The number of the extension of SynclineOptions that the handler reads; 0 if
  // it reads none. Absent: nobody knows, so no options are warned of.
  absl::optional<int> own_options;
};

// Adds a handler. `origin` is "file:line". ALREADY_EXISTS names both places.
absl::StatusOr<RegistrationToken> RegisterInputPolicyType(
    absl::string_view name, InputPolicyType type, absl::string_view origin);

// Looks `name` up in `package` and checks the options. Returns the full name,
// under which the runtime finds the handler. NOT_FOUND names the nearest ones.
absl::StatusOr<std::string> CheckInputPolicy(absl::string_view package,
                                             absl::string_view name,
                                             const SynclineOptions& options,
                                             const PortLayout& inputs);

// An error that says which of the options this handler does not read. `name` is
// that of CheckInputPolicy. MediaPipe ignores such options.
absl::Status CheckInputPolicyReads(absl::string_view name,
                                   const SynclineOptions& options);

// The same as CheckInputPolicy for an output stream handler.
absl::StatusOr<std::string> CheckOutputStreamHandler(absl::string_view package,
                                                     absl::string_view name);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_HANDLER_OPTIONS_H_
