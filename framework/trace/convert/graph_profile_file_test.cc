// Files of GraphProfiles: parts one behind the other, cut off, and damaged.

#include <sys/stat.h>

#include <fstream>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// A part with an event at each of the times from `first`.
GraphProfile Part(int first, int events) {
  GraphProfile profile;
  GraphTrace* const trace = profile.add_graph_trace();
  trace->set_base_time(1'000'000);
  trace->set_base_timestamp(0);
  trace->add_calculator_name("a");
  trace->add_stream_name("");
  for (int i = 0; i < events; ++i) {
    GraphTrace::CalculatorTrace* const event = trace->add_calculator_trace();
    event->set_node_id(0);
    event->set_event_type(GraphTrace::NOT_READY);
    event->set_start_time(first + i);
  }
  profile.add_calculator_profiles()->set_name("a");
  return profile;
}

std::string FileOf(const std::string& name, const std::string& bytes) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(GraphProfileFileTest, PartsBehindEachOtherAreOneTrace) {
  const std::string path =
      FileOf("parts.binarypb",
             Part(1, 3).SerializeAsString() + Part(10, 2).SerializeAsString());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadGraphProfileFile(path));
  EXPECT_EQ(trace.num_events(), 5);
  EXPECT_FALSE(trace.is_cut_off);
  EXPECT_EQ(trace.UnixNs(trace.threads[0].events.back().tick), 1'000'011'000);
}

TEST(GraphProfileFileTest, AFileThatIsCutOffGivesWhatIsThere) {
  const std::string first = Part(1, 3).SerializeAsString();
  const std::string bytes = first + Part(10, 5).SerializeAsString();
  std::int64_t last = 0;
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    const auto content = ParseGraphProfile(bytes.substr(0, size), "cut");
    SYNCLINE_ASSERT_OK(content);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace,
                                  FromGraphProfile(content->profile));
    EXPECT_GE(trace.num_events(), last);
    last = trace.num_events();
    if (size > first.size()) {
      EXPECT_GE(last, 3);
    }
  }
  EXPECT_EQ(last, 8);
  // In the middle of an event.
  const std::string path =
      FileOf("cut.binarypb", bytes.substr(0, first.size() + 25));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadGraphProfileFile(path));
  EXPECT_TRUE(trace.is_cut_off);
}

TEST(GraphProfileFileTest, DamageIsAnErrorWithItsPlace) {
  const std::string good = Part(1, 3).SerializeAsString();
  const auto error = [](const std::string& bytes) {
    return ParseGraphProfile(bytes, "bad").status();
  };
  const auto is = StatusIs(absl::StatusCode::kDataLoss, HasSubstr("\"bad\""));
  EXPECT_THAT(error(""), is);
  EXPECT_THAT(error("graph { node: 1 }\n"), is);
  EXPECT_THAT(error("\nnode { calculator: \"A\" }\n"), is);
  EXPECT_THAT(error(std::string(40, '\0')), is);
  EXPECT_THAT(error(std::string(40, '\xff')), is);
  // A field of no GraphProfile, after a part.
  EXPECT_THAT(error(good + "\x22\x01x"),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr(absl::StrCat("at byte ", good.size()))));
  EXPECT_THAT(error(good + "\x22\x7fx"), is);
  // An event in which nothing makes sense.
  EXPECT_THAT(error(std::string("\x0a\x04\x2a\x02\xff\xff", 6)), is);
  EXPECT_THAT(error(std::string("\x0a\x7f\x2a\x02\xff\xff", 6)), is);
}

TEST(GraphProfileFileTest, NoBytesBreakTheReader) {
  const std::string good =
      Part(1, 5).SerializeAsString() + Part(10, 5).SerializeAsString();
  std::mt19937 random(1);
  int readable = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = good;
    for (int change = 0; change < 3; ++change) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    const auto content = ParseGraphProfile(bytes, "changed");
    if (!content.ok()) continue;
    ++readable;
    (void)FromGraphProfile(content->profile);
  }
  EXPECT_GT(readable, 0);
  EXPECT_LT(readable, 3000);
}

TEST(GraphProfileFileTest, WhatCannotBeReadIsAnError) {
  EXPECT_THAT(ReadGraphProfileFile(testing::TempDir() + "/none.binarypb"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none")));
  EXPECT_THAT(ReadGraphProfileFile(testing::TempDir()).ok(), false);
  const std::string pipe = testing::TempDir() + "/pipe.binarypb";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(ReadGraphProfileFile(pipe),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("is empty")));
}

}  // namespace
}  // namespace syncline
