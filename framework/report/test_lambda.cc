#include "framework/report/test_lambda.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/graph_text/proto_text.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class TestLambda : public LambdaBase<CalculatorBase> {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    for (PacketType& output : cc->Outputs()) output.Set<int>();
    for (int i = 0; i < cc->InputSidePackets().NumEntries(""); ++i) {
      cc->InputSidePackets().Index(i).Set<int>();
    }
    for (PacketType& output : cc->OutputSidePackets()) output.Set<int>();
    DeclareFunctions(cc);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TestLambda);

class TestLambdaOffset : public TestLambda {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(TimestampDiff(0));
    return TestLambda::GetContract(cc);
  }
};
REGISTER_CALCULATOR(TestLambdaOffset);

class TestLambdaBounds : public TestLambda {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return TestLambda::GetContract(cc);
  }
};
REGISTER_CALCULATOR(TestLambdaBounds);

}  // namespace

CalculatorGraphConfig TestConfig(const std::string& text) {
  CalculatorGraphConfig config;
  const absl::Status status = ParseProtoText(text, "", &config);
  EXPECT_TRUE(status.ok()) << status;
  return config;
}

absl::Status SendSum(CalculatorContext* cc) {
  int sum = 0;
  for (const InputStream& input : cc->Inputs()) {
    if (!input.IsEmpty()) sum += input.Get<int>();
  }
  for (OutputStream& output : cc->Outputs()) {
    output.AddPacket(MakePacket<int>(sum).At(cc->InputTimestamp()));
  }
  return absl::OkStatus();
}

TestFunction CountTo(int last) {
  // One counter for each run: the calculator starts again at Open.
  auto next = std::make_shared<int>(0);
  return [next, last](CalculatorContext* cc) {
    const int value = (*next)++;
    if (value > last) {
      *next = 0;
      return tool::StatusStop();
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(Timestamp(value)));
    return absl::OkStatus();
  };
}

}  // namespace syncline
