// EqualsProto: matches a message that equals another, or what a text says, and
// says where they differ.
//
//   EXPECT_THAT(config, EqualsProto("num_threads: 2"));
//   EXPECT_THAT(boxes, Pointwise(EqualsProto(), expected_boxes));
//   EXPECT_THAT(box, Approximately(EqualsProto(expected), /*margin=*/1e-3));
//   EXPECT_THAT(config, Partially(EqualsProto("num_threads: 2")));
//
// Thread rule: as for a value.
// Tested by message_matchers_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_MESSAGE_MATCHERS_H_
#define SYNCLINE_FRAMEWORK_DEPS_MESSAGE_MATCHERS_H_

#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/graph_text/proto_text.h"
#include "gmock/gmock.h"
#include "google/protobuf/message.h"
#include "google/protobuf/util/field_comparator.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace syncline {
namespace message_matchers_internal {

// What EqualsProto treats as equal.
struct Comparison {
  // Fields that are not set in the expected message are not compared.
  bool partial = false;
  bool any_order = false;
  bool nan_equals_nan = false;
  // A field that is not set equals one that is set to its default.
  bool unset_is_default = false;
  bool approximate = false;
  // Allowed differences. If both are 0, Protocol Buffers decide how close
  // floats have to be.
  double margin = 0;
  double fraction = 0;
};

}  // namespace message_matchers_internal

class EqualsProtoMatcher {
 public:
  explicit EqualsProtoMatcher(
      std::shared_ptr<const google::protobuf::Message> expected)
      : expected_(std::move(expected)) {}
  // The expected message as text, which is read as a message of the type that
  // is matched.
  explicit EqualsProtoMatcher(std::string text) : text_(std::move(text)) {}

  message_matchers_internal::Comparison& comparison() { return comparison_; }

  void DescribeTo(std::ostream* out) const {
    *out << (comparison_.approximate ? "approximately " : "")
         << (comparison_.partial ? "has all of " : "equals ") << Expected();
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not match: ";
    DescribeTo(out);
  }
  bool MatchAndExplain(const google::protobuf::Message& message,
                       testing::MatchResultListener* listener) const {
    if (expected_ != nullptr) return Compare(*expected_, message, listener);
    const std::unique_ptr<google::protobuf::Message> expected(message.New());
    const absl::Status status = ParseProtoText(text_, "", expected.get());
    // Text that cannot be read is a failure of the test also inside a Not().
    EXPECT_TRUE(status.ok())
        << "the text is no " << message.GetTypeName() << ": " << status;
    return status.ok() && Compare(*expected, message, listener);
  }

 private:
  std::string Expected() const {
    return expected_ != nullptr ? expected_->ShortDebugString() : text_;
  }
  bool Compare(const google::protobuf::Message& expected,
               const google::protobuf::Message& message,
               testing::MatchResultListener* listener) const {
    if (message.GetDescriptor() != expected.GetDescriptor()) {
      *listener << "which is a " << message.GetTypeName();
      return false;
    }
    using google::protobuf::util::DefaultFieldComparator;
    using google::protobuf::util::MessageDifferencer;
    DefaultFieldComparator fields;
    if (comparison_.approximate) {
      fields.set_float_comparison(DefaultFieldComparator::APPROXIMATE);
      if (comparison_.margin != 0 || comparison_.fraction != 0) {
        fields.SetDefaultFractionAndMargin(comparison_.fraction,
                                           comparison_.margin);
      }
    }
    fields.set_treat_nan_as_equal(comparison_.nan_equals_nan);
    MessageDifferencer differencer;
    differencer.set_field_comparator(&fields);
    if (comparison_.partial) {
      differencer.set_scope(MessageDifferencer::PARTIAL);
    }
    if (comparison_.any_order) {
      differencer.set_repeated_field_comparison(MessageDifferencer::AS_SET);
    }
    if (comparison_.unset_is_default) {
      differencer.set_message_field_comparison(MessageDifferencer::EQUIVALENT);
    }
    std::string differences;
    differencer.ReportDifferencesToString(&differences);
    const bool equal = differencer.Compare(expected, message);
    if (!equal) *listener << "with these differences:\n" << differences;
    return equal;
  }

  std::shared_ptr<const google::protobuf::Message> expected_;
  std::string text_;
  message_matchers_internal::Comparison comparison_;
};

using ProtoMatcher = testing::PolymorphicMatcher<EqualsProtoMatcher>;

inline ProtoMatcher EqualsProto(const google::protobuf::Message& message) {
  std::shared_ptr<google::protobuf::Message> expected(message.New());
  expected->CopyFrom(message);
  return testing::MakePolymorphicMatcher(
      EqualsProtoMatcher(std::move(expected)));
}

inline ProtoMatcher EqualsProto(absl::string_view text) {
  return testing::MakePolymorphicMatcher(EqualsProtoMatcher(std::string(text)));
}

namespace message_matchers_internal {

MATCHER(IsPairOfEqualProtos, "") {
  return testing::ExplainMatchResult(EqualsProto(std::get<1>(arg)),
                                     std::get<0>(arg), result_listener);
}

}  // namespace message_matchers_internal

// EqualsProto() for Pointwise: it matches a pair of messages.
inline auto EqualsProto() {
  return message_matchers_internal::IsPairOfEqualProtos();
}

// Fields that are unset equal fields that are set to their default.
template <typename Expected>
ProtoMatcher EquivToProto(const Expected& expected) {
  ProtoMatcher matcher = EqualsProto(expected);
  matcher.mutable_impl().comparison().unset_is_default = true;
  return matcher;
}

// The same with only the fields that the expected message has.
inline ProtoMatcher Partially(ProtoMatcher matcher) {
  matcher.mutable_impl().comparison().partial = true;
  return matcher;
}

// The same with floating-point fields that differ by at most `margin`, or by
// `fraction` of the larger of the two.
inline ProtoMatcher Approximately(ProtoMatcher matcher, double margin = 0,
                                  double fraction = 0) {
  message_matchers_internal::Comparison& comparison =
      matcher.mutable_impl().comparison();
  comparison.approximate = true;
  comparison.margin = margin;
  comparison.fraction = fraction;
  return matcher;
}

inline ProtoMatcher TreatingNaNsAsEqual(ProtoMatcher matcher) {
  matcher.mutable_impl().comparison().nan_equals_nan = true;
  return matcher;
}

inline ProtoMatcher IgnoringRepeatedFieldOrdering(ProtoMatcher matcher) {
  matcher.mutable_impl().comparison().any_order = true;
  return matcher;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_MESSAGE_MATCHERS_H_
