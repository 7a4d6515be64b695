#include "tools/trace_flags.h"

#include <unistd.h>

#include <cstdlib>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

ABSL_FLAG(std::string, trace, "", "write what happens into this file");
ABSL_FLAG(std::string, flight_recorder, "on",
          "where the last events go after an error or a crash; off");

namespace syncline {

const char kTraceFlagsHelp[] =
    R"(  --trace=FILE         write what happens, call by call and packet by packet:
                       FILE.pftrace for ui.perfetto.dev, FILE.binarypb as
                       MediaPipe's GraphProfile, any other name for the program
                       trace, which makes reports of it and the other two
  --flight_recorder=FILE|off
                       the last events of the run are written here if it ends
                       with an error, if the process crashes, and at Ctrl-\;
                       without it, into a file of the folder for temporary ones
)";

std::vector<std::string> TraceFlagNames() {
  return {"trace", "flight_recorder"};
}

namespace {

std::string DefaultFlightRecorder() {
  const char* const folder = std::getenv("TMPDIR");
  return absl::StrCat(folder == nullptr || *folder == 0 ? "/tmp" : folder,
                      "/run_graph_", getpid(), ".trace");
}

}  // namespace

absl::StatusOr<TraceRequest> ReadTraceFlags() {
  TraceRequest request;
  request.trace = absl::GetFlag(FLAGS_trace);
  if (absl::EndsWith(request.trace, ".pftrace")) {
    request.form = TraceRequest::Form::kPerfetto;
  } else if (absl::EndsWith(request.trace, ".binarypb")) {
    request.form = TraceRequest::Form::kGraphProfile;
  }
  const std::string flight = absl::GetFlag(FLAGS_flight_recorder);
  if (flight == "on") {
    request.flight_recorder = DefaultFlightRecorder();
  } else if (flight != "off") {
    request.flight_recorder = flight;
  }
  if (flight.empty()) {
    return absl::InvalidArgumentError(
        "--flight_recorder takes the name of a file, on or off");
  }
  if (!request.trace.empty() && request.trace == request.flight_recorder) {
    return absl::InvalidArgumentError(
        "--trace and --flight_recorder cannot write the same file");
  }
  return request;
}

}  // namespace syncline
