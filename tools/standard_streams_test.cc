// In children of the test: it closes standard streams.
#include "tools/standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "gtest/gtest.h"

namespace syncline {
namespace {

// Each ends the child, with 0 where all is as it should be.

[[noreturn]] void CloseAllAndOpenAFile() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(fd);
  KeepStandardStreamsApart();
  char byte = 0;
  if (read(STDIN_FILENO, &byte, 1) != -1 || errno != EBADF) _exit(1);
  if (write(STDOUT_FILENO, "x", 1) != -1 || errno != EBADF) _exit(2);
  if (write(STDERR_FILENO, "x", 1) != -1 || errno != EBADF) _exit(3);
  _exit(open("/dev/null", O_RDONLY) > STDERR_FILENO ? 0 : 4);
}

[[noreturn]] void CloseOnlyOutput() {
  struct stat input = {};
  struct stat error = {};
  if (fstat(STDIN_FILENO, &input) != 0) _exit(1);
  if (fstat(STDERR_FILENO, &error) != 0) _exit(2);
  close(STDOUT_FILENO);
  KeepStandardStreamsApart();
  struct stat now = {};
  fstat(STDIN_FILENO, &now);
  if (now.st_ino != input.st_ino || now.st_dev != input.st_dev) _exit(3);
  fstat(STDERR_FILENO, &now);
  if (now.st_ino != error.st_ino || now.st_dev != error.st_dev) _exit(4);
  if ((fcntl(STDERR_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY) _exit(5);
  _exit((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY ? 0 : 6);
}

TEST(StandardStreamsTest, AFileThatIsOpenedGetsNoneOfTheirNumbers) {
  EXPECT_EXIT(CloseAllAndOpenAFile(), ::testing::ExitedWithCode(0), "");
}

TEST(StandardStreamsTest, OnesThatAreOpenStayAsTheyAre) {
  EXPECT_EXIT(CloseOnlyOutput(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace syncline
