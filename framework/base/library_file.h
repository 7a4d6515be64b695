// The names and symbols of a shared library, read from its file without opening
// it: opening a library runs its code, and a wrong library may end the process.
//
// Thread rule: free functions.
// Tested by library_file_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_LIBRARY_FILE_H_
#define SYNCLINE_FRAMEWORK_BASE_LIBRARY_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

struct LibraryFile {
  struct Symbol {
    std::string name;
    bool defined;  // here; otherwise it is looked for in other libraries
  };

  // The libraries that have to be there for it, such as "libprotobuf.so.32".
  std::vector<std::string> needed;
  // The symbols that it offers or looks for and that begin with one of the
  // prefixes that were asked for.
  std::vector<Symbol> symbols;
};

// NOT_FOUND, PERMISSION_DENIED, ... when the file cannot be read;
// INVALID_ARGUMENT when it is no whole shared library of this kind of machine.
// No contents can do harm.
absl::StatusOr<LibraryFile> ReadLibraryFile(
    const std::string& path, const std::vector<absl::string_view>& prefixes);

// The file of the program or library in this process that the code or constant
// at `address` is part of; "" when it is part of none.
std::string LibraryOfAddress(const void* address);

// A place in source code, for an error about two of them.
struct CodePlace {
  absl::string_view text;  // "file:line", or "" when not known
  const void* code;        // in the library that was made of it, or null
};

// "a.cc:1 and from b.cc:2", with the libraries if they differ: "a.cc:1 in
// "liba.so" and from b.cc:2 in "libb.so"".
std::string TwoPlacesText(const CodePlace& first, const CodePlace& second);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_LIBRARY_FILE_H_
