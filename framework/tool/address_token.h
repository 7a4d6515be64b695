// An address of this process as text, which only this process takes back.
//
// The sinks put into a config where packets are to go (see sink.h), and a
// config is text: it may be copied, written out and read again, or made up by
// somebody. So the address carries a seal that depends on a secret of this
// process and on what the address is for. A config with a made-up, changed or
// foreign address gets a status; nothing is kept, so nothing has to be freed.
//
// What the seal cannot know is whether the thing at the address still lives.
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

// `purpose` says what is at the address: it is part of the seal.
std::string AddressToken(absl::string_view purpose, const void* address);

// The address, for the same purpose. INVALID_ARGUMENT for any text that
// AddressToken did not make in this process.
absl::StatusOr<void*> AddressFromToken(absl::string_view purpose,
                                       absl::string_view token);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_ADDRESS_TOKEN_H_
