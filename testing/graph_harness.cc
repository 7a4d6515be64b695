#include "testing/graph_harness.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/graph_text/proto_text.h"
#include "framework/plan/graph_plan.h"
#include "testing/stream_timelines.h"

namespace syncline {
namespace {

void ExpectOk(const absl::Status& status, absl::string_view what) {
  EXPECT_TRUE(status.ok()) << what << ": " << status;
}

}  // namespace

GraphHarness::GraphHarness(absl::string_view graph_text, Workers workers)
    : workers_(workers), graph_(std::make_unique<WorkersGraph>(workers)) {
  config_status_ = ParseProtoText(graph_text, "", &config_);
}

GraphHarness::GraphHarness(CalculatorGraphConfig config, Workers workers)
    : workers_(workers),
      config_(std::move(config)),
      graph_(std::make_unique<WorkersGraph>(workers)) {}

GraphHarness::~GraphHarness() { Destroy(); }

void GraphHarness::SetExecutor(const std::string& name,
                               std::shared_ptr<Executor> executor) {
  ExpectOk(graph_->SetExecutor(name, std::move(executor)), "SetExecutor");
}

void GraphHarness::SetErrorCallback(
    std::function<void(const absl::Status&)> callback) {
  ExpectOk(graph_->SetErrorCallback(std::move(callback)), "SetErrorCallback");
}

absl::Status GraphHarness::Initialize() {
  if (!is_initialized_) {
    is_initialized_ = true;
    initialize_status_ = InitializeOnce();
  }
  return initialize_status_;
}

absl::Status GraphHarness::InitializeOnce() {
  SYNCLINE_RETURN_IF_ERROR(config_status_);
  return graph_->Initialize(config_);
}

CalculatorGraph& GraphHarness::graph() {
  ExpectOk(Initialize(), "Initialize");
  return *graph_;
}

// --- Before Start

void GraphHarness::SetSidePacket(const std::string& name, Packet packet) {
  side_packets_[name] = std::move(packet);
}

void GraphHarness::SetFunction(const std::string& name,
                               LambdaFunction function) {
  SetSidePacket(name, MakePacket<LambdaFunction>(std::move(function)));
}

void GraphHarness::SetLatch(const std::string& name, Latch* latch) {
  SetSidePacket(name, MakePacket<Latch*>(latch));
}

void GraphHarness::CollectBounds(const std::string& stream) {
  streams_with_bounds_.push_back(stream);
}

void GraphHarness::CollectAll() {
  if (collects_) return;
  collects_ = true;
  for (const PlanStream& stream : graph_->plan().streams()) {
    Collect(std::string(stream.name),
            std::count(streams_with_bounds_.begin(), streams_with_bounds_.end(),
                       stream.name) > 0);
  }
}

void GraphHarness::Collect(const std::string& stream, bool with_bounds) {
  ExpectOk(graph_->ObserveOutputStream(
               stream,
               [this, stream](const Packet& packet) {
                 MutexLock lock(&mutex_);
                 packets_[stream].push_back(packet);
                 return absl::OkStatus();
               },
               with_bounds),
           "ObserveOutputStream");
}

absl::Status GraphHarness::Start(const std::map<std::string, Packet>& headers) {
  SYNCLINE_RETURN_IF_ERROR(Initialize());
  CollectAll();
  {
    MutexLock lock(&mutex_);
    packets_.clear();
  }
  SYNCLINE_RETURN_IF_ERROR(graph_->StartRun(side_packets_, headers));
  is_running_ = true;
  return absl::OkStatus();
}

// --- Inputs

void GraphHarness::FeedPacket(const std::string& stream, Packet packet) {
  if (!is_running_) {
    fed_.emplace_back(stream, std::move(packet));
    return;
  }
  if (packet.IsEmpty()) {
    return SetBound(stream, packet.Timestamp().NextAllowedInStream());
  }
  ExpectOk(graph_->AddPacketToInputStream(stream, std::move(packet)),
           "AddPacketToInputStream");
}

absl::Status GraphHarness::Add(const std::string& stream, LiteralTime time,
                               int value) {
  return graph().AddPacketToInputStream(
      stream, MakeCounted<int>(value).At(time.timestamp()));
}

void GraphHarness::SetBound(const std::string& stream, LiteralTime bound) {
  ExpectOk(graph_->SetInputStreamTimestampBound(stream, bound.timestamp()),
           "SetInputStreamTimestampBound");
}

void GraphHarness::Close(const std::string& stream) {
  ExpectOk(graph_->CloseInputStream(stream), "CloseInputStream");
}

void GraphHarness::Idle() {
  ExpectOk(graph_->WaitUntilIdle(), "WaitUntilIdle");
}

absl::Status GraphHarness::Finish() {
  ExpectOk(graph_->CloseAllInputStreams(), "CloseAllInputStreams");
  is_running_ = false;
  return graph_->WaitUntilDone();
}

absl::Status GraphHarness::AddFed() {
  std::vector<const std::pair<std::string, Packet>*> order;
  for (const auto& fed : fed_) order.push_back(&fed);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) {
                     return a->second.Timestamp() < b->second.Timestamp();
                   });
  for (const auto* const fed : order) {
    const auto& [stream, packet] = *fed;
    SYNCLINE_RETURN_IF_ERROR(
        packet.IsEmpty() ? graph_->SetInputStreamTimestampBound(
                               stream, packet.Timestamp().NextAllowedInStream())
                         : graph_->AddPacketToInputStream(stream, packet));
  }
  return absl::OkStatus();
}

absl::Status GraphHarness::Run() {
  SYNCLINE_RETURN_IF_ERROR(Start());
  const absl::Status fed_status = AddFed();
  const absl::Status status = Finish();
  // An error of the graph refuses packets too; that of the graph says more.
  return status.ok() ? fed_status : status;
}

// --- What was written down

std::vector<Packet> GraphHarness::Packets(const std::string& stream) const {
  MutexLock lock(&mutex_);
  const auto found = packets_.find(stream);
  return found == packets_.end() ? std::vector<Packet>() : found->second;
}

std::string GraphHarness::Timelines() const {
  std::vector<NamedStream> streams;
  MutexLock lock(&mutex_);
  for (const auto& [name, packets] : packets_) {
    streams.push_back({name, packets});
  }
  return DrawTimelines(streams);
}

}  // namespace syncline
