// What is written is read back by the numbers of MediaPipe's schema alone: a
// wrong field number in our schema, which all else here shares, would be found.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/port/status_matchers.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/convert/test_trace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

// The fields of a message: numbers, and bytes, by field number.
struct Message {
  std::map<int, std::vector<std::int64_t>> numbers;
  std::map<int, std::vector<std::string>> bytes;

  std::int64_t Number(int field) const {
    const auto found = numbers.find(field);
    return found == numbers.end() ? -999 : found->second[0];
  }
  std::vector<Message> Messages(int field) const;
};

Message Read(const std::string& bytes) {
  Message message;
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      EXPECT_LT(at, bytes.size());
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.size()) {
    const std::uint64_t tag = varint();
    const int field = static_cast<int>(tag >> 3);
    if ((tag & 7) == 0) {
      message.numbers[field].push_back(static_cast<std::int64_t>(varint()));
    } else {
      EXPECT_EQ(tag & 7, 2u);
      const std::uint64_t size = varint();
      EXPECT_LE(at + size, bytes.size());
      message.bytes[field].push_back(bytes.substr(at, size));
      at += size;
    }
  }
  return message;
}

std::vector<Message> Message::Messages(int field) const {
  std::vector<Message> messages;
  const auto found = bytes.find(field);
  if (found == bytes.end()) return messages;
  for (const std::string& inner : found->second) {
    messages.push_back(Read(inner));
  }
  return messages;
}

TEST(GraphProfileWireTest, FieldsHaveTheNumbersOfMediaPipe) {
  TestTrace made;
  made.AddNode("a", {"in"}, {"out"});
  made.AddNode("b", {"out"}, {});
  made.AddThread("t", 1);
  made.header().mutable_config()->add_node()->set_name("a");
  made.Note(0, 5'000, TraceKind::kSent, made.Stream("in"), 1007);
  made.Note(0, 10'000, TraceKind::kProcessBegin, 0, 1007);
  made.Note(0, 10'000, TraceKind::kTaken, made.Stream("in"), 1007, 0);
  made.Note(0, 20'000, TraceKind::kProcessEnd, 0, 1007);
  made.Note(0, 21'000, TraceKind::kSent, made.Stream("out"), 1009);
  made.Note(0, 22'000, TraceKind::kReady, 1, 1009, 0);
  made.Note(0, 23'000, TraceKind::kThrottled, 0);
  GraphProfileOptions options;
  options.histogram_interval_us = 4;
  options.histogram_intervals = 3;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfile profile,
                                ToGraphProfile(made.Build(), options));
  const Message file = Read(profile.SerializeAsString());
  EXPECT_EQ(file.Messages(3).size(), 1u);  // config

  ASSERT_EQ(file.Messages(1).size(), 1u);
  const Message trace = file.Messages(1)[0];
  EXPECT_EQ(trace.Number(1), TestTrace::kUnixNs / 1000 + 5);
  EXPECT_EQ(trace.Number(2), 1007);
  EXPECT_THAT(trace.bytes.at(3), ElementsAre("a", "b"));
  EXPECT_THAT(trace.bytes.at(4), ElementsAre("", "in", "out"));
  const std::vector<Message> events = trace.Messages(5);
  std::vector<std::int64_t> types;
  for (const Message& event : events) types.push_back(event.Number(3));
  // PROCESS, PACKET_QUEUED, PROCESS, PACKET_QUEUED, READY_FOR_PROCESS,
  // THROTTLED.
  ASSERT_THAT(types, ElementsAre(2, 15, 2, 15, 5, 7));
  EXPECT_EQ(events[0].Number(1), -1);
  EXPECT_EQ(events[5].Number(1), 0);
  const Message& call = events[2];
  EXPECT_EQ(call.Number(1), 0);   // node_id
  EXPECT_EQ(call.Number(2), 0);   // input_timestamp
  EXPECT_EQ(call.Number(4), 5);   // start_time
  EXPECT_EQ(call.Number(5), 15);  // finish_time
  EXPECT_EQ(call.Number(8), 0);   // thread_id
  const Message input = call.Messages(6)[0];
  EXPECT_EQ(input.Number(1), 0);  // start_time
  EXPECT_EQ(input.Number(2), 5);  // finish_time
  EXPECT_EQ(input.Number(3), 0);  // packet_timestamp
  EXPECT_EQ(input.Number(4), 1);  // stream_id
  EXPECT_EQ(input.Number(6), 1);  // event_data
  const Message output = call.Messages(7)[0];
  EXPECT_EQ(output.Number(3), 2);
  EXPECT_EQ(output.Number(4), 2);
  EXPECT_EQ(output.Number(6), 2);
  EXPECT_EQ(events[3].Messages(6)[0].Number(6), 1);  // the length of the queue

  const std::vector<Message> nodes = file.Messages(2);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_THAT(nodes[0].bytes.at(1), ElementsAre("a"));
  EXPECT_EQ(nodes[0].Number(2), 0);  // open_runtime
  EXPECT_EQ(nodes[0].Number(3), 0);  // close_runtime
  const Message runtime = nodes[0].Messages(4)[0];
  EXPECT_EQ(runtime.Number(1), 10);                  // total
  EXPECT_EQ(runtime.Number(2), 4);                   // interval_size_usec
  EXPECT_EQ(runtime.Number(3), 3);                   // num_intervals
  EXPECT_EQ(nodes[0].Messages(5)[0].Number(1), 5);   // input latency
  EXPECT_EQ(nodes[0].Messages(6)[0].Number(1), 15);  // output latency
  const Message stream = nodes[0].Messages(7)[0];
  EXPECT_THAT(stream.bytes.at(1), ElementsAre("in"));
  EXPECT_EQ(stream.Number(2), 0);  // back_edge
  EXPECT_EQ(stream.Messages(3)[0].Number(1), 5);
}

}  // namespace
}  // namespace syncline
