// LineReader: the lines of a file, a pipe or a terminal, as they come.
//
//   LineReader reader;
//   SYNCLINE_RETURN_IF_ERROR(reader.Open("packets.txt"));
//   std::string line;
//   while (true) {
//     SYNCLINE_ASSIGN_OR_RETURN(const bool is_line, reader.Next(&line));
//     if (!is_line) break;
//   }
//
// It differs from std::ifstream in three ways. It stops waiting for input when
// it is told to, for programs that are interrupted while they read a pipe.
// Opening a pipe does not wait for a program that writes to it. And an error of
// the disk is an error, and not the end of the file.
//
// Thread rule: for one thread.
// Tested by line_reader_test.

#ifndef SYNCLINE_TOOLS_LINE_READER_H_
#define SYNCLINE_TOOLS_LINE_READER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

class LineReader {
 public:
  // Files of other kinds may be one endless line.
  static constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

  LineReader() = default;
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // A status with the reason of the system; a folder is no file. What is behind
  // a pipe or a terminal need not be there yet.
  absl::Status Open(const std::string& path);
  // Standard input, whatever it is.
  absl::Status OpenStandardInput();

  // From when this is readable on, Next returns CANCELLED in place of waiting.
  // -1, as at first, for nothing.
  void set_interrupt_fd(int fd) { interrupt_fd_ = fd; }
  // The same once this is true; it is asked now and then while Next waits.
  void set_gives_up(std::function<bool()> gives_up) {
    gives_up_ = std::move(gives_up);
  }
  // What standard error is told when the first line is waited for longer than a
  // second.
  void set_wait_text(std::string text) { wait_text_ = std::move(text); }

  // Whether lines can be waited for: it is a pipe, a terminal or the like.
  bool may_wait() const { return may_wait_; }
  // Of the open file.
  int fd() const { return fd_; }

  // The next line without its end; false at the end of the file.
  // INVALID_ARGUMENT: it is longer than kMaxLineBytes. UNAVAILABLE: the file
  // cannot be read on. CANCELLED: see above.
  absl::StatusOr<bool> Next(std::string* line);

  // Of the last line, counted from 1.
  int line_number() const { return line_number_; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

  // Fills the empty block; at the end of the file it stays empty.
  absl::Status ReadBlock();
  // Until there is something to read, or the end.
  absl::Status WaitForInput();
  // What kind of file it is.
  absl::Status Look();

  int fd_ = -1;
  bool may_wait_ = false;
  int interrupt_fd_ = -1;
  std::function<bool()> gives_up_;
  // Empty from when it was told, or is too late.
  std::string wait_text_;
  std::string block_;
  absl::string_view left_;  // of the block
  int line_number_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINE_READER_H_
