// OutputFile: a file that a program writes, or its standard output. What was in
// the file stays until the program is sure that it will write: Open does not
// empty it, Begin does.
//
//   OutputFile file("run_graph");
//   SYNCLINE_RETURN_IF_ERROR(file.Open("words.txt"));
//   ... may what file.fd() is be overwritten, and is all else right?
//   SYNCLINE_RETURN_IF_ERROR(file.Begin());
//   SYNCLINE_RETURN_IF_ERROR(file.Write("1 one\n"));
//   SYNCLINE_RETURN_IF_ERROR(file.Close());
//
// Open waits until somebody reads a pipe, and says so on standard error after a
// second. A file that Open has created is removed again if the program ends
// before Begin, or if the disk was too full for any of its contents: an empty
// file would look like a result.
//
// Thread rule: for one thread at a time.
// Tested by output_file_test, run_graph_files_test and recording_tool_test.

#ifndef SYNCLINE_TOOLS_OUTPUT_FILE_H_
#define SYNCLINE_TOOLS_OUTPUT_FILE_H_

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline {

class OutputFile {
 public:
  // The name of the program stands before what standard error tells.
  explicit OutputFile(absl::string_view program) : program_(program) {}
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Open and Write ask it while they wait for who reads a pipe; true ends that.
  // With it, a reader of a pipe that goes away is an error, and not the signal
  // SIGPIPE.
  void set_gives_up(std::function<bool()> gives_up) {
    gives_up_ = std::move(gives_up);
  }

  // "-" is standard output. Each status has the reason of the system, and those
  // after Open what to do about it.
  absl::Status Open(const std::string& path);
  // REQUIRES: Open succeeded.
  int fd() const;

  // Empties the file.
  absl::Status Begin();
  absl::Status Write(absl::string_view text);
  // All that was written is seen by others.
  absl::Status Flush();
  // Nothing may follow. Standard output stays open. A file that has no name any
  // more, or that somebody has emptied, is an error: nobody would find what was
  // written.
  absl::Status Close();
  // In place of Close, for what would be no result without the rest: takes the
  // file away.
  void Abandon();

 private:
  // Takes away a file of ours that is empty, if it still has its name.
  void RemoveIfEmpty() const;
  // Takes a file away that still has its name, and is no device or pipe.
  void RemoveName() const;
  absl::Status CheckIsWhole() const;
  // Past the buffer of `file_`, which is empty.
  absl::Status WriteToPipe(absl::string_view text);

  const std::string program_;
  std::function<bool()> gives_up_;
  std::string path_;
  std::FILE* file_ = nullptr;
  // There was none of this name before.
  bool is_new_ = false;
  bool is_pipe_ = false;
  // Bytes since Open.
  std::int64_t written_ = 0;
};

// A whole file at once. An error names it, and says what to do; a part of the
// file is taken away.
absl::Status WriteFile(absl::string_view program, const std::string& path,
                       absl::string_view bytes);

// Writes a piece of a file.
using WritePiece = absl::FunctionRef<absl::Status(absl::string_view piece)>;

// A whole file, piece by piece. `content` calls `write` for each, and returns
// its first error; errors of its own are returned as they are. `gives_up`: as
// OutputFile has it, or empty.
absl::Status WriteFile(
    absl::string_view program, const std::string& path,
    absl::FunctionRef<absl::Status(WritePiece write)> content,
    std::function<bool()> gives_up = nullptr);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_OUTPUT_FILE_H_
