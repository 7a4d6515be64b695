// Status handlers by name.
#include "framework/calculator/legacy/status_handler.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

class NotingHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&,
                                       PacketTypeSet* inputs) {
    inputs->Tag("LOG").Set<std::vector<std::string>*>();
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(const SynclineOptions&,
                                         const PacketSet& inputs,
                                         const absl::Status& status) {
    Log(inputs)->push_back("before: " + std::string(status.message()));
    return absl::OkStatus();
  }
  static absl::Status HandleStatus(const SynclineOptions&,
                                   const PacketSet& inputs,
                                   const absl::Status& status) {
    Log(inputs)->push_back("after: " + std::string(status.message()));
    return absl::AbortedError("handler");
  }

 private:
  static std::vector<std::string>* Log(const PacketSet& inputs) {
    return inputs.Tag("LOG").Get<std::vector<std::string>*>();
  }
};
REGISTER_STATUS_HANDLER(NotingHandler);

TEST(StatusHandlerTest, ARegisteredHandlerIsFoundAndItsFunctionsAreCalled) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<StaticStatusHandler> handler,
      StaticStatusHandlerRegistry::CreateByName("NotingHandler"));
  PacketTypeSet types(
      PortLayout::Create(std::vector<std::string>{"LOG:log"}).value());
  SYNCLINE_EXPECT_OK(handler->FillExpectations({}, &types));
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(types));

  std::vector<std::string> log;
  PacketSet inputs(types.TagMap());
  inputs.Tag("LOG") = MakePacket<std::vector<std::string>*>(&log);
  SYNCLINE_EXPECT_OK(handler->HandlePreRunStatus({}, inputs, absl::OkStatus()));
  EXPECT_THAT(handler->HandleStatus({}, inputs, absl::InternalError("run")),
              StatusIs(absl::StatusCode::kAborted, "handler"));
  EXPECT_THAT(log, ElementsAre("before: ", "after: run"));
}

TEST(StatusHandlerTest, AnUnknownHandlerIsNotFound) {
  EXPECT_THAT(StaticStatusHandlerRegistry::CreateByName("NoHandler"),
              StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace syncline
