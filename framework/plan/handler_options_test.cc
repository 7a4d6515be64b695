// Stream handlers are known by name, and options that cannot work are found
// before a graph runs.

#include "framework/plan/handler_options.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/approximate_time_input_stream_handler.pb.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/config/latest_input_stream_handler.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/timeout_input_stream_handler.pb.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

std::shared_ptr<const PortLayout> Ports(const std::vector<std::string>& ports) {
  return *PortLayout::Create(ports);
}

SynclineOptions Options(const std::string& text) {
  SynclineOptions options;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &options));
  return options;
}

absl::Status Check(absl::string_view name, const std::string& options = "",
                   const std::vector<std::string>& ports = {"A:a", "A:1:b",
                                                            "c"}) {
  return CheckInputPolicy("", name, Options(options), *Ports(ports)).status();
}

TEST(InputPolicyTypesTest, EveryHandlerOfTheFrameworkIsRegistered) {
  EXPECT_THAT(
      NameRegistry::Get("InputStreamHandler").Names(),
      IsSupersetOf({"ApproximateTimeInputStreamHandler",
                    "LatestInputStreamHandler", "BarrierInputStreamHandler",
                    "DefaultInputStreamHandler", "EarlyCloseInputStreamHandler",
                    "FixedSizeInputStreamHandler",
                    "ImmediateInputStreamHandler", "MuxInputStreamHandler",
                    "SyncSetInputStreamHandler", "TimeoutInputStreamHandler",
                    "TimestampAlignInputStreamHandler"}));
  EXPECT_THAT(NameRegistry::Get("OutputStreamHandler").Names(),
              IsSupersetOf({"InOrderOutputStreamHandler"}));
}

TEST(InputPolicyTypesTest, NamesAreFoundInEverySpelling) {
  for (const char* name :
       {"DefaultInputStreamHandler", "syncline.DefaultInputStreamHandler",
        "mediapipe.DefaultInputStreamHandler",
        ".syncline.DefaultInputStreamHandler"}) {
    const absl::StatusOr<std::string> found =
        CheckInputPolicy("a.b", name, SynclineOptions(), *Ports({}));
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, "DefaultInputStreamHandler");
  }
}

TEST(InputPolicyTypesTest, AnUnknownHandlerGetsTheNearestNames) {
  const absl::Status status = Check("DefaultInputStreamHandlr");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("\"DefaultInputStreamHandlr\" is not a registered "
                        "input stream handler. Did you mean "
                        "\"DefaultInputStreamHandler\""));
  EXPECT_EQ(Check("").code(), absl::StatusCode::kNotFound);
}

TEST(InputPolicyTypesTest, WithoutAnUntaggedInputAlignmentNeedsItsBase) {
  const absl::Status status =
      Check("TimestampAlignInputStreamHandler", "", {"A:a", "B:b"});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("timestamp_base_tag_index is not set"));
}

TEST(InputPolicyTypesTest, OutputHandlersAreCheckedByName) {
  EXPECT_EQ(*CheckOutputStreamHandler("", "InOrderOutputStreamHandler"),
            "InOrderOutputStreamHandler");
  const absl::StatusOr<std::string> unknown =
      CheckOutputStreamHandler("", "InOrderOutputHandler");
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.status().message()),
              HasSubstr("\"InOrderOutputHandler\" is not a registered output "
                        "stream handler."));
}

// One handler, options and what is said about them; nothing: they are fine.
struct Case {
  const char* handler;
  const char* options;
  const char* error;
};

class OptionsTest : public testing::TestWithParam<Case> {};

TEST_P(OptionsTest, AreCheckedAgainstTheNode) {
  const absl::Status status =
      Check(absl::StrCat(GetParam().handler, "InputStreamHandler"),
            GetParam().options);
  if (GetParam().error == nullptr) {
    EXPECT_TRUE(status.ok()) << status;
  } else {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().error));
  }
}

#define EXT(handler, fields) \
  "[syncline." handler "InputStreamHandlerOptions.ext] { " fields " }"

INSTANTIATE_TEST_SUITE_P(
    All, OptionsTest,
    testing::Values(
        Case{"Default", "", nullptr},
        Case{"Default", EXT("Default", "batch_size: 7"), nullptr},
        Case{"Default", EXT("Default", "batch_size: 0"), "batch_size is 0"},
        Case{"Default", EXT("Default", "batch_size: -3"), "batch_size is -3"},
        Case{"Default", EXT("Default", "batch_size: 10000"), nullptr},
        Case{"Default", EXT("Default", "batch_size: 10001"),
             "batch_size is 10001; it can be at most 10000"},
        Case{"Timeout", "", "timeout_ns is not set"},
        Case{"Timeout", EXT("Timeout", "since: OLDEST_PACKET"),
             "timeout_ns is not set"},
        Case{"Timeout", EXT("Timeout", "timeout_ns: 0"),
             "timeout_ns is 0, but must be positive"},
        Case{"Timeout", EXT("Timeout", "timeout_ns: -5"),
             "timeout_ns is -5, but must be positive"},
        Case{"Timeout", EXT("Timeout", "timeout_ns: 1"), nullptr},
        Case{"FixedSize", "", nullptr},
        Case{"FixedSize",
             EXT("FixedSize", "trigger_queue_size: 1 target_queue_size: 1"),
             nullptr},
        Case{"FixedSize", EXT("FixedSize", "trigger_queue_size: 0"),
             "trigger_queue_size is 0"},
        Case{"FixedSize", EXT("FixedSize", "target_queue_size: -1"),
             "target_queue_size is -1"},
        Case{"SyncSet", "", nullptr},
        Case{"SyncSet",
             EXT("SyncSet",
                 "sync_set { tag_index: ['A', ':0'] } "
                 "sync_set { tag_index: 'A:1' } sync_set { }"),
             nullptr},
        Case{"SyncSet", EXT("SyncSet", "sync_set { tag_index: 'A:2' }"),
             "no input stream \"A:2\"; it has "},
        Case{"SyncSet", EXT("SyncSet", "sync_set { tag_index: 'a' }"),
             "sync_set: "},
        Case{"SyncSet", EXT("SyncSet", "sync_set { tag_index: ['A', 'A:0'] }"),
             "\"A:0\" is named more than once"},
        Case{"SyncSet",
             EXT("SyncSet",
                 "sync_set { tag_index: 'A' } sync_set { tag_index: 'A' }"),
             "\"A\" is named more than once"},
        Case{"TimestampAlign",
             EXT("TimestampAlign", "timestamp_base_tag_index: 'A:1'"), nullptr},
        Case{"TimestampAlign",
             EXT("TimestampAlign", "timestamp_base_tag_index: ''"), nullptr},
        Case{"TimestampAlign", "", nullptr},
        Case{"TimestampAlign",
             EXT("TimestampAlign", "timestamp_base_tag_index: 'B'"),
             "timestamp_base_tag_index: the node has no input stream \"B\""},
        Case{"ApproximateTime", "", nullptr},
        Case{"ApproximateTime",
             EXT("ApproximateTime",
                 "tolerance: 0 max_interval: 9223372036854775807 "
                 "close_enough: 5 stream { tag_index: 'A:1' tolerance: 7 } "
                 "timestamp_base_tag_index: ':0' min_match_share: 1"),
             nullptr},
        Case{"ApproximateTime", EXT("ApproximateTime", "tolerance: -1"),
             "tolerance is -1, but must not be negative"},
        Case{"ApproximateTime", EXT("ApproximateTime", "max_interval: -2"),
             "max_interval is -2"},
        Case{"ApproximateTime", EXT("ApproximateTime", "close_enough: -3"),
             "close_enough is -3"},
        Case{"ApproximateTime", EXT("ApproximateTime", "min_match_share: 1.5"),
             "min_match_share is 1.5, but must be from 0 to 1"},
        Case{"ApproximateTime", EXT("ApproximateTime", "min_match_share: nan"),
             "min_match_share is nan"},
        Case{"ApproximateTime",
             EXT("ApproximateTime", "stream { tag_index: 'B' tolerance: 1 }"),
             "stream: the node has no input stream \"B\"; it has "},
        Case{"ApproximateTime",
             EXT("ApproximateTime", "stream { tag_index: 'A' tolerance: -1 }"),
             "tolerance of \"A\" is -1"},
        Case{"ApproximateTime",
             EXT("ApproximateTime",
                 "stream { tag_index: 'A' } stream { tag_index: 'A:0' }"),
             "\"A:0\" is named more than once"},
        Case{"ApproximateTime",
             EXT("ApproximateTime", "timestamp_base_tag_index: 'B'"),
             "timestamp_base_tag_index: the node has no input stream \"B\""},
        Case{"Latest", "", "main_tag_index is not set"},
        Case{"Latest",
             EXT("Latest",
                 "main_tag_index: 'A' max_age: 0 min_match_share: 0.5"),
             nullptr},
        Case{"Latest", EXT("Latest", "main_tag_index: 'B'"),
             "main_tag_index: the node has no input stream \"B\""},
        Case{"Latest", EXT("Latest", "main_tag_index: 'A' max_age: -1"),
             "max_age is -1"},
        Case{"Latest", EXT("Latest", "main_tag_index: 'A' min_match_share: -1"),
             "min_match_share is -1"},
        Case{"Mux", "", nullptr}, Case{"Immediate", "", nullptr},
        Case{"Barrier", "", nullptr}, Case{"EarlyClose", "", nullptr}));

#undef EXT

TEST(InputPolicyTypesTest, AMuxNeedsAControlAndADataStream) {
  EXPECT_FALSE(Check("MuxInputStreamHandler", "", {}).ok());
  EXPECT_FALSE(Check("MuxInputStreamHandler", "", {"a"}).ok());
  EXPECT_TRUE(Check("MuxInputStreamHandler", "", {"a", "b"}).ok());
}

TEST(InputPolicyTypesTest, UsersAddHandlersAndTakeThemAway) {
  absl::StatusOr<RegistrationToken> token = RegisterInputPolicyType(
      "mine.MyHandler", {[](const SynclineOptions&, const PortLayout& inputs) {
        return inputs.HasTag("A") ? absl::OkStatus()
                                  : absl::InvalidArgumentError("no A");
      }},
      "here:1");
  ASSERT_TRUE(token.ok()) << token.status();
  EXPECT_TRUE(Check("mine.MyHandler", "", {"A:a"}).ok());
  EXPECT_EQ(Check("mine.MyHandler", "", {"B:a"}).message(), "no A");
  EXPECT_EQ(*CheckInputPolicy("mine", "MyHandler", {}, *Ports({"A:a"})),
            "mine.MyHandler");
  EXPECT_EQ(
      RegisterInputPolicyType("mine.MyHandler", {}, "there:2").status().code(),
      absl::StatusCode::kAlreadyExists);
  token->Unregister();
  EXPECT_FALSE(Check("mine.MyHandler", "", {"A:a"}).ok());
}

}  // namespace
}  // namespace syncline
