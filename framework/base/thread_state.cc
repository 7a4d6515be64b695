#include "framework/base/thread_state.h"

#include <fcntl.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "absl/strings/string_view.h"

namespace syncline {

pid_t ThisThreadId() {
  thread_local const pid_t id = static_cast<pid_t>(syscall(SYS_gettid));
  return id;
}

bool IsRunnable(pid_t thread) {
  std::array<char, 64> path;
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/stat", thread);
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 256> text;
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  if (size <= 0) return false;
  const absl::string_view line(text.data(), static_cast<std::size_t>(size));
  // "12 (name) R 1 ...", and a name may have parentheses.
  const std::size_t name_end = line.rfind(')');
  return name_end != absl::string_view::npos &&
         line.substr(name_end, 3) == ") R";
}

const volatile std::uint32_t* ThisThreadCore() {
  if (__rseq_size == 0) return nullptr;
  char* const thread = static_cast<char*>(__builtin_thread_pointer());
  return &reinterpret_cast<struct rseq*>(thread + __rseq_offset)->cpu_id;
}

}  // namespace syncline
