// Matchers of packets and streams, and, through status_matchers.h, of statuses.
//
//   EXPECT_THAT(packet, HasTimestamp(10));
//   EXPECT_THAT(packet, HoldsValue<int>(Gt(3)));
//   EXPECT_THAT(packet, PacketIs<std::string>(10, "ten"));
//   EXPECT_THAT(graph.Packets("out"), StreamIs({{0, 1}, {10, 2}}));
//   EXPECT_THAT(graph.Packets("names"),
//               StreamIs<std::string>({{Timestamp::PreStream(), "all"}}));
//
// A time is a number or a Timestamp. A packet that holds another type than
// asked for does not match, and the failure says which type it holds.
//
// Thread rule: none.
// Tested by packet_matchers_test.

#ifndef SYNCLINE_TESTING_PACKET_MATCHERS_H_
#define SYNCLINE_TESTING_PACKET_MATCHERS_H_

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"

namespace syncline {

// A time in a literal.
class LiteralTime {
 public:
  LiteralTime(int value) : timestamp_(value) {}           // NOLINT: implicit
  LiteralTime(std::int64_t value) : timestamp_(value) {}  // NOLINT: implicit
  LiteralTime(Timestamp timestamp)                        // NOLINT: implicit
      : timestamp_(timestamp) {}
  Timestamp timestamp() const { return timestamp_; }

 private:
  Timestamp timestamp_;
};

// A packet in a literal.
template <typename T>
struct LiteralPacket {
  LiteralTime time;
  T value;
};
template <typename T>
using LiteralStream = std::vector<LiteralPacket<T>>;

namespace packet_matchers_internal {

template <typename T>
void Describe(const Packet& packet, std::ostream* out) {
  *out << packet.Timestamp().DebugString() << ": ";
  if (packet.IsEmpty()) {
    *out << "empty";
  } else if (packet.ValidateAsType<T>().ok()) {
    *out << testing::PrintToString(packet.Get<T>());
  } else {
    *out << packet.DebugTypeName();
  }
}

template <typename T>
class HoldsValueMatcher {
 public:
  explicit HoldsValueMatcher(testing::Matcher<const T&> value)
      : value_(std::move(value)) {}
  using is_gtest_matcher = void;

  void DescribeTo(std::ostream* out) const {
    *out << "holds a value that ";
    value_.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not match: ";
    DescribeTo(out);
  }
  bool MatchAndExplain(const Packet& packet,
                       testing::MatchResultListener* listener) const {
    const absl::Status status = packet.ValidateAsType<T>();
    if (!status.ok()) {
      *listener << status.message();
      return false;
    }
    return value_.MatchAndExplain(packet.Get<T>(), listener);
  }

 private:
  testing::Matcher<const T&> value_;
};

template <typename T>
class StreamIsMatcher {
 public:
  explicit StreamIsMatcher(LiteralStream<T> expected)
      : expected_(std::move(expected)) {}
  using is_gtest_matcher = void;

  void DescribeTo(std::ostream* out) const {
    *out << "is the stream {";
    const char* separator = "";
    for (const LiteralPacket<T>& packet : expected_) {
      *out << separator << packet.time.timestamp().DebugString() << ": "
           << testing::PrintToString(packet.value);
      separator = ", ";
    }
    *out << "}";
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "is not so: ";
    DescribeTo(out);
  }
  bool MatchAndExplain(const std::vector<Packet>& packets,
                       testing::MatchResultListener* listener) const {
    if (listener->stream() != nullptr) Show(packets, listener->stream());
    const std::size_t common = std::min(packets.size(), expected_.size());
    for (std::size_t i = 0; i < common; ++i) {
      if (packets[i].Timestamp() == expected_[i].time.timestamp() &&
          packets[i].ValidateAsType<T>().ok() &&
          packets[i].Get<T>() == expected_[i].value) {
        continue;
      }
      *listener << "; packet #" << i << " differs";
      return false;
    }
    if (packets.size() == expected_.size()) return true;
    *listener << "; it has " << packets.size() << " packets, not "
              << expected_.size();
    return false;
  }

 private:
  static void Show(const std::vector<Packet>& packets, std::ostream* out) {
    *out << "which is {";
    const char* separator = "";
    for (const Packet& packet : packets) {
      *out << separator;
      Describe<T>(packet, out);
      separator = ", ";
    }
    *out << "}";
  }

  LiteralStream<T> expected_;
};

}  // namespace packet_matchers_internal

inline auto HasTimestamp(LiteralTime time) {
  return testing::Property("Timestamp", &Packet::Timestamp,
                           testing::Eq(time.timestamp()));
}

// `value`: a T, or a matcher of it.
template <typename T, typename ValueOrMatcher>
auto HoldsValue(ValueOrMatcher&& value) {
  return packet_matchers_internal::HoldsValueMatcher<T>(
      testing::SafeMatcherCast<const T&>(std::forward<ValueOrMatcher>(value)));
}

template <typename T, typename ValueOrMatcher>
auto PacketIs(LiteralTime time, ValueOrMatcher&& value) {
  return testing::AllOf(HasTimestamp(time),
                        HoldsValue<T>(std::forward<ValueOrMatcher>(value)));
}

// Exactly these packets in this order.
template <typename T = int>
auto StreamIs(LiteralStream<T> expected) {
  return packet_matchers_internal::StreamIsMatcher<T>(std::move(expected));
}

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PACKET_MATCHERS_H_
