#include "tools/trace/read_trace.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/status_macros.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/trace_file.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/unknown_field_set.h"
#include "tools/path_hint.h"

namespace syncline {
namespace {

bool IsFileWithContent(const std::string& path) {
  struct stat about = {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
         about.st_size > 0;
}

// The content begins with a packet of a Perfetto trace: field 1 of a message,
// with fields that only such packets have.
bool IsPerfetto(const std::string& path) {
  std::string begin(1 << 12, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  google::protobuf::io::CodedInputStream input(
      reinterpret_cast<const std::uint8_t*>(begin.data()),
      static_cast<int>(begin.size()));
  constexpr std::uint32_t kPacket = 0x0a;  // field 1, of so many bytes
  std::uint32_t size = 0;
  std::string packet;
  google::protobuf::UnknownFieldSet fields;
  if (input.ReadTag() != kPacket || !input.ReadVarint32(&size) ||
      size > begin.size() ||
      !input.ReadString(&packet, static_cast<int>(size)) ||
      !fields.ParseFromString(packet)) {
    return false;
  }
  // A clock snapshot, a time, a sequence, an event of a track, interned data, a
  // track.
  constexpr int kOfPackets[] = {6, 8, 10, 11, 12, 60};
  for (int i = 0; i < fields.field_count(); ++i) {
    if (absl::c_linear_search(kOfPackets, fields.field(i).number())) {
      return true;
    }
  }
  return false;
}

absl::Status PerfettoError(const std::string& path) {
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", path,
      "\" is a trace in Perfetto's form, which ui.perfetto.dev shows, and "
      "which this program writes and does not read: give it the file that it "
      "was converted from, or trace the run with run_graph "
      "--trace=FILE.trace"));
}

}  // namespace

absl::StatusOr<Trace> ReadAnyTrace(const std::string& path) {
  absl::StatusOr<Trace> trace = ReadTraceFile(path);
  if (absl::IsNotFound(trace.status())) {
    return absl::NotFoundError(
        absl::StrCat(trace.status().message(), PathHint(path)));
  }
  // Only what does not begin as a trace may be something else. A pipe has been
  // read by now.
  if (!absl::IsInvalidArgument(trace.status()) || !IsFileWithContent(path)) {
    return trace;
  }
  if (IsPerfetto(path)) return PerfettoError(path);
  absl::StatusOr<Trace> profile = ReadGraphProfileFile(path);
  if (!profile.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        trace.status().message(),
        "; nor is it a GraphProfile: ", profile.status().message()));
  }
  // Bytes of something else may be a message that says nothing.
  if (profile->header.node_size() == 0 && profile->num_events() == 0) {
    return trace;
  }
  SYNCLINE_RETURN_IF_ERROR(CheckTrace(*profile));
  return profile;
}

std::string MissingText(const std::string& path, const Trace& trace) {
  std::vector<std::string> missing;
  if (trace.is_cut_off) {
    missing.push_back(
        "its end is missing, as the program was ended or the disk "
        "was full");
  }
  if (trace.num_lost() > 0) {
    missing.push_back(absl::StrCat(trace.num_lost(), " events are lost"));
  }
  if (missing.empty()) return "";
  return absl::StrCat("the trace \"", path,
                      "\" is not whole: ", absl::StrJoin(missing, ", and "));
}

}  // namespace syncline
