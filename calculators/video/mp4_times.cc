// Rewrites the table of durations of an mp4 or mov file: see video_times.h.
//
//   mdat                     the frames
//   moov                     the end of the file
//     mvhd                   duration, in the units of the movie
//     trak
//       tkhd, edts/elst      duration, in the units of the movie
//       mdia
//         mdhd               units a second, and duration in these
//         minf/stbl/stts     number of frames and duration of each, in these
//
// Two kinds of files are not changed: files whose tables are before the frames,
// since frames would move and the tables contain their places; and files with
// frames out of order (a table ctts), whose times are different.
//
// Thread rule: free functions; the caller uses a file on one thread at a time.
// Tested by video_times_test.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/video/file_tables.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

constexpr std::size_t kBoxHead = 8;  // size and name
constexpr std::uint64_t kMaxTables = std::uint64_t{1} << 30;

absl::Status Unknown(const std::string& path) {
  return absl::UnimplementedError(
      absl::StrCat("the frames of \"", absl::Utf8SafeCHexEscape(path),
                   "\" cannot have times of their own: its tables are of "
                   "another kind"));
}

std::string Box(absl::string_view name, absl::string_view content) {
  return absl::StrCat(
      HighFirst(static_cast<std::uint32_t>(kBoxHead + content.size())), name,
      content);
}

class Mp4Tables {
 public:
  Mp4Tables(const std::vector<std::int64_t>& times_us, double frame_rate)
      : times_us_(times_us), period_us_(1e6 / frame_rate) {}

  // Returns `content` with its boxes changed. is_good() says whether all boxes
  // were found.
  std::string Rewrite(absl::string_view content) {
    std::string boxes;
    while (!content.empty()) {
      const std::size_t size = HighFirst(content, 0);
      if (size < kBoxHead || size > content.size()) {
        is_damaged_ = true;
        return boxes;
      }
      const absl::string_view name = content.substr(4, 4);
      absl::StrAppend(
          &boxes,
          Box(name, Changed(name, content.substr(kBoxHead, size - kBoxHead))));
      content.remove_prefix(size);
    }
    return boxes;
  }

  bool is_good() const {
    return !is_damaged_ && movie_units_ > 0 && tables_ == 1;
  }

 private:
  std::string Changed(absl::string_view name, absl::string_view content) {
    for (const char* const inner : {"trak", "mdia", "minf", "stbl", "edts"}) {
      if (name == inner) return Rewrite(content);
    }
    std::string changed(content);
    // Version 1 has numbers of 8 bytes; OpenCV does not write it.
    const bool is_version_0 = !content.empty() && content[0] == '\0';
    if (name == "ctts") is_damaged_ = true;
    // The table of sizes has the number of frames.
    if (name == "stsz" && HighFirst(content, 8) != times_us_.size()) {
      is_damaged_ = true;
    }
    if (name == "mvhd") {
      movie_units_ = HighFirst(content, 12);
      SetDuration(16, movie_units_, is_version_0, &changed);
    } else if (name == "tkhd") {
      SetDuration(20, movie_units_, is_version_0, &changed);
    } else if (name == "elst" && HighFirst(content, 4) == 1) {
      SetDuration(8, movie_units_, is_version_0, &changed);
    } else if (name == "mdhd") {
      units_ = HighFirst(content, 12);
      SetDuration(16, units_, is_version_0, &changed);
    } else if (name == "stts") {
      ++tables_;
      changed = Durations();
    }
    return changed;
  }

  // The duration in units, of which there are `units` a second.
  std::int64_t In(std::uint32_t units, double us) const {
    return std::llround(us * units * 1e-6);
  }
  double SpanUs() const {
    return static_cast<double>(times_us_.back() - times_us_.front()) +
           period_us_;
  }

  void SetDuration(std::size_t at, std::uint32_t units, bool is_version_0,
                   std::string* box) {
    const std::int64_t duration = In(units, SpanUs());
    if (!is_version_0 || at + 4 > box->size() || duration > 0xFFFFFFFF) {
      is_damaged_ = true;
      return;
    }
    box->replace(at, 4, HighFirst(static_cast<std::uint32_t>(duration)));
  }

  std::string Durations() const {
    std::string entries;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < times_us_.size(); ++i) {
      const double end =
          i + 1 < times_us_.size()
              ? static_cast<double>(times_us_[i + 1] - times_us_.front())
              : SpanUs();
      const std::int64_t next = std::max(last + 1, In(units_, end));
      absl::StrAppend(&entries, HighFirst(1),
                      HighFirst(static_cast<std::uint32_t>(next - last)));
      last = next;
    }
    return absl::StrCat(HighFirst(0),
                        HighFirst(static_cast<std::uint32_t>(times_us_.size())),
                        entries);
  }

  const std::vector<std::int64_t>& times_us_;
  const double period_us_;
  std::uint32_t movie_units_ = 0;
  std::uint32_t units_ = 0;
  int tables_ = 0;
  bool is_damaged_ = false;
};

}  // namespace

absl::Status SetMp4Times(const std::string& path,
                         const std::vector<std::int64_t>& times_us,
                         double frame_rate) {
  // A size has 4 bytes; if it is 1, a size of 8 bytes follows the name.
  for (std::uint64_t at = 0;;) {
    SYNCLINE_ASSIGN_OR_RETURN(const std::string head, ReadBytes(path, at, 16));
    if (head.size() < kBoxHead) return Unknown(path);
    std::uint64_t size = HighFirst(head, 0);
    if (size == 1) {
      size = std::uint64_t{HighFirst(head, 8)} << 32 | HighFirst(head, 12);
    }
    if (size < kBoxHead) return Unknown(path);
    if (head.substr(4, 4) != "moov") {
      at += size;
      continue;
    }
    SYNCLINE_ASSIGN_OR_RETURN(const std::string behind,
                              ReadBytes(path, at + size, 1));
    if (!behind.empty() || size > kMaxTables) return Unknown(path);
    SYNCLINE_ASSIGN_OR_RETURN(const std::string tables,
                              ReadBytes(path, at + kBoxHead, size - kBoxHead));
    Mp4Tables rewriter(times_us, frame_rate);
    const std::string changed = rewriter.Rewrite(tables);
    if (!rewriter.is_good()) return Unknown(path);
    return WriteBytes(path, at, Box("moov", changed), /*is_end=*/true);
  }
}

}  // namespace syncline
