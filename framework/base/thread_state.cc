#include "framework/base/thread_state.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"

namespace syncline {

pid_t ThisThreadId() {
  thread_local const pid_t id = static_cast<pid_t>(syscall(SYS_gettid));
  return id;
}

bool IsRunnable(pid_t thread) {
  std::ifstream file(absl::StrCat("/proc/self/task/", thread, "/stat"));
  std::string line;
  std::getline(file, line);
  // "12 (name) R 1 ...", and a name may have parentheses.
  const std::string::size_type name_end = line.rfind(')');
  return name_end != std::string::npos && line.substr(name_end, 3) == ") R";
}

}  // namespace syncline
