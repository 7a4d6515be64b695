// Kinds of input policies by name.
//
// The input stream handlers of the framework are registered from the start. A
// new one needs a class and a registration:
//
//   class NewestPolicy final : public InputPolicy { ... };
//
//   static const Unregister newest(TokenOrReport(RegisterInputPolicyKind(
//       "my.NewestInputStreamHandler",
//       {.create =
//            [](const PolicyPorts& ports) {
//              return std::make_unique<NewestPolicy>(ports);
//            },
//        .is_deterministic = false},
//       /*check=*/{}, SYNCLINE_LOC.ToString())));
//
// After that a graph may say
//
//   input_stream_handler {
//     input_stream_handler: "my.NewestInputStreamHandler"
//   }
//
// The rules of input_policy.h apply to these policies, too; the most important
// one is that they run under the node's lock. The suite in
// policy_conformance_test checks all rules.
//
// Thread rule: any thread.
// Tested by input_policy_registry_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_INPUT_POLICY_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_POLICY_INPUT_POLICY_REGISTRY_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/plan/handler_options.h"
#include "framework/policy/input_policy.h"

namespace syncline {

// The kind with this full name; NOT_FOUND if there is none. The plan has
// checked the options (plan/handler_options.h).
absl::StatusOr<InputPolicyKind> FindInputPolicy(absl::string_view full_name);

// Adds a kind, and tells the plan of its name and how its options are checked.
// `origin` is "file:line". ALREADY_EXISTS names both places,
// INVALID_ARGUMENT says that there is nothing to create a policy with.
absl::StatusOr<RegistrationToken> RegisterInputPolicyKind(
    absl::string_view name, InputPolicyKind kind, InputPolicyType check,
    absl::string_view origin);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_INPUT_POLICY_REGISTRY_H_
