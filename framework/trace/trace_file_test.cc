#include "framework/trace/trace_file.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TraceBuilder SmallRun() {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("a", {in});
  const int out = builder.AddOutput(node, "out");
  for (int i = 0; i < 10; ++i) {
    builder.On(0).At(100 * i).Sent(in, i).Ready(node, i);
    builder.On(1).At(100 * i + 20).Begin(node, i).Taken(in, i, 0);
    builder.At(100 * i + 50).End(node, i).Sent(out, i);
    if (i == 5) builder.Lost(7);
  }
  builder.Lost(2);
  return builder;
}

std::vector<std::string> EventsOf(const TraceEvents& events) {
  std::vector<std::string> texts;
  for (const TraceEvent& event : events) {
    texts.push_back(absl::StrCat(event.tick, " ", event.timestamp, " ",
                                 event.kind_and_id, " ", event.extra));
  }
  return texts;
}

void ExpectSame(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.header.SerializeAsString(), b.header.SerializeAsString());
  EXPECT_EQ(a.is_cut_off, b.is_cut_off);
  EXPECT_EQ(a.num_lost(), b.num_lost());
  EXPECT_EQ(a.clock_points.size(), b.clock_points.size());
  ASSERT_EQ(a.threads.size(), b.threads.size());
  for (std::size_t i = 0; i < a.threads.size(); ++i) {
    const TraceThread& x = a.threads[i];
    const TraceThread& y = b.threads[i];
    EXPECT_EQ(x.tid, y.tid);
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.num_lost, y.num_lost);
    EXPECT_EQ(EventsOf(x.events), EventsOf(y.events));
    ASSERT_EQ(x.events.pieces().size(), y.events.pieces().size());
    for (std::size_t p = 0; p < x.events.pieces().size(); ++p) {
      EXPECT_EQ(x.events.pieces()[p].lost_before,
                y.events.pieces()[p].lost_before);
    }
  }
}

std::string Written(const std::string& name, absl::string_view content) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/", name);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

void ExpectError(const absl::StatusOr<Trace>& trace, absl::StatusCode code,
                 const std::string& text) {
  EXPECT_EQ(trace.status().code(), code) << trace.status();
  EXPECT_THAT(std::string(trace.status().message()), HasSubstr(text));
}

// Content of whole chunks with a change.
std::string With(std::string content, std::size_t position,
                 std::uint32_t number) {
  std::memcpy(content.data() + position, &number, sizeof(number));
  return content;
}

std::string Chunk(TraceChunk chunk, absl::string_view content) {
  chunk.size = static_cast<std::uint32_t>(content.size());
  std::string bytes(reinterpret_cast<const char*>(&chunk), sizeof(chunk));
  bytes.append(content.data(), content.size());
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return bytes;
}

TEST(TraceFileTest, ReadsWhatWasWritten) {
  Trace trace = SmallRun().Build();
  trace.clock_points = {{0, 5, 7}, {1000, 400, 500}};
  const auto read = ParseTraceFile(TraceFileContent(trace), "x");
  SYNCLINE_ASSERT_OK(read);
  ExpectSame(*read, trace);
  EXPECT_FALSE(read->is_cut_off);
  EXPECT_EQ(read->num_lost(), 9);
  EXPECT_EQ(read->Ns(1000), 400);
  EXPECT_EQ(read->UnixNs(1000), 500);
}

TEST(TraceFileTest, ReadsATraceOfNothing) {
  Trace trace;
  trace.clock_points.emplace_back();
  const auto read = ParseTraceFile(TraceFileContent(trace), "x");
  SYNCLINE_ASSERT_OK(read);
  ExpectSame(*read, trace);
}

TEST(TraceFileTest, ReadsSmallFiles) {
  const Trace trace = SmallRun().Build();
  const auto read = ReadTraceFile(Written("small", TraceFileContent(trace)));
  SYNCLINE_ASSERT_OK(read);
  ExpectSame(*read, trace);
}

TEST(TraceFileTest, ReadsLargeFilesByMappingThem) {
  TraceBuilder builder;
  const int node = builder.AddNode("a");
  for (int i = 0; i < 60000; ++i) builder.At(i).Begin(node, i);
  const Trace trace = builder.Build();
  const std::string path = Written("large", TraceFileContent(trace));
  ASSERT_GT(std::filesystem::file_size(path), 1 << 20);
  auto read = ReadTraceFile(path);
  SYNCLINE_ASSERT_OK(read);
  // What was mapped stays though the file has no name any more.
  std::filesystem::remove(path);
  ExpectSame(*read, trace);
}

TEST(TraceFileTest, ReadsFromAPipe) {
  const Trace trace = SmallRun().Build();
  const std::string path = absl::StrCat(::testing::TempDir(), "/pipe");
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string content = TraceFileContent(trace);
  const pid_t child = fork();
  if (child == 0) {
    std::ofstream(path, std::ios::binary) << content;
    _exit(0);
  }
  const auto read = ReadTraceFile(path);
  waitpid(child, nullptr, 0);
  SYNCLINE_ASSERT_OK(read);
  ExpectSame(*read, trace);
}

TEST(TraceFileTest, AThreadsChunksNeedNotBeNextToEachOther) {
  const auto event = [](std::uint64_t tick) {
    const TraceEvent e = {tick, 0, 0, 0};
    return std::string(reinterpret_cast<const char*>(&e), sizeof(e));
  };
  const std::string content = absl::StrCat(
      TraceFileHead(TraceFileHeader()),
      Chunk({.kind = TraceChunk::Kind::kEvents, .thread = 0}, event(1)),
      Chunk({.kind = TraceChunk::Kind::kEvents, .thread = 1}, event(2)),
      Chunk({.kind = TraceChunk::Kind::kEvents, .thread = 0, .value = 4},
            event(3) + event(4)),
      Chunk({.kind = TraceChunk::Kind::kEnd, .value = 6}, ""));
  const auto read = ParseTraceFile(content, "x");
  SYNCLINE_ASSERT_OK(read);
  ASSERT_EQ(read->threads.size(), 2);
  EXPECT_EQ(read->threads[0].events.size(), 3);
  EXPECT_EQ(read->threads[0].events.back().tick, 4);
  EXPECT_EQ(read->threads[0].num_lost, 4);
  EXPECT_EQ(read->num_lost_elsewhere, 2);
  EXPECT_EQ(read->num_lost(), 6);
}

TEST(TraceFileTest, PassesOverChunksOfOtherKinds) {
  const std::string content = absl::StrCat(
      TraceFileHead(TraceFileHeader()),
      Chunk({.kind = static_cast<TraceChunk::Kind>(77), .thread = 1 << 30},
            "something"),
      Chunk({.kind = TraceChunk::Kind::kEnd}, ""));
  const auto read = ParseTraceFile(content, "x");
  SYNCLINE_ASSERT_OK(read);
  EXPECT_FALSE(read->is_cut_off);
  EXPECT_TRUE(read->threads.empty());
}

TEST(TraceFileTest, RefusesWhatIsNoTrace) {
  ExpectError(ParseTraceFile("", "a.trace"), absl::StatusCode::kInvalidArgument,
              "\"a.trace\" is no trace: the file is empty");
  for (const std::string content : {"SYN", "node { }", "SYNTRACF    "}) {
    ExpectError(ParseTraceFile(content, "a.trace"),
                absl::StatusCode::kInvalidArgument,
                "\"a.trace\" is no trace: it does not begin with");
  }
}

TEST(TraceFileTest, RefusesFilesThatCannotBeRead) {
  const std::string none = absl::StrCat(::testing::TempDir(), "/none");
  ExpectError(ReadTraceFile(none), absl::StatusCode::kNotFound, none);
  EXPECT_FALSE(ReadTraceFile(::testing::TempDir()).ok());
}

TEST(TraceFileTest, AFileWithoutEndIsNotReadToTheEnd) {
  ExpectError(ReadTraceFile("/dev/zero"), absl::StatusCode::kInvalidArgument,
              "is no trace");
}

TEST(TraceFileTest, RefusesAnotherVersion) {
  const std::string content = TraceFileContent(SmallRun().Build());
  ExpectError(ParseTraceFile(With(content, 8, 2), "a.trace"),
              absl::StatusCode::kUnimplemented,
              "\"a.trace\" is of version 2, and this program reads version 1");
}

TEST(TraceFileTest, RefusesADamagedHead) {
  const std::string content = TraceFileContent(SmallRun().Build());
  ExpectError(ParseTraceFile(With(content, 12, 0xfffffff0), "a.trace"),
              absl::StatusCode::kDataLoss, "it ends before the names");
  ExpectError(ParseTraceFile(With(content, 16, 0xffffffff), "a.trace"),
              absl::StatusCode::kDataLoss, "cannot be read");
  ExpectError(ParseTraceFile(content.substr(0, 20), "a.trace"),
              absl::StatusCode::kDataLoss, "it ends before the names");
  ExpectError(ParseTraceFile(content.substr(0, 10), "a.trace"),
              absl::StatusCode::kDataLoss, "it ends before the names");
}

TEST(TraceFileTest, RefusesChunksWithNumbersThatCannotBe) {
  const std::string head = TraceFileHead(TraceFileHeader());
  const auto parse = [&head](TraceChunk chunk, absl::string_view content) {
    return ParseTraceFile(absl::StrCat(head, Chunk(chunk, content)), "x");
  };
  ExpectError(parse({.kind = TraceChunk::Kind::kEvents}, "12345"),
              absl::StatusCode::kDataLoss, "a chunk of events has 5 bytes");
  ExpectError(parse({.kind = TraceChunk::Kind::kClockPoint}, "12345"),
              absl::StatusCode::kDataLoss, "a clock point has 5 bytes");
  ExpectError(
      parse({.kind = TraceChunk::Kind::kThread, .thread = 0xffffffff}, "t"),
      absl::StatusCode::kDataLoss, "there is a thread 4294967295");
  ExpectError(parse({.kind = TraceChunk::Kind::kEvents, .value = ~0ull}, ""),
              absl::StatusCode::kDataLoss, "events are lost");
  ExpectError(parse({.kind = TraceChunk::Kind::kEnd, .value = ~0ull}, ""),
              absl::StatusCode::kDataLoss, "events are lost");
}

TEST(TraceFileTest, RefusesEventsOfWhatTheGraphDoesNotHave) {
  TraceBuilder builder;
  builder.Begin(3, 1);
  ExpectError(ParseTraceFile(TraceFileContent(builder.Build()), "a.trace"),
              absl::StatusCode::kDataLoss,
              "\"a.trace\" is damaged: event 0 of thread 0: there is no node");
}

TEST(TraceFileTest, EveryShorterFileIsCutOffOrRefused) {
  const Trace trace = SmallRun().Build();
  const std::string content = TraceFileContent(trace);
  const std::size_t head = TraceFileHead(trace.header).size();
  for (std::size_t size = 0; size < content.size(); ++size) {
    const auto read = ParseTraceFile(content.substr(0, size), "x");
    if (size < head - 7) {
      EXPECT_FALSE(read.ok()) << size;
    } else if (size >= head) {
      SYNCLINE_ASSERT_OK(read);
      EXPECT_TRUE(read->is_cut_off) << size;
      EXPECT_LE(read->num_events(), trace.num_events());
    }
  }
}

TEST(TraceFileTest, KeepsWhatIsBeforeATailOfGarbage) {
  const Trace trace = SmallRun().Build();
  std::string content = TraceFileContent(trace);
  content.resize(content.size() - sizeof(TraceChunk));  // kEnd
  for (const std::string& tail :
       {std::string(1000, '\0'), std::string("garbage"), std::string(99, 'x'),
        std::string("CHNK")}) {
    const auto read = ParseTraceFile(content + tail, "x");
    SYNCLINE_ASSERT_OK(read);
    EXPECT_TRUE(read->is_cut_off);
    EXPECT_EQ(read->num_events(), trace.num_events());
  }
}

TEST(TraceFileTest, TwoTracesInOneFileAreNotReadAsOne) {
  const std::string content = TraceFileContent(SmallRun().Build());
  const std::string begin =
      absl::StrCat("\"a.trace\" ends at byte ", content.size(), ", and ");
  ExpectError(ParseTraceFile(content + content, "a.trace"),
              absl::StatusCode::kDataLoss,
              absl::StrCat(begin, content.size(),
                           " bytes follow, as of another trace: give each"));
  ExpectError(ParseTraceFile(content + "more", "a.trace"),
              absl::StatusCode::kDataLoss,
              absl::StrCat(begin, "4 bytes follow, which are none of its"));
}

TEST(TraceFileTest, ATraceThatWasCutOffStaysSo) {
  Trace trace = SmallRun().Build();
  trace.is_cut_off = true;
  const auto read = ParseTraceFile(TraceFileContent(trace), "x");
  SYNCLINE_ASSERT_OK(read);
  EXPECT_TRUE(read->is_cut_off);
}

// Reads it, and whatever can be read is used.
void Use(const std::string& content) {
  const auto read = ParseTraceFile(content, "x");
  if (!read.ok()) return;
  const TraceCalls calls(*read);
  std::int64_t sum = 0;
  for (const TracedCall& call : calls.calls()) sum += call.num_taken;
  EXPECT_LE(sum, read->num_events());
  for (const TraceThread& thread : read->threads) {
    for (const TraceEvent& event : thread.events) read->UnixNs(event.tick);
  }
}

TEST(TraceFileTest, NoBytesCrashTheReader) {
  const std::string content = TraceFileContent(SmallRun().Build());
  std::mt19937 random(20261129);
  const auto below = [&random](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  for (int round = 0; round < 8000; ++round) {
    std::string changed = content;
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes; ++i) {
      switch (below(4)) {
        case 0:
          changed[below(changed.size())] ^= static_cast<char>(1 << below(8));
          break;
        case 1:
          changed[below(changed.size())] = static_cast<char>(below(256));
          break;
        case 2:
          changed.resize(1 + below(changed.size()));
          break;
        default: {
          const std::size_t from = below(changed.size());
          const std::string part =
              changed.substr(from, 1 + below(changed.size() - from));
          changed.insert(below(changed.size()), part);
        }
      }
    }
    Use(changed);
  }
}

}  // namespace
}  // namespace syncline
