// RunGeneratorFillExpectations and RunGenerateAndValidateTypes, for tests of
// packet generators.
//
// Thread rule: free functions.
// Tested by validate_type_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_VALIDATE_TYPE_H_
#define SYNCLINE_FRAMEWORK_TOOL_VALIDATE_TYPE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/legacy/packet_generator.h"
#include "framework/calculator/packet_set.h"
#include "framework/config/packet_generator.pb.h"

namespace syncline {
namespace tool {

// FillExpectations of the generator that the config names, for its ports and
// options; then the check that ports and expectations agree. Errors name the
// generator.
absl::Status RunGeneratorFillExpectations(const PacketGeneratorConfig& config,
                                          absl::string_view package = "");

// Generate of the generator called `name`, with the types of inputs and outputs
// checked. *outputs has the ports that are wanted.
absl::Status RunGenerateAndValidateTypes(absl::string_view name,
                                         const PacketGeneratorOptions& options,
                                         const PacketSet& inputs,
                                         PacketSet* outputs,
                                         absl::string_view package = "");

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_VALIDATE_TYPE_H_
