// Comments of options, for descriptions. Protobuf leaves them out of the code
// that it generates, so option_comments() of option_comments.bzl adds them to a
// program as data.
//
// Thread rule: any thread.
// Tested by option_comments_test and describe_type_test.

#ifndef SYNCLINE_TOOLS_OPTION_COMMENTS_H_
#define SYNCLINE_TOOLS_OPTION_COMMENTS_H_

#include <cstddef>
#include <string>

namespace syncline {

// Adds the comments of .proto files: a FileDescriptorSet with source info.
// `data` stays where it is. Files that are there already are left as they are.
// False if the bytes are none.
bool AddOptionComments(const char* data, std::size_t size);

// What is written above or behind the field of this full name, on one line; ""
// where nothing is, or nobody added it.
std::string FieldComment(const std::string& full_name);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_OPTION_COMMENTS_H_
