#include "tools/terminal_colour.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "gtest/gtest.h"

namespace syncline {
namespace {

// A terminal of its own as standard error, as long as this lives.
class StandardErrorIsATerminal {
 public:
  StandardErrorIsATerminal()
      : terminal_(posix_openpt(O_RDWR | O_NOCTTY)), kept_(dup(STDERR_FILENO)) {
    EXPECT_EQ(grantpt(terminal_), 0);
    EXPECT_EQ(unlockpt(terminal_), 0);
    const int other_end = open(ptsname(terminal_), O_RDWR | O_NOCTTY);
    EXPECT_GE(other_end, 0);
    dup2(other_end, STDERR_FILENO);
    close(other_end);
  }
  ~StandardErrorIsATerminal() {
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    close(terminal_);
  }

 private:
  const int terminal_;
  const int kept_;
};

TEST(TerminalColourTest, ATerminalShowsColours) {
  const StandardErrorIsATerminal terminal;
  unsetenv("NO_COLOR");
  setenv("TERM", "xterm", 1);
  EXPECT_EQ(AsError("x:"), "\033[1;31mx:\033[0m");
  EXPECT_EQ(AsWarning("x:"), "\033[33mx:\033[0m");
}

TEST(TerminalColourTest, NoneWhereThatIsNotWanted) {
  const StandardErrorIsATerminal terminal;
  setenv("TERM", "xterm", 1);
  setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(AsError("x:"), "x:");
  // Only what is set to something counts.
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(ShowsColour(STDERR_FILENO));
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_EQ(AsError("x:"), "x:");
  unsetenv("TERM");
  EXPECT_EQ(AsWarning("x:"), "x:");
}

TEST(TerminalColourTest, AFileGetsNone) {
  unsetenv("NO_COLOR");
  setenv("TERM", "xterm", 1);
  const int file = open("/dev/null", O_WRONLY);
  EXPECT_FALSE(ShowsColour(file));
  close(file);
}

}  // namespace
}  // namespace syncline
