#include "framework/graph/graph_test_support.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

void ExpectOk(const absl::Status& status) {
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace

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
