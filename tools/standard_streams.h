// A program may be started without standard input, output or error. The first
// files that it opens would then get their numbers, and a log line would be
// written into a recording.
//
// Thread rule: at the beginning of main.
// Tested by standard_streams_test and run_graph_files_test.

#ifndef SYNCLINE_TOOLS_STANDARD_STREAMS_H_
#define SYNCLINE_TOOLS_STANDARD_STREAMS_H_

#include <fcntl.h>
#include <unistd.h>

namespace syncline {

// Puts a file in the place of each that is closed: input that cannot be read,
// and output that cannot be written, which is noticed at the end of the
// program.
inline void KeepStandardStreamsApart() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1) continue;
    // It gets the lowest free number, which is this one.
    [[maybe_unused]] const int opened =
        open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_STANDARD_STREAMS_H_
