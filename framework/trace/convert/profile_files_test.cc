#include "framework/trace/convert/profile_files.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GraphProfile Part(int number) {
  GraphProfile part;
  part.mutable_config()->add_node()->set_name("a");
  GraphTrace* const trace = part.add_graph_trace();
  trace->add_calculator_name("a");
  trace->add_stream_name("");
  trace->add_calculator_trace()->set_start_time(number);
  return part;
}

GraphProfile EmptyPart() {
  GraphProfile part = Part(0);
  part.mutable_graph_trace(0)->clear_calculator_trace();
  CalculatorProfile* const node = part.add_calculator_profiles();
  node->mutable_process_runtime()->add_count(0);
  return part;
}

class ProfileFilesTest : public ::testing::Test {
 protected:
  ProfileFilesTest() {
    folder_ = absl::StrCat(
        testing::TempDir(), "/profile_files_",
        testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    config_.set_trace_log_path(folder_ + "/run_");
  }
  ~ProfileFilesTest() override { std::filesystem::remove_all(folder_); }

  ProfileFiles Make() {
    auto files = ProfileFiles::Make(config_);
    SYNCLINE_EXPECT_OK(files);
    return *std::move(files);
  }
  std::string Path(const std::string& name) const {
    return absl::StrCat(folder_, "/", name);
  }
  std::vector<std::string> FilesThere() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  GraphProfile Content(const std::string& name) const {
    std::ifstream in(Path(name), std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    GraphProfile profile;
    EXPECT_TRUE(profile.ParseFromString(bytes.str()));
    return profile;
  }
  // The numbers of the parts in a file.
  std::vector<std::int64_t> Parts(const std::string& name) const {
    std::vector<std::int64_t> numbers;
    const GraphProfile profile = Content(name);
    for (const GraphTrace& trace : profile.graph_trace()) {
      for (const auto& event : trace.calculator_trace()) {
        numbers.push_back(event.start_time());
      }
    }
    return numbers;
  }

  std::string folder_;
  ProfilerConfig config_;
};

TEST_F(ProfileFilesTest, PartsGoInTurnIntoTheFiles) {
  config_.set_trace_log_count(2);
  config_.set_trace_log_interval_count(2);
  ProfileFiles files = Make();
  for (int i = 0; i < 3; ++i) SYNCLINE_ASSERT_OK(files.Write(Part(i)));
  EXPECT_THAT(Parts("run_0.binarypb"), ElementsAre(0, 1));
  EXPECT_THAT(Parts("run_1.binarypb"), ElementsAre(2));
  for (int i = 3; i < 5; ++i) SYNCLINE_ASSERT_OK(files.Write(Part(i)));
  // The first file begins anew.
  EXPECT_THAT(Parts("run_0.binarypb"), ElementsAre(4));
  EXPECT_THAT(Parts("run_1.binarypb"), ElementsAre(2, 3));
  EXPECT_EQ(files.num_written(), 5);
  EXPECT_THAT(FilesThere(), ElementsAre("run_0.binarypb", "run_1.binarypb"));
}

TEST_F(ProfileFilesTest, TheDefaultIsTwoFilesOfTenParts) {
  ProfileFiles files = Make();
  for (int i = 0; i < 21; ++i) SYNCLINE_ASSERT_OK(files.Write(Part(i)));
  EXPECT_THAT(Parts("run_0.binarypb"), ElementsAre(20));
  EXPECT_EQ(Parts("run_1.binarypb").size(), 10u);
}

TEST_F(ProfileFilesTest, OnlyTheFirstPartOfAFileHasConfigAndNames) {
  config_.set_trace_log_interval_count(2);
  ProfileFiles files = Make();
  for (int i = 0; i < 4; ++i) SYNCLINE_ASSERT_OK(files.Write(Part(i)));
  for (const char* const name : {"run_0.binarypb", "run_1.binarypb"}) {
    const GraphProfile profile = Content(name);
    EXPECT_EQ(profile.config().node_size(), 1);
    ASSERT_EQ(profile.graph_trace_size(), 2);
    EXPECT_THAT(profile.graph_trace(0).calculator_name(), ElementsAre("a"));
    EXPECT_THAT(profile.graph_trace(1).calculator_name(), IsEmpty());
    EXPECT_EQ(profile.graph_trace(1).stream_name_size(), 1);
  }
}

TEST_F(ProfileFilesTest, TheFirstWriteReplacesAnOldFile) {
  std::ofstream(Path("run_0.binarypb")) << "something that is no profile";
  ProfileFiles files = Make();
  SYNCLINE_ASSERT_OK(files.Write(Part(7)));
  EXPECT_THAT(Parts("run_0.binarypb"), ElementsAre(7));
}

TEST_F(ProfileFilesTest, AnEmptyPartNeitherBeginsAFileNorCounts) {
  config_.set_trace_log_count(1);
  config_.set_trace_log_interval_count(1);
  ProfileFiles files = Make();
  SYNCLINE_ASSERT_OK(files.Write(Part(1)));
  SYNCLINE_ASSERT_OK(files.Write(EmptyPart()));
  EXPECT_THAT(Parts("run_0.binarypb"), ElementsAre(1));
  EXPECT_EQ(files.num_written(), 1);
}

TEST_F(ProfileFilesTest, ARunWithoutEventsLeavesItsConfig) {
  ProfileFiles files = Make();
  SYNCLINE_ASSERT_OK(files.Write(EmptyPart()));
  EXPECT_EQ(Content("run_0.binarypb").config().node_size(), 1);
}

TEST_F(ProfileFilesTest, HistogramsAloneAreSomethingNew) {
  ProfileFiles files = Make();
  SYNCLINE_ASSERT_OK(files.Write(EmptyPart()));
  GraphProfile counted = EmptyPart();
  counted.mutable_calculator_profiles(0)->mutable_process_runtime()->set_count(
      0, 3);
  SYNCLINE_ASSERT_OK(files.Write(counted));
  EXPECT_EQ(files.num_written(), 2);
  // Close() comes after the last call of Process().
  GraphProfile closed = EmptyPart();
  closed.mutable_calculator_profiles(0)->set_close_runtime(9);
  SYNCLINE_ASSERT_OK(files.Write(closed));
  EXPECT_EQ(files.num_written(), 3);
  SYNCLINE_ASSERT_OK(files.Write(closed));
  EXPECT_EQ(files.num_written(), 3);
}

TEST_F(ProfileFilesTest, AnEmptyPathMeansTheFolderForTemporaryFiles) {
  config_.clear_trace_log_path();
  ASSERT_EQ(setenv("TMPDIR", folder_.c_str(), 1), 0);
  ProfileFiles files = Make();
  EXPECT_EQ(files.NextPath(), Path("mediapipe_trace_0.binarypb"));
  SYNCLINE_ASSERT_OK(files.Write(Part(1)));
  EXPECT_THAT(Parts("mediapipe_trace_0.binarypb"), ElementsAre(1));
  // Somebody else could have put a link there.
  std::filesystem::remove(Path("mediapipe_trace_0.binarypb"));
  std::ofstream(Path("precious")) << "text";
  std::filesystem::create_symlink(Path("precious"),
                                  Path("mediapipe_trace_0.binarypb"));
  EXPECT_FALSE(files.Write(Part(2)).ok());
  EXPECT_EQ(std::filesystem::file_size(Path("precious")), 4u);
  unsetenv("TMPDIR");
}

TEST_F(ProfileFilesTest, NothingIsWrittenWhereFilesAreSwitchedOff) {
  config_.set_trace_log_disabled(true);
  config_.set_trace_log_path("/no/such/folder/run_");
  ProfileFiles files = Make();
  SYNCLINE_EXPECT_OK(files.Write(Part(1)));
  EXPECT_EQ(files.num_written(), 0);
}

TEST_F(ProfileFilesTest, AMissingFolderIsAnErrorThatNamesIt) {
  config_.set_trace_log_path(folder_ + "/missing/run_");
  EXPECT_THAT(
      ProfileFiles::Make(config_),
      StatusIs(absl::StatusCode::kNotFound,
               AllOf(HasSubstr("trace_log_path"), HasSubstr("/missing/"),
                     HasSubstr("does not exist"))));
  std::ofstream(folder_ + "/file") << "x";
  config_.set_trace_log_path(folder_ + "/file/run_");
  EXPECT_THAT(ProfileFiles::Make(config_),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(ProfileFilesTest, CountsThatAreOutOfRangeAreErrors) {
  config_.set_trace_log_count(-1);
  EXPECT_THAT(ProfileFiles::Make(config_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("trace_log_count is -1")));
  config_.set_trace_log_count(1);
  config_.set_trace_log_interval_count(-5);
  EXPECT_THAT(ProfileFiles::Make(config_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("trace_log_interval_count is -5")));
  config_.set_trace_log_interval_count(1);
  config_.set_trace_log_path(std::string("a\0b", 3));
  EXPECT_THAT(
      ProfileFiles::Make(config_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("zero byte")));
}

TEST_F(ProfileFilesTest, AnErrorIsReturnedOnceAndThePartIsTriedAgain) {
  ProfileFiles files = Make();
  SYNCLINE_ASSERT_OK(files.Write(Part(1)));
  std::filesystem::rename(Path("run_0.binarypb"), Path("kept"));
  std::filesystem::create_directory(Path("run_0.binarypb"));
  EXPECT_THAT(files.Write(Part(2)).message(), HasSubstr("run_0.binarypb"));
  SYNCLINE_EXPECT_OK(files.Write(Part(3)));
  EXPECT_EQ(files.num_failed(), 2);
  EXPECT_EQ(files.num_written(), 1);
  std::filesystem::remove(Path("run_0.binarypb"));
  std::filesystem::rename(Path("kept"), Path("run_0.binarypb"));
  SYNCLINE_EXPECT_OK(files.Write(Part(4)));
  EXPECT_THAT(Parts("run_0.binarypb"), ElementsAre(1, 4));
  // The next error is a new one.
  std::filesystem::rename(Path("run_0.binarypb"), Path("kept"));
  std::filesystem::create_directory(Path("run_0.binarypb"));
  EXPECT_FALSE(files.Write(Part(5)).ok());
}

TEST_F(ProfileFilesTest, AFullDiskLeavesNoHalfOfAPart) {
  ProfileFiles files = Make();
  SYNCLINE_ASSERT_OK(files.Write(Part(1)));
  const auto size = std::filesystem::file_size(Path("run_0.binarypb"));
  // A file may not become larger, as if the disk were full.
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit old_limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  struct rlimit limit = old_limit;
  limit.rlim_cur = size + 5;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const absl::Status status = files.Write(Part(2));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_THAT(status.message(), HasSubstr("cannot write the trace file"));
  EXPECT_EQ(std::filesystem::file_size(Path("run_0.binarypb")), size);
  SYNCLINE_EXPECT_OK(files.Write(Part(3)));
  EXPECT_THAT(Parts("run_0.binarypb"), ElementsAre(1, 3));
}

TEST_F(ProfileFilesTest, WhatIsNoOrdinaryFileIsLeftAlone) {
  ASSERT_EQ(mkfifo(Path("run_0.binarypb").c_str(), 0600), 0);
  ProfileFiles files = Make();
  // Nobody reads the pipe, and no write waits for that.
  EXPECT_FALSE(files.Write(Part(1)).ok());
}

TEST_F(ProfileFilesTest, AFileForWhichThereIsNoRoomIsTakenAway) {
  rlimit old_limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  rlimit limit = old_limit;
  limit.rlim_cur = 1;
  std::signal(SIGXFSZ, SIG_IGN);
  ProfileFiles files = Make();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const absl::Status status = files.Write(Part(1));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  EXPECT_THAT(status.message(), HasSubstr("run_0.binarypb"));
  EXPECT_THAT(FilesThere(), IsEmpty());
}

}  // namespace
}  // namespace syncline
