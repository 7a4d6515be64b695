#include "pages/dot/graphviz.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace {

// A picture of 1,000 nodes has 2 MB.
constexpr off_t kMostBytes = off_t{512} << 20;
constexpr std::size_t kMostErrorBytes = 500;
constexpr absl::Duration kBetweenLooks = absl::Milliseconds(10);

constexpr char kAdvice[] =
    "; a picture in a file whose name ends in .dot needs no Graphviz";

// A file in memory, which no other name leads to.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("graphviz", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (fd_ >= 0) close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }

  // Reading begins at the start.
  bool Fill(absl::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return lseek(fd_, 0, SEEK_SET) == 0;
  }

  off_t Size() const {
    struct stat about = {};
    return fstat(fd_, &about) == 0 ? about.st_size : 0;
  }

  std::string Contents(std::size_t most) const {
    std::string text(std::min(most, static_cast<std::size_t>(Size())), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t count =
          pread(fd_, &text[done], text.size() - done, static_cast<off_t>(done));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    text.resize(done);
    return text;
  }

 private:
  const int fd_;
};

struct Files {
  MemoryFile input;
  MemoryFile output;
  MemoryFile errors;
};

// In the new process, before the program: only calls that are safe after a fork
// of a process with threads. Returns if the program cannot be started.
void BecomeProgram(const char* program, char* const* arguments,
                   const Files& files, pid_t parent) {
  // Whoever waits for the picture may be ended by a signal. It is of no use
  // then.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  // Signals of the terminal are not for it.
  setpgid(0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGHUP}) {
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (dup2(files.input.fd(), STDIN_FILENO) < 0 ||
      dup2(files.output.fd(), STDOUT_FILENO) < 0 ||
      dup2(files.errors.fd(), STDERR_FILENO) < 0) {
    return;
  }
  execvp(program, arguments);
}

// The process, or the number of the error. It gets a group of its own, and none
// of the signals that are blocked or ignored here; it ends with the thread that
// started it.
int Start(const GraphvizOptions& options, const Files& files, pid_t* pid) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return errno;
  std::string program = options.program;
  std::string format = absl::StrCat("-T", options.format);
  char* const arguments[] = {program.data(), format.data(), nullptr};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    BecomeProgram(program.c_str(), arguments, files, parent);
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(ends[1], &error, sizeof(error));
    _exit(1);
  }
  int error = child < 0 ? errno : 0;
  close(ends[1]);
  // The pipe is closed when the program begins.
  ssize_t size = -1;
  if (child > 0) {
    do size = read(ends[0], &error, sizeof(error));
    while (size < 0 && errno == EINTR);
  }
  close(ends[0]);
  if (size == static_cast<ssize_t>(sizeof(error))) waitpid(child, nullptr, 0);
  *pid = child;
  return error;
}

// Until it has ended, and then its status; nothing if it had to be killed.
absl::StatusOr<int> WaitFor(pid_t pid, const Files& files,
                            const GraphvizOptions& options) {
  const absl::Time deadline = absl::Now() + options.timeout;
  absl::Status killed;
  while (true) {
    int status = 0;
    const pid_t ended = waitpid(pid, &status, killed.ok() ? WNOHANG : 0);
    if (ended == pid && killed.ok()) return status;
    if (ended == pid) return killed;
    if (ended < 0 && errno != EINTR) {
      return absl::ErrnoToStatus(errno, "waiting for Graphviz");
    }
    if (ended == 0 && absl::Now() > deadline) {
      killed = absl::DeadlineExceededError(absl::StrCat(
          "Graphviz (", Quoted(options.program), ") has taken longer than ",
          absl::FormatDuration(options.timeout), " and was ended", kAdvice));
    } else if (ended == 0 && files.output.Size() > kMostBytes) {
      killed = absl::ResourceExhaustedError(absl::StrCat(
          "Graphviz (", Quoted(options.program), ") has written more than ",
          kMostBytes >> 20, " MB and was ended", kAdvice));
    }
    if (killed.ok()) {
      absl::SleepFor(kBetweenLooks);
    } else {
      kill(-pid, SIGKILL);
    }
  }
}

// What it has said, in a line.
std::string Said(const MemoryFile& errors) {
  std::string said = errors.Contents(kMostErrorBytes);
  absl::StripAsciiWhitespace(&said);
  return said.empty() ? "" : absl::StrCat(": ", absl::Utf8SafeCHexEscape(said));
}

}  // namespace

absl::StatusOr<std::string> RunGraphviz(absl::string_view dot,
                                        const GraphvizOptions& options) {
  const Files files;
  if (files.input.fd() < 0 || files.output.fd() < 0 || files.errors.fd() < 0 ||
      !files.input.Fill(dot)) {
    return absl::ErrnoToStatus(errno, "a file in memory for Graphviz");
  }
  pid_t pid = 0;
  const int error = Start(options, files, &pid);
  if (error == ENOENT) {
    return absl::NotFoundError(absl::StrCat(
        "there is no program ", Quoted(options.program),
        ": install Graphviz (./setup --graphviz, or apt install graphviz)",
        kAdvice));
  }
  if (error != 0) {
    return absl::ErrnoToStatus(
        error, absl::StrCat("Graphviz (", Quoted(options.program),
                            ") cannot be started", kAdvice));
  }
  SYNCLINE_ASSIGN_OR_RETURN(const int status, WaitFor(pid, files, options));
  if (WIFSIGNALED(status)) {
    return absl::InternalError(absl::StrCat(
        "Graphviz (", Quoted(options.program), ") was ended by signal ",
        WTERMSIG(status), Said(files.errors), kAdvice));
  }
  if (WEXITSTATUS(status) != 0) {
    return absl::InternalError(absl::StrCat(
        "Graphviz (", Quoted(options.program), ") failed with status ",
        WEXITSTATUS(status), Said(files.errors), kAdvice));
  }
  std::string output =
      files.output.Contents(static_cast<std::size_t>(kMostBytes));
  if (output.empty()) {
    return absl::InternalError(
        absl::StrCat("Graphviz (", Quoted(options.program),
                     ") has written nothing", Said(files.errors), kAdvice));
  }
  return output;
}

}  // namespace syncline
