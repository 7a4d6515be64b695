// Matchers of packets by their values.
//
//   EXPECT_THAT(packet, PacketContains<int>(Gt(3)));
//   EXPECT_THAT(runner.Outputs().Index(0).packets,
//               ElementsAre(PacketContainsTimestampAndPayload<std::string>(
//                   Timestamp(10), "ten")));
//   EXPECT_THAT(packet, PacketEq<int>(MakePacket<int>(4).At(Timestamp(1))));
//
// A packet that is empty or holds another type does not match, and the failure
// says what the packet holds.
//
// Thread rule: none.
// Tested by packet_test_util_test.

#ifndef SYNCLINE_UTIL_PACKET_TEST_UTIL_H_
#define SYNCLINE_UTIL_PACKET_TEST_UTIL_H_

#include <ostream>
#include <utility>

#include "absl/status/status.h"
#include "framework/packet.h"
#include "framework/timestamp.h"
#include "gmock/gmock.h"

namespace syncline {
namespace packet_test_util_internal {

template <typename Payload>
class PacketMatcher {
 public:
  using is_gtest_matcher = void;

  PacketMatcher(testing::Matcher<Timestamp> timestamp,
                testing::Matcher<const Payload&> payload)
      : timestamp_(std::move(timestamp)), payload_(std::move(payload)) {}

  void DescribeTo(std::ostream* out) const {
    *out << "is a packet with a timestamp that ";
    timestamp_.DescribeTo(out);
    *out << " and a value that ";
    payload_.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not match: ";
    DescribeTo(out);
  }
  bool MatchAndExplain(const Packet& packet,
                       testing::MatchResultListener* listener) const {
    const absl::Status status = packet.ValidateAsType<Payload>();
    if (!status.ok()) {
      *listener << status.message();
      return false;
    }
    *listener << packet.DebugString() << " with value "
              << testing::PrintToString(packet.Get<Payload>());
    return timestamp_.MatchAndExplain(packet.Timestamp(), listener) &&
           payload_.MatchAndExplain(packet.Get<Payload>(), listener);
  }

 private:
  testing::Matcher<Timestamp> timestamp_;
  testing::Matcher<const Payload&> payload_;
};

}  // namespace packet_test_util_internal

// Matches a packet of type Payload by its value.
template <typename Payload, typename PayloadMatcher>
testing::Matcher<const Packet&> PacketContains(PayloadMatcher payload) {
  return packet_test_util_internal::PacketMatcher<Payload>(
      testing::_, testing::SafeMatcherCast<const Payload&>(std::move(payload)));
}

// The same, and the timestamp must match too.
template <typename Payload, typename TimestampMatcher, typename PayloadMatcher>
testing::Matcher<const Packet&> PacketContainsTimestampAndPayload(
    TimestampMatcher timestamp, PayloadMatcher payload) {
  return packet_test_util_internal::PacketMatcher<Payload>(
      testing::SafeMatcherCast<Timestamp>(std::move(timestamp)),
      testing::SafeMatcherCast<const Payload&>(std::move(payload)));
}

// Matches a packet with the timestamp of `expected` and an equal value of type
// Payload.
template <typename Payload>
testing::Matcher<const Packet&> PacketEq(const Packet& expected) {
  return PacketContainsTimestampAndPayload<Payload>(
      testing::Eq(expected.Timestamp()), testing::Eq(expected.Get<Payload>()));
}

}  // namespace syncline

#endif  // SYNCLINE_UTIL_PACKET_TEST_UTIL_H_
