#include "framework/base/thread_state.h"

#include <fcntl.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace syncline {

pid_t ThisThreadId() {
  thread_local const pid_t id = static_cast<pid_t>(syscall(SYS_gettid));
  return id;
}

namespace {

// Up to 256 bytes of a file that the kernel makes for the thread; empty if
// there is no such thread.
struct ThreadFile {
  ThreadFile(pid_t thread, const char* name) {
    std::array<char, 64> path;
    std::snprintf(path.data(), path.size(), "/proc/self/task/%d/%s", thread,
                  name);
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t size = read(file, bytes.data(), bytes.size());
    close(file);
    if (size <= 0) return;
    text = absl::string_view(bytes.data(), static_cast<std::size_t>(size));
  }
  std::array<char, 256> bytes;
  absl::string_view text;
};

}  // namespace

std::string ThreadName(pid_t thread) {
  const ThreadFile file(thread, "comm");
  return std::string(absl::StripTrailingAsciiWhitespace(file.text));
}

bool IsRunnable(pid_t thread) {
  const ThreadFile file(thread, "stat");
  // "12 (name) R 1 ...", and a name may have parentheses.
  const std::size_t name_end = file.text.rfind(')');
  return name_end != absl::string_view::npos &&
         file.text.substr(name_end, 3) == ") R";
}

const volatile std::uint32_t* ThisThreadCore() {
  if (__rseq_size == 0) return nullptr;
  char* const thread = static_cast<char*>(__builtin_thread_pointer());
  return &reinterpret_cast<struct rseq*>(thread + __rseq_offset)->cpu_id;
}

}  // namespace syncline
