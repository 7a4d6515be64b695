// An address of this process as text. Only this process accepts the text.
//
// Sinks (see sink.h) write into a config where packets should go. A config is
// text: it may be copied, written out and read again, or invented by an
// attacker. So the text carries a seal, which depends on a secret of this
// process and on the purpose of the address. An invented, changed or foreign
// address gives an error. Nothing is stored for an address, so nothing has to
// be freed.
//
// The seal cannot tell whether the object at the address still exists.
//
// Thread rule: free functions, any thread.
// Tested by sink_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_ADDRESS_TOKEN_H_
#define SYNCLINE_FRAMEWORK_TOOL_ADDRESS_TOKEN_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace tool {

// `purpose` says what is at the address. The seal depends on it.
std::string AddressToken(absl::string_view purpose, const void* address);

// The address that AddressToken made into `text` for the same purpose.
// INVALID_ARGUMENT for any text that AddressToken did not make in this process.
absl::StatusOr<void*> AddressFromToken(absl::string_view purpose,
                                       absl::string_view token);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_ADDRESS_TOKEN_H_
