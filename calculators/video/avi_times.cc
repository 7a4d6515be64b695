// Rewrites the index of an avi file: see video_times.h.
//
//   RIFF size AVI
//     LIST size hdrl   avih: microseconds of a tick, number of ticks
//                      LIST strl: strh of the stream: scale, rate, ticks
//     LIST size movi   the frames
//     idx1 size        name, flags, place in movi and size of a frame, for each
//                      tick
//
// A file that continues in a second RIFF chunk has other indexes, and is not
// changed.
//
// Thread rule: free functions; the caller uses a file on one thread at a time.
// Tested by video_times_test.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/video/file_tables.h"
#include "calculators/video/video_times.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

constexpr std::size_t kChunkHead = 8;  // name and size
constexpr std::size_t kEntry = 16;
constexpr std::uint64_t kMaxIndex = std::uint64_t{1} << 30;

absl::Status Unknown(const std::string& path, absl::string_view what) {
  return absl::UnimplementedError(
      absl::StrCat("the frames of \"", absl::Utf8SafeCHexEscape(path),
                   "\" cannot have times of their own: ", what));
}

// Overwrites the number at `at`.
void Replace(std::size_t at, std::uint32_t value, std::string* bytes) {
  bytes->replace(at, 4, LowFirst(value));
}

// Changes the list of headers, with the ticks in it. False if a header is
// missing.
bool SetHeaders(const FrameTicks& ticks, std::uint32_t count,
                std::string* headers) {
  const std::size_t main = headers->find("avih");
  const std::size_t stream = headers->find("strh");
  if (main == std::string::npos || stream == std::string::npos ||
      stream + kChunkHead + 36 > headers->size()) {
    return false;
  }
  if (headers->substr(stream + kChunkHead, 4) != "vids") return false;
  if (ticks.rate > 0) {
    Replace(main + kChunkHead,
            static_cast<std::uint32_t>(1'000'000LL * ticks.scale / ticks.rate),
            headers);
    Replace(stream + kChunkHead + 20, static_cast<std::uint32_t>(ticks.scale),
            headers);
    Replace(stream + kChunkHead + 24, static_cast<std::uint32_t>(ticks.rate),
            headers);
  }
  Replace(main + kChunkHead + 16, count, headers);
  Replace(stream + kChunkHead + 32, count, headers);
  return true;
}

// The frame to show at each tick. Empty if the file has another number of
// frames.
std::string Repeated(absl::string_view index, const FrameTicks& ticks) {
  std::string repeated;
  const std::size_t frames = ticks.ticks.size();
  if (index.size() != frames * kEntry) return repeated;
  for (std::size_t i = 0; i < frames; ++i) {
    const std::int64_t until =
        i + 1 < frames ? ticks.ticks[i + 1] : ticks.ticks[i] + 1;
    for (std::int64_t tick = ticks.ticks[i]; tick < until; ++tick) {
      absl::StrAppend(&repeated, index.substr(i * kEntry, kEntry));
    }
  }
  return repeated;
}

}  // namespace

absl::Status SetAviTicks(const std::string& path, const FrameTicks& ticks) {
  const std::int64_t count = ticks.ticks.back() + 1;
  if (static_cast<std::uint64_t>(count) * kEntry > kMaxIndex) {
    return Unknown(path, "they are spread over too long a time");
  }
  SYNCLINE_ASSIGN_OR_RETURN(std::string head, ReadBytes(path, 0, 24));
  const std::uint64_t end = kChunkHead + LowFirst(head, 4);
  const std::uint64_t headers_at = 12;
  if (head.size() < 24 || head.substr(0, 4) != "RIFF" ||
      head.substr(8, 8) != "AVI LIST") {
    return Unknown(path, "it is no avi file");
  }
  const std::uint64_t headers_size = kChunkHead + LowFirst(head, 16);
  SYNCLINE_ASSIGN_OR_RETURN(std::string headers,
                            ReadBytes(path, headers_at, headers_size));
  // The index is the last chunk.
  std::uint64_t at = headers_at + headers_size;
  std::uint64_t index_at = 0;
  std::string index;
  while (at + kChunkHead <= end) {
    SYNCLINE_ASSIGN_OR_RETURN(const std::string chunk,
                              ReadBytes(path, at, kChunkHead));
    const std::uint64_t size = LowFirst(chunk, 4);
    if (chunk.size() < kChunkHead) break;
    if (chunk.substr(0, 4) == "idx1") {
      index_at = at;
      SYNCLINE_ASSIGN_OR_RETURN(index, ReadBytes(path, at + kChunkHead, size));
    }
    at += kChunkHead + size + size % 2;
  }
  SYNCLINE_ASSIGN_OR_RETURN(const std::string behind, ReadBytes(path, end, 1));
  if (index_at == 0 || index_at + kChunkHead + index.size() != end ||
      !behind.empty()) {
    return Unknown(path, "its index is not the end of the file");
  }
  const std::string repeated = Repeated(index, ticks);
  if (repeated.empty() ||
      !SetHeaders(ticks, static_cast<std::uint32_t>(count), &headers)) {
    return Unknown(path, "its index or its headers are of another kind");
  }
  if (index_at + kChunkHead + repeated.size() > 0xFFFFFFFF) {
    return Unknown(path, "it would be too large");
  }
  SYNCLINE_RETURN_IF_ERROR(WriteBytes(
      path, index_at,
      absl::StrCat("idx1",
                   LowFirst(static_cast<std::uint32_t>(repeated.size())),
                   repeated),
      /*is_end=*/true));
  SYNCLINE_RETURN_IF_ERROR(
      WriteBytes(path, headers_at, headers, /*is_end=*/false));
  return WriteBytes(
      path, 4, LowFirst(static_cast<std::uint32_t>(index_at + repeated.size())),
      /*is_end=*/false);
}

}  // namespace syncline
