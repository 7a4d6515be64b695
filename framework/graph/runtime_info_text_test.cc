#include "framework/graph/runtime_info_text.h"

#include <string>

#include "framework/config/graph_runtime_info.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/port/parse_text_proto.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

GraphRuntimeInfo Info() {
  auto info = ParseTextProtoOrDie<GraphRuntimeInfo>(R"pb(
    capture_time_unix_us: 5000000
    calculator_infos {
      calculator_name: "detect"
      last_process_start_unix_us: 3000000
      last_process_finish_unix_us: 2000000
    }
    calculator_infos {
      calculator_name: "join"
      last_process_start_unix_us: 3000000
      last_process_finish_unix_us: 3000000
      input_stream_infos {
        stream_name: ":0:a"
        queue_size: 2
        minimum_timestamp_or_bound: 40
      }
      input_stream_infos { stream_name: ":1:b" minimum_timestamp_or_bound: 40 }
      input_stream_infos { stream_name: ":2:c" minimum_timestamp_or_bound: 41 }
    }
  )pb");
  return info;
}

TEST(RuntimeInfoTextTest, SaysWhatRunsAndHowLong) {
  const std::string text = RuntimeInfoText(Info());
  EXPECT_THAT(text, HasSubstr("2 nodes, 2 packets wait."));
  EXPECT_THAT(text, HasSubstr("Running: \"detect\" for 2s\n"));
}

TEST(RuntimeInfoTextTest, SaysWhatWaitsForWhat) {
  const std::string text = RuntimeInfoText(Info());
  EXPECT_THAT(text, HasSubstr("\"join\" holds 2 packets of \":0:a\" (2, from "
                              "40), and waits for \":1:b\" (bound 40).\n"));
  EXPECT_THAT(text, Not(HasSubstr(":2:c")));
}

TEST(RuntimeInfoTextTest, SaysWhichConditionsHoldANode) {
  GraphRuntimeInfo info = Info();
  CalculatorRuntimeInfo* const node = info.mutable_calculator_infos(1);
  ConditionRuntimeInfo* const ready = node->add_condition_infos();
  ready->set_condition_name("count");
  ready->set_condition_type("CountCondition");
  ready->set_state("READY");
  EXPECT_THAT(RuntimeInfoText(info), Not(HasSubstr("CountCondition")));
  ConditionRuntimeInfo* const waits = node->add_condition_infos();
  waits->set_condition_name("period");
  waits->set_condition_type("PeriodicCondition");
  waits->set_state("WAIT_TIME");
  waits->set_target_time_ns(700);
  ConditionRuntimeInfo* const event = node->add_condition_infos();
  event->set_condition_name("reply");
  event->set_condition_type("AsynchronousCondition");
  event->set_state("WAIT_EVENT");
  event->set_reason("EVENT_DONE");
  EXPECT_THAT(RuntimeInfoText(info),
              HasSubstr("\"join\": PeriodicCondition \"period\" says WAIT_TIME "
                        "until 700ns of the graph's clock, "
                        "AsynchronousCondition \"reply\" says "
                        "WAIT_EVENT (EVENT_DONE).\n"));
}

TEST(RuntimeInfoTextTest, SaysHowLongDevicesTook) {
  GraphRuntimeInfo info = Info();
  EXPECT_THAT(RuntimeInfoText(info), Not(HasSubstr("On devices")));
  CalculatorRuntimeInfo* const node = info.mutable_calculator_infos(1);
  node->set_host_time_us(1200);
  node->set_device_time_us(12500);
  node->set_number_of_device_calls(40);
  EXPECT_THAT(RuntimeInfoText(info),
              HasSubstr("\nOn devices: \"join\" 12.5ms in 40 calls (1.2ms on "
                        "the host).\n"));
}

TEST(RuntimeInfoTextTest, SaysWhyTheGraphStandsStill) {
  GraphRuntimeInfo info = Info();
  EXPECT_THAT(RuntimeInfoText(info), Not(HasSubstr("stands still")));
  info.set_standstill("\"join\" waits.\nWhat to do: Wait.\n");
  EXPECT_THAT(
      RuntimeInfoText(info),
      HasSubstr("\nThe graph stands still: \"join\" waits.\nWhat to do: "
                "Wait.\n"));
}

TEST(RuntimeInfoTextTest, SaysBytesWhereTheyAreLimited) {
  GraphRuntimeInfo info = Info();
  InputStreamRuntimeInfo* const input =
      info.mutable_calculator_infos(1)->mutable_input_stream_infos(0);
  input->set_queue_bytes(1200);
  input->set_max_queue_bytes(5000);
  EXPECT_THAT(RuntimeInfoText(info),
              HasSubstr("\":0:a\" (2, 1200 of 5000 bytes, from 40)"));
}

TEST(RuntimeInfoTextTest, SaysWhatWasDroppedAndWhy) {
  GraphRuntimeInfo info = Info();
  EXPECT_THAT(RuntimeInfoText(info), Not(HasSubstr("dropped")));
  EXPECT_THAT(DroppedPacketsTexts(info), IsEmpty());
  InputStreamRuntimeInfo* const input =
      info.mutable_calculator_infos(1)->mutable_input_stream_infos(2);
  *input = ParseTextProtoOrDie<InputStreamRuntimeInfo>(R"pb(
    stream_name: ":2:c"
    dropped_packets { cause: AFTER_CLOSE number_of_packets: 2 }
    dropped_packets { cause: BY_POLICY number_of_packets: 5 }
  )pb");
  const std::string expected =
      "\"join\" dropped 7 packets of \":2:c\" (2 came after the node was "
      "closed, 5 removed by the rule of the input stream handler)";
  EXPECT_THAT(DroppedPacketsTexts(info), ElementsAre(expected));
  EXPECT_THAT(RuntimeInfoText(info), HasSubstr("\n" + expected + ".\n"));
}

TEST(RuntimeInfoTextTest, EachCauseIsRead) {
  GraphRuntimeInfo info = Info();
  InputStreamRuntimeInfo* const input =
      info.mutable_calculator_infos(1)->mutable_input_stream_infos(2);
  for (int cause = 0; cause < DroppedPacketsInfo::Cause_ARRAYSIZE + 1;
       ++cause) {
    DroppedPacketsInfo* const dropped = input->add_dropped_packets();
    dropped->set_cause(static_cast<DroppedPacketsInfo::Cause>(cause));
    dropped->set_number_of_packets(1);
  }
  // All but that which is none, and one from another build.
  EXPECT_THAT(RuntimeInfoText(info), HasSubstr("dropped 10 packets"));
}

TEST(RuntimeInfoTextTest, TellsOfTimestampsThatWentBack) {
  GraphRuntimeInfo info = Info();
  *info.add_graph_input_infos() = ParseTextProtoOrDie<GraphInputRuntimeInfo>(
      R"pb(
        stream_name: "gps" rejected_packets: 1 clamped_packets: 2
      )pb");
  EXPECT_THAT(RuntimeInfoText(info),
              HasSubstr("\ngraph input \"gps\" had timestamps that went back: "
                        "1 packet refused, 2 packets moved to the bound.\n"));
}

TEST(RuntimeInfoTextTest, NamesSpecialBounds) {
  GraphRuntimeInfo info = Info();
  info.mutable_calculator_infos(1)
      ->mutable_input_stream_infos(1)
      ->set_minimum_timestamp_or_bound(Timestamp::PreStream().Value());
  EXPECT_THAT(RuntimeInfoText(info),
              HasSubstr(Timestamp::PreStream().DebugString()));
}

}  // namespace
}  // namespace syncline
