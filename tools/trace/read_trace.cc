#include "tools/trace/read_trace.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/trace/trace_file.h"

namespace syncline {

absl::StatusOr<Trace> ReadAnyTrace(const std::string& path) {
  return ReadTraceFile(path);
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
