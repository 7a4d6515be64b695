// EqualsProto: matches a message that equals another, or what a text says, and
// says where they differ.
//
// Tested by message_matchers_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_MESSAGE_MATCHERS_H_
#define SYNCLINE_FRAMEWORK_DEPS_MESSAGE_MATCHERS_H_

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/plan/proto_text.h"
#include "gmock/gmock.h"
#include "google/protobuf/message.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace syncline {

class EqualsProtoMatcher {
 public:
  explicit EqualsProtoMatcher(
      std::shared_ptr<const google::protobuf::Message> expected)
      : expected_(std::move(expected)) {}

  void DescribeTo(std::ostream* out) const {
    *out << "equals " << expected_->ShortDebugString();
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not equal " << expected_->ShortDebugString();
  }
  bool MatchAndExplain(const google::protobuf::Message& message,
                       testing::MatchResultListener* listener) const {
    if (message.GetDescriptor() != expected_->GetDescriptor()) {
      *listener << "which is a " << message.GetTypeName();
      return false;
    }
    google::protobuf::util::MessageDifferencer differencer;
    std::string differences;
    differencer.ReportDifferencesToString(&differences);
    const bool equal = differencer.Compare(*expected_, message);
    if (!equal) *listener << "with these differences:\n" << differences;
    return equal;
  }

 private:
  std::shared_ptr<const google::protobuf::Message> expected_;
};

inline testing::PolymorphicMatcher<EqualsProtoMatcher> EqualsProto(
    const google::protobuf::Message& message) {
  std::shared_ptr<google::protobuf::Message> expected(message.New());
  expected->CopyFrom(message);
  return testing::MakePolymorphicMatcher(
      EqualsProtoMatcher(std::move(expected)));
}

// Reads the text as a message of the type of the one that is matched.
class EqualsProtoTextMatcher {
 public:
  explicit EqualsProtoTextMatcher(std::string text) : text_(std::move(text)) {}

  void DescribeTo(std::ostream* out) const { *out << "equals " << text_; }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not equal " << text_;
  }
  bool MatchAndExplain(const google::protobuf::Message& message,
                       testing::MatchResultListener* listener) const {
    std::shared_ptr<google::protobuf::Message> expected(message.New());
    const absl::Status status = ParseProtoText(text_, "", expected.get());
    // A failure also where the matcher stands in a Not().
    EXPECT_TRUE(status.ok())
        << "the text is no " << message.GetTypeName() << ": " << status;
    if (!status.ok()) return false;
    return EqualsProtoMatcher(std::move(expected))
        .MatchAndExplain(message, listener);
  }

 private:
  std::string text_;
};

inline testing::PolymorphicMatcher<EqualsProtoTextMatcher> EqualsProto(
    absl::string_view text) {
  return testing::MakePolymorphicMatcher(
      EqualsProtoTextMatcher(std::string(text)));
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_MESSAGE_MATCHERS_H_
