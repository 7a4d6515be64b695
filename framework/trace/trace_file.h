// Trace files: the head of the trace, and then chunks of events.
//
//   "SYNTRACE"                     8 bytes
//   version                        4 bytes: kTraceFileVersion
//   size of the head               4 bytes
//   head                           a TraceFileHeader, filled up with zeros to
//                                  a multiple of 8 bytes
//   chunks                         a TraceChunk each, and its content, filled
//                                  up to a multiple of 8 bytes
//
// All numbers are little endian. A chunk is whole or it is not there: what
// follows the last whole chunk is left out, and the reader says that the file
// was cut off. A file that was closed in good order ends with a chunk kEnd.
// Chunks of a thread are in the order of time. Chunks of a kind that is not
// known are passed over. Bytes behind kEnd are an error.
//
// Thread rule: pure functions.
// Tested by trace_file_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_FILE_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/trace/trace.h"

namespace syncline {

inline constexpr char kTraceFileMagic[] = "SYNTRACE";
inline constexpr std::uint32_t kTraceFileVersion = 1;
// Numbers of threads are below this: a damaged one must not ask for more memory
// than there is.
inline constexpr std::uint32_t kMaxTraceThreads = 1 << 16;

struct TraceChunk {
  enum class Kind : std::uint32_t {
    // Content: events. `value`: so many events of this thread, which would come
    // before these, are lost.
    kEvents = 1,
    // Content: a TraceClockPoint.
    kClockPoint = 2,
    // Content: the name of the thread. `value`: its id in the system.
    kThread = 3,
    // Nothing comes behind this. `value`: so many events were lost in all.
    kEnd = 4,
    // As kEvents, of which some may be packed (trace_packing.h).
    kPackedEvents = 5,
  };
  static constexpr std::uint32_t kMagic = 0x4b4e4843;  // "CHNK"

  std::uint32_t magic = kMagic;
  Kind kind = Kind::kEnd;
  // Threads are numbered from 0.
  std::uint32_t thread = 0;
  // Of the content, without what fills it up.
  std::uint32_t size = 0;
  std::uint64_t value = 0;
};
static_assert(sizeof(TraceChunk) == 24);

// What a file begins with.
std::string TraceFileHead(const TraceFileHeader& header);
// The whole file.
std::string TraceFileContent(const Trace& trace);
// Reads what TraceFileContent or a recorder wrote. Large files are mapped, not
// copied. The errors say whether this is no trace, one of another version, or
// one that is damaged, and where.
absl::StatusOr<Trace> ReadTraceFile(absl::string_view path);
// The same from memory, which is copied. `name` is for errors.
absl::StatusOr<Trace> ParseTraceFile(absl::string_view content,
                                     absl::string_view name);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_FILE_H_
