#include "pages/live/page_trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "glog/logging.h"

namespace syncline {
namespace {

absl::StatusOr<UniqueFd> OpenFile(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.IsValid()) return fd;
  return absl::ErrnoToStatus(
      errno, absl::StrCat("The trace \"", path, "\" cannot be read"));
}

std::string TemporaryFolder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == 0 ? "/tmp" : folder;
}

}  // namespace

PageTrace::PageTrace(CalculatorGraph* graph, std::string folder)
    : graph_(graph), folder_(folder.empty() ? TemporaryFolder() : folder) {}

PageTrace::~PageTrace() {
  if (is_on_) {
    const absl::Status stopped = Stop();
    LOG_IF(WARNING, !stopped.ok()) << "The trace of the page: " << stopped;
  }
}

absl::StatusOr<std::string> PageTrace::MakeFile() const {
  std::string path =
      absl::StrCat(folder_, "/syncline_page_", getpid(), "_XXXXXX.trace");
  const UniqueFd fd(mkostemps(path.data(), /*suffixlen=*/6, O_CLOEXEC));
  if (fd.IsValid()) return path;
  return absl::ErrnoToStatus(
      errno, absl::StrCat("A trace cannot be made in \"", folder_, "\""));
}

absl::Status PageTrace::Start() {
  if (is_on_) {
    return absl::FailedPreconditionError("A trace is being written already.");
  }
  absl::StatusOr<std::string> made = MakeFile();
  if (!made.ok()) {
    text_ = std::string(made.status().message());
    return made.status();
  }
  std::string path = *std::move(made);
  const absl::Status started = graph_->StartTrace(path);
  if (!started.ok()) {
    unlink(path.c_str());
    text_ = absl::IsAlreadyExists(started)
                ? "A trace of the program is being written already, such as "
                  "that of --trace: the page starts none beside it."
                : std::string(started.message());
    return absl::Status(started.code(), text_);
  }
  if (!path_.empty()) unlink(path_.c_str());
  path_ = std::move(path);
  is_on_ = true;
  text_ = absl::StrCat("A trace is being written into \"", path_, "\".");
  LOG(INFO) << text_;
  return started;
}

absl::Status PageTrace::Stop() {
  if (!is_on_) {
    return absl::FailedPreconditionError("No trace of the page is on.");
  }
  std::int64_t num_lost = 0;
  const absl::Status stopped = graph_->StopTrace(&num_lost);
  is_on_ = false;
  text_ = absl::StrCat("The trace is in \"", path_,
                       "\", until the next one begins.");
  if (num_lost > 0) {
    absl::StrAppend(&text_, " It has not ", num_lost,
                    " events, which came too fast.");
  }
  if (!stopped.ok()) absl::StrAppend(&text_, " ", stopped.message());
  LOG(INFO) << text_;
  return stopped;
}

absl::StatusOr<UniqueFd> PageTrace::Open() const {
  if (!has_file()) {
    return absl::FailedPreconditionError("No trace was written and stopped.");
  }
  return OpenFile(path_);
}

absl::StatusOr<UniqueFd> PageTrace::OpenRecent() const {
  SYNCLINE_ASSIGN_OR_RETURN(const std::string path, MakeFile());
  const absl::Status written = graph_->WriteFlightRecorder(path);
  absl::StatusOr<UniqueFd> file = absl::UnknownError("");
  if (written.ok()) {
    file = OpenFile(path);
  } else if (absl::IsFailedPrecondition(written)) {
    file = absl::FailedPreconditionError(
        "The program keeps no last events: its flight recorder is off "
        "(--flight_recorder=off).");
  } else {
    file = written;
  }
  // Whoever has it open reads it to the end.
  unlink(path.c_str());
  return file;
}

}  // namespace syncline
