#include "framework/trace/trace_writer.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/config/trace_file.pb.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_file.h"
#include "framework/trace/trace_lane.h"
#include "framework/trace/trace_recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string FileOfTest() {
  return absl::StrCat(
      ::testing::TempDir(), "/",
      ::testing::UnitTest::GetInstance()->current_test_info()->name(),
      ".trace");
}

TraceFileHeader HeaderOfTwo() {
  TraceFileHeader header;
  header.add_executor("");
  for (const char* const name : {"a", "b"}) {
    header.add_node()->set_name(name);
    header.add_stream()->set_name(name);
  }
  return header;
}

std::unique_ptr<TraceWriter> Start(
    const std::shared_ptr<TraceRecorder>& recorder, const std::string& path) {
  absl::StatusOr<std::unique_ptr<TraceWriter>> writer =
      TraceWriter::Start(recorder, HeaderOfTwo(), path);
  SYNCLINE_EXPECT_OK(writer);
  return *std::move(writer);
}

void Note(TraceRecorder* recorder, int count) {
  TraceLane* const lane = recorder->LaneOfThisThread();
  for (int i = 0; i < count; ++i) {
    lane->NoteNow(TraceKind::kSent, i % 2, i);
  }
}

std::vector<std::int64_t> Timestamps(const TraceThread& thread) {
  std::vector<std::int64_t> timestamps;
  for (const TraceEvent& event : thread.events) {
    timestamps.push_back(event.timestamp);
  }
  return timestamps;
}

std::vector<std::int64_t> UpTo(int count) {
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

TEST(TraceWriterTest, WritesTheEventsOfEachThread) {
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options());
  Note(recorder.get(), 7);  // before the trace begins
  const auto writer = Start(recorder, FileOfTest());
  Note(recorder.get(), 3);
  std::thread other([&] { Note(recorder.get(), 1'000); });
  other.join();
  absl::SleepFor(absl::Milliseconds(30));
  std::thread again([&] { Note(recorder.get(), 1); });
  again.join();
  SYNCLINE_EXPECT_OK(writer->Stop());
  EXPECT_EQ(writer->num_lost(), 0);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(FileOfTest()));
  EXPECT_FALSE(trace.is_cut_off);
  EXPECT_EQ(trace.header.node(1).name(), "b");
  ASSERT_THAT(trace.threads, SizeIs(3));
  EXPECT_EQ(Timestamps(trace.threads[0]), UpTo(3));
  EXPECT_EQ(Timestamps(trace.threads[1]), UpTo(1'000));
  EXPECT_EQ(Timestamps(trace.threads[2]), UpTo(1));
}

// Runs threads one after the other, each of which notes one event.
void NoteOnThreads(TraceRecorder* recorder,
                   const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::thread([recorder, &name] {
      pthread_setname_np(pthread_self(), name.c_str());
      Note(recorder, 1);
    }).join();
  }
}

TEST(TraceWriterTest, AThreadThatFollowsAnotherOneIsOneOfItsOwn) {
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options{.max_lanes = 1});
  TraceAppender file;
  SYNCLINE_ASSERT_OK(file.Open(FileOfTest(), HeaderOfTwo()));
  TraceRecorder::Position position;
  NoteOnThreads(recorder.get(), {"first", "second"});
  SYNCLINE_ASSERT_OK(file.Append(recorder->Take(TraceFileHeader(), &position)));
  NoteOnThreads(recorder.get(), {"third"});
  SYNCLINE_ASSERT_OK(file.Append(recorder->Take(TraceFileHeader(), &position)));
  SYNCLINE_ASSERT_OK(file.Close());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(FileOfTest()));
  std::vector<std::string> names;
  std::set<std::int64_t> tids;
  for (const TraceThread& thread : trace.threads) {
    names.push_back(thread.name);
    tids.insert(thread.tid);
    EXPECT_EQ(Timestamps(thread), UpTo(1));
  }
  EXPECT_THAT(names, ElementsAre("first", "second", "third"));
  EXPECT_THAT(tids, SizeIs(3));
}

TEST(TraceWriterTest, AThreadThatGoesOnKeepsItsNumber) {
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options());
  TraceAppender file;
  SYNCLINE_ASSERT_OK(file.Open(FileOfTest(), HeaderOfTwo()));
  TraceRecorder::Position position;
  for (int part = 0; part < 3; ++part) {
    Note(recorder.get(), 1);
    SYNCLINE_ASSERT_OK(
        file.Append(recorder->Take(TraceFileHeader(), &position)));
  }
  SYNCLINE_ASSERT_OK(file.Close());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(FileOfTest()));
  ASSERT_THAT(trace.threads, SizeIs(1));
  EXPECT_EQ(trace.num_events(), 3);
}

TEST(TraceWriterTest, AThreadThatIsTooQuickLosesEventsAndTheFileSaysSo) {
  const auto recorder = std::make_shared<TraceRecorder>(
      TraceRecorder::Options{.events_per_lane = 64});
  const auto writer = Start(recorder, FileOfTest());
  constexpr int kEvents = 100'000;
  Note(recorder.get(), kEvents);
  SYNCLINE_EXPECT_OK(writer->Stop());
  EXPECT_GT(writer->num_lost(), 0);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(FileOfTest()));
  EXPECT_EQ(trace.num_lost(), writer->num_lost());
  EXPECT_EQ(trace.num_events() + trace.num_lost(), kEvents);
}

TEST(TraceWriterTest, WhatWasLostBeforeItsBeginIsNotTheTraces) {
  const auto recorder = std::make_shared<TraceRecorder>(
      TraceRecorder::Options{.events_per_lane = 64});
  Note(recorder.get(), 1'000);
  const auto writer = Start(recorder, FileOfTest());
  Note(recorder.get(), 3);
  SYNCLINE_EXPECT_OK(writer->Stop());
  EXPECT_EQ(writer->num_lost(), 0);
}

TEST(TraceWriterTest, APipeIsRefusedAndNotWaitedFor) {
  const std::string pipe = FileOfTest();
  unlink(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options());
  const absl::Status status =
      TraceWriter::Start(recorder, HeaderOfTwo(), pipe).status();
  EXPECT_THAT(status.message(), HasSubstr(absl::StrCat("\"", pipe, "\"")));
  EXPECT_THAT(status.message(), HasSubstr("it is a pipe"));
}

TEST(TraceWriterTest, ALinkIsNotFollowed) {
  const std::string link = FileOfTest();
  const std::string victim = absl::StrCat(link, ".victim");
  unlink(link.c_str());
  std::ofstream(victim) << "mine";
  ASSERT_EQ(symlink(victim.c_str(), link.c_str()), 0);
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options());
  EXPECT_THAT(
      TraceWriter::Start(recorder, HeaderOfTwo(), link).status().message(),
      HasSubstr("it is a link, as /dev/stdout is, and a trace needs an "
                "ordinary file"));
  std::string content;
  std::ifstream(victim) >> content;
  EXPECT_EQ(content, "mine");
}

TEST(TraceWriterTest, TheErrorNamesAFileThatCannotBeMade) {
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options());
  const absl::Status status =
      TraceWriter::Start(recorder, HeaderOfTwo(), "/no/such/folder/x.trace")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("\"/no/such/folder/x.trace\""));
}

// Lets files grow up to `bytes` while it lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

std::int64_t SizeOf(const std::string& path) {
  struct stat about = {};
  return stat(path.c_str(), &about) == 0 ? about.st_size : -1;
}

TEST(TraceWriterTest, WhatIsWholeStaysWhenTheDiskIsFull) {
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options());
  const auto writer = Start(recorder, FileOfTest());
  const std::int64_t before = SizeOf(FileOfTest());
  Note(recorder.get(), 100);
  const absl::Time end = absl::Now() + absl::Seconds(20);
  const auto bytes = static_cast<std::int64_t>(100 * sizeof(TraceEvent));
  while (SizeOf(FileOfTest()) < before + bytes && absl::Now() < end) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  absl::Status status;
  {
    const FileLimit limit(SizeOf(FileOfTest()));
    Note(recorder.get(), 5'000);
    status = writer->Stop();
  }
  EXPECT_THAT(
      status.message(),
      HasSubstr(absl::StrCat("\"", FileOfTest(), "\" cannot be written")));
  EXPECT_EQ(writer->Stop(), status);
  EXPECT_EQ(writer->num_lost(), 5'000);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(FileOfTest()));
  EXPECT_TRUE(trace.is_cut_off) << "its end had no room";
  EXPECT_EQ(trace.num_events(), 100);
}

TEST(TraceWriterTest, AsManyEventsAsTheDiskHasRoomForAreWritten) {
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options());
  TraceAppender file;
  SYNCLINE_ASSERT_OK(file.Open(FileOfTest(), HeaderOfTwo()));
  TraceRecorder::Position position;
  const auto append = [&](int count) {
    Note(recorder.get(), count);
    return file.Append(recorder->Take(TraceFileHeader(), &position));
  };
  SYNCLINE_ASSERT_OK(append(100));
  constexpr std::int64_t kRoom = 50'000;
  {
    const FileLimit limit(SizeOf(FileOfTest()) + kRoom);
    EXPECT_THAT(append(5'000).message(), HasSubstr("cannot be written"));
  }
  // There is room again.
  SYNCLINE_ASSERT_OK(append(10));
  SYNCLINE_ASSERT_OK(file.Close());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(FileOfTest()));
  EXPECT_FALSE(trace.is_cut_off);
  EXPECT_EQ(trace.num_lost(), file.num_lost());
  EXPECT_EQ(trace.num_events() + trace.num_lost(), 5'110);
  const auto size = static_cast<std::int64_t>(sizeof(TraceEvent));
  EXPECT_GT(trace.num_events(), 110 + (kRoom - 100 * size) / size);
  // The first ones are there, and the lost ones are missing before the last.
  ASSERT_THAT(trace.threads, SizeIs(1));
  const TraceEvents::Piece& last = trace.threads[0].events.pieces().back();
  EXPECT_EQ(last.events.size(), 10);
  EXPECT_EQ(last.lost_before, trace.num_lost());
}

}  // namespace
}  // namespace syncline
