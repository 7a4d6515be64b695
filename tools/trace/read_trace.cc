#include "tools/trace/read_trace.h"

#include <sys/stat.h>

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/status_macros.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/trace_file.h"

namespace syncline {
namespace {

bool IsFileWithContent(const std::string& path) {
  struct stat about = {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
         about.st_size > 0;
}

}  // namespace

absl::StatusOr<Trace> ReadAnyTrace(const std::string& path) {
  absl::StatusOr<Trace> trace = ReadTraceFile(path);
  // Only what does not begin as a trace may be something else. A pipe has been
  // read by now.
  if (!absl::IsInvalidArgument(trace.status()) || !IsFileWithContent(path)) {
    return trace;
  }
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
