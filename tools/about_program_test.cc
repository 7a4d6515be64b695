#include "tools/about_program.h"

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "framework/base/version.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// What is printed; "-" if the program is to work.
std::string Answer(std::vector<std::string> args,
                   const std::string& all_help = "all\n") {
  std::vector<char*> argv;
  args.insert(args.begin(), "program");
  for (std::string& arg : args) argv.push_back(arg.data());
  testing::internal::CaptureStdout();
  const absl::optional<int> status =
      PrintAboutProgram(static_cast<int>(argv.size()), argv.data(),
                        {"short\n", all_help, VersionLine("program")});
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(status.value_or(0), 0);
  return status.has_value() ? text : "-" + text;
}

TEST(AboutProgramTest, HelpIsShortUnlessAllIsAskedFor) {
  EXPECT_EQ(Answer({"--help"}), "short\n");
  EXPECT_EQ(Answer({"-h"}), "short\n");
  EXPECT_EQ(Answer({"--help=all"}), "all\n");
  EXPECT_EQ(Answer({"--helpfull"}), "all\n");
  EXPECT_EQ(Answer({"--help=all"}, ""), "short\n");
}

TEST(AboutProgramTest, TheVersionIsThatOfTheFramework) {
  EXPECT_EQ(Answer({"--graph=x", "--version"}),
            "program (Syncline " SYNCLINE_VERSION_STRING ")\n");
}

TEST(AboutProgramTest, OtherwiseTheProgramWorks) {
  EXPECT_EQ(Answer({}), "-");
  EXPECT_EQ(Answer({"--graph=--help"}), "-");
  EXPECT_EQ(Answer({"--", "--help", "--version", "--help=all"}), "-");
}

}  // namespace
}  // namespace syncline
