// OutputFile: a file that a program writes, or its standard output. What was in
// the file stays until the program is sure that it will write: Open does not
// empty it, Begin does.
//
//   OutputFile file;
//   SYNCLINE_RETURN_IF_ERROR(file.Open("words.txt"));
//   ... may what file.fd() is be overwritten, and is all else right?
//   SYNCLINE_RETURN_IF_ERROR(file.Begin());
//   SYNCLINE_RETURN_IF_ERROR(file.Write("1 one\n"));
//   SYNCLINE_RETURN_IF_ERROR(file.Close());
//
// A pipe that nobody reads yet is waited for, which standard error tells after
// a second.
//
// Thread rule: for one thread at a time.
// Tested by run_graph_test.

#ifndef SYNCLINE_TOOLS_OUTPUT_FILE_H_
#define SYNCLINE_TOOLS_OUTPUT_FILE_H_

#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline {

class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // "-" is standard output. A status with the reason of the system.
  absl::Status Open(const std::string& path);
  // REQUIRES: Open succeeded.
  int fd() const;

  // Empties the file.
  absl::Status Begin();
  absl::Status Write(absl::string_view text);
  // All that was written is seen by others.
  absl::Status Flush();
  // Nothing may follow. Standard output stays open.
  absl::Status Close();

 private:
  std::FILE* file_ = nullptr;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_OUTPUT_FILE_H_
