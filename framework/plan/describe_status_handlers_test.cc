// What is asked of status handlers, and what may be wrong with them.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/legacy/status_handler.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/expansion/graph_errors.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"
#include "framework/plan/state_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {

// Says nothing of the type of its side packets.
class SilentStatusHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&, PacketTypeSet*) {
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(const SynclineOptions&,
                                         const PacketSet&,
                                         const absl::Status&) {
    return absl::OkStatus();
  }
  static absl::Status HandleStatus(const SynclineOptions&, const PacketSet&,
                                   const absl::Status&) {
    return absl::OkStatus();
  }
};
REGISTER_STATUS_HANDLER(SilentStatusHandler);

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::unique_ptr<CompileState> Described(absl::string_view text) {
  std::unique_ptr<CompileState> state = StateOf(text);
  DescribeStatusHandlers(state.get());
  return state;
}

std::string Error(absl::string_view text) {
  return std::string(Described(text)->errors.ToStatus().message());
}

TEST(DescribeStatusHandlersTest, EachHandlerSaysWhatItExpects) {
  const std::unique_ptr<CompileState> state = Described(R"(
    status_handler { status_handler: "IntStatusHandler"
                     input_side_packet: "A:a" input_side_packet: "B:b" }
    status_handler { status_handler: "SilentStatusHandler" })");
  EXPECT_TRUE(state->errors.empty()) << state->errors.ToStatus();
  const PlanTables& tables = *state->tables;
  ASSERT_THAT(tables.status_handlers, SizeIs(2));
  const PlanStatusHandler& handler = tables.status_handlers[0];
  EXPECT_EQ(handler.type, "IntStatusHandler");
  EXPECT_EQ(handler.config, &state->config().status_handler(0));
  EXPECT_EQ(handler.handler, tables.owned.status_handler_objects[0].get());
  EXPECT_EQ(handler.input_side_packet_types,
            tables.owned.status_handler_types[0].get());
  EXPECT_THAT(handler.input_side_packet_types->layout().Names(),
              ElementsAre("a", "b"));
  EXPECT_EQ(handler.input_side_packet_types->Tag("B").DebugTypeName(), "int");
  EXPECT_EQ(tables.status_handlers[1].config,
            &state->config().status_handler(1));
  EXPECT_THAT(tables.owned.status_handler_objects, SizeIs(2));
  EXPECT_THAT(tables.owned.status_handler_types, SizeIs(2));
}

TEST(DescribeStatusHandlersTest, ATypeIsLookedUpInThePackageOfTheGraph) {
  EXPECT_TRUE(Described(R"(package: "syncline.tests"
                           status_handler {
                             status_handler: "IntStatusHandler" })")
                  ->errors.empty());
}

TEST(DescribeStatusHandlersTest, AnErrorSaysWhichHandlerAndWhere) {
  EXPECT_THAT(Error("\nstatus_handler { status_handler: \"NoHandler\" }"),
              HasSubstr("\ngraph.pbtxt:2: status handler \"NoHandler\": "));
  EXPECT_THAT(Error("status_handler { status_handler: \"IntStatusHandler\" "
                    "input_side_packet: \"no name\" }"),
              HasSubstr("status handler \"IntStatusHandler\": "));
  EXPECT_THAT(
      Error("status_handler { status_handler: \"FailingStatusHandler\" }"),
      HasSubstr("FailingStatusHandler::FillExpectations failed: no "
                "expectations"));
  EXPECT_THAT(Error("status_handler { status_handler: \"SilentStatusHandler\" "
                    "input_side_packet: \"a\" }"),
              HasSubstr("SilentStatusHandler::FillExpectations failed to "
                        "validate: "));
}

TEST(DescribeStatusHandlersTest, OneWithAnErrorIsLeftOut) {
  const std::unique_ptr<CompileState> state = Described(R"(
    status_handler { status_handler: "NoHandler" }
    status_handler { status_handler: "IntStatusHandler" })");
  EXPECT_EQ(state->errors.count(), 1);
  ASSERT_THAT(state->tables->status_handlers, SizeIs(1));
  EXPECT_EQ(state->tables->status_handlers[0].config,
            &state->config().status_handler(1));
}

TEST(DescribeStatusHandlersTest, NoneIsLookedUpForAGraphFullOfErrors) {
  const std::unique_ptr<CompileState> state =
      StateOf("status_handler { status_handler: \"IntStatusHandler\" }");
  for (int i = 0; i < GraphErrors::kMaxKept; ++i) {
    state->errors.Add(absl::InternalError("x"));
  }
  DescribeStatusHandlers(state.get());
  EXPECT_THAT(state->tables->status_handlers, IsEmpty());
  EXPECT_EQ(state->errors.count(), GraphErrors::kMaxKept + 1);
}

}  // namespace
}  // namespace syncline
