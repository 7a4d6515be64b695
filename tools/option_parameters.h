// The fields of an options message as parameters, for types whose options are a
// proto.
//
// Thread rule: free functions.
// Tested by describe_type_test.

#ifndef SYNCLINE_TOOLS_OPTION_PARAMETERS_H_
#define SYNCLINE_TOOLS_OPTION_PARAMETERS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/component/parameter.h"
#include "google/protobuf/descriptor.h"

namespace syncline {

// One for each field: nothing of it is mandatory. The headline is the first
// sentence of its comment where the program has comments, and else the key.
std::vector<ParameterInfo> OptionParameters(
    const google::protobuf::Descriptor& type);

// The options messages of a type: those that its code asked for, by full name,
// and the one with its name and "Options" behind it.
std::vector<const google::protobuf::Descriptor*> OptionTypes(
    absl::string_view type_name, const std::vector<std::string>& asked_for);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_OPTION_PARAMETERS_H_
