#include "framework/graph/graph_test_support.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/graph_text/proto_text.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

void ExpectOk(const absl::Status& status) {
  EXPECT_TRUE(status.ok()) << status;
}

class TestLambda : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    for (PacketType& output : cc->Outputs()) output.Set<int>();
    for (const char* const tag : {"OPEN", "PROCESS", "CLOSE"}) {
      if (cc->InputSidePackets().HasTag(tag)) {
        cc->InputSidePackets().Tag(tag).Set<TestFunction>();
      }
    }
    for (int i = 0; i < cc->InputSidePackets().NumEntries(""); ++i) {
      cc->InputSidePackets().Index(i).Set<int>();
    }
    for (PacketType& output : cc->OutputSidePackets()) output.Set<int>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override { return Call("OPEN", cc); }
  absl::Status Process(CalculatorContext* cc) override {
    return Call("PROCESS", cc);
  }
  absl::Status Close(CalculatorContext* cc) override {
    return Call("CLOSE", cc);
  }

 private:
  static absl::Status Call(const char* tag, CalculatorContext* cc) {
    if (!cc->InputSidePackets().HasTag(tag)) return absl::OkStatus();
    return cc->InputSidePackets().Tag(tag).Get<TestFunction>()(cc);
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
  ExpectOk(ParseProtoText(text, "", &config));
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

TestGraph::TestGraph(const Workers& workers, const std::string& text)
    : graph_(std::make_unique<WorkersGraph>(workers)) {
  ExpectOk(graph_->Initialize(TestConfig(text)));
}

TestGraph::~TestGraph() { Destroy(); }

void TestGraph::Give(const std::string& name, TestFunction function) {
  Give(name, MakePacket<TestFunction>(std::move(function)));
}

void TestGraph::Give(const std::string& name, Packet packet) {
  side_packets_[name] = std::move(packet);
}

void TestGraph::Observe(const std::string& stream, bool with_bounds) {
  ExpectOk(graph_->ObserveOutputStream(
      stream,
      [this, stream](const Packet& packet) {
        MutexLock lock(&mutex_);
        std::string& seen = seen_[stream];
        const std::string time = packet.Timestamp().IsRangeValue()
                                     ? absl::StrCat(packet.Timestamp().Value())
                                     : packet.Timestamp().DebugString();
        absl::StrAppend(
            &seen, seen.empty() ? "" : " ", time,
            packet.IsEmpty() ? "-" : absl::StrCat(":", packet.Get<int>()));
        return absl::OkStatus();
      },
      with_bounds));
}

absl::Status TestGraph::StartWithHeaders(
    const std::map<std::string, Packet>& stream_headers) {
  {
    MutexLock lock(&mutex_);
    seen_.clear();
  }
  return graph_->StartRun(side_packets_, stream_headers);
}

void TestGraph::Start() { ExpectOk(StartWithHeaders({})); }

absl::Status TestGraph::AddWithStatus(const std::string& stream,
                                      std::int64_t timestamp, int value) {
  return graph_->AddPacketToInputStream(
      stream, MakePacket<int>(value).At(Timestamp(timestamp)));
}

void TestGraph::Add(const std::string& stream, std::int64_t timestamp,
                    int value) {
  ExpectOk(AddWithStatus(stream, timestamp, value));
}

void TestGraph::SetBound(const std::string& stream, std::int64_t bound) {
  ExpectOk(graph_->SetInputStreamTimestampBound(stream, Timestamp(bound)));
}

void TestGraph::Close(const std::string& stream) {
  ExpectOk(graph_->CloseInputStream(stream));
}

void TestGraph::Idle() { ExpectOk(graph_->WaitUntilIdle()); }

void TestGraph::Finish() { ExpectOk(FinishWithStatus()); }

absl::Status TestGraph::Run() {
  Start();
  return graph_->WaitUntilDone();
}

absl::Status TestGraph::FinishWithStatus() {
  ExpectOk(graph_->CloseAllInputStreams());
  return graph_->WaitUntilDone();
}

int TestGraph::Count(const std::string& stream) {
  const std::string seen = Seen(stream);
  return static_cast<int>(std::count(seen.begin(), seen.end(), ':'));
}

std::string TestGraph::Seen(const std::string& stream) {
  MutexLock lock(&mutex_);
  return seen_[stream];
}

}  // namespace syncline
