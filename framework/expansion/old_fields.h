// The old names of side packet fields, external_input and external_output, and
// the ones that the runtime knows.
//
// Thread rule: pure functions.
// Tested by old_fields_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_OLD_FIELDS_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_OLD_FIELDS_H_

#include "framework/config/calculator.pb.h"

namespace syncline {

// Move old fields to their new names. False when both are in use, which is an
// error; the message is then unchanged.
bool RenameOldFields(CalculatorGraphConfig::Node* node);
bool RenameOldFields(PacketGeneratorConfig* generator);
bool RenameOldFields(StatusHandlerConfig* handler);

// What to say when RenameOldFields returns false.
inline constexpr char kBothFieldNames[] =
    "external_input and external_output are the old names of "
    "input_side_packet and output_side_packet: use the new ones only.";

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_OLD_FIELDS_H_
