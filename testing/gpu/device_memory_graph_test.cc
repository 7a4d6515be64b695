// Graphs whose nodes take the memory of devices from allocators, and wait until
// there is some.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/allocator.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/allocate_buffer.h"
#include "gpu/call_streams.h"
#include "gpu/device_buffer.h"
#include "gpu/device_memory.h"
#include "gpu/device_work.h"
#include "gpu/notices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"
#include "testing/gpu/device_graph.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string BlockPool(absl::string_view kind, int num_blocks) {
  return absl::StrCat(
      "allocator { name: \"m\" type: \"BlockMemoryPool\" options { "
      "[syncline.BlockMemoryPoolOptions.ext] { storage_type: ",
      kind, " block_size_text: \"", kBufferBytes,
      "B\" num_blocks: ", num_blocks, " } } }\n");
}

std::string WaitsForMemory() {
  return absl::StrCat(
      "condition { type: \"MemoryAvailableSchedulingTerm\" options { "
      "[syncline.MemoryAvailableConditionOptions.ext] { allocator: \"m\" "
      "min_bytes: ",
      kBufferBytes, " } } }");
}

class DeviceMemoryGraphTest : public DeviceGraphTest {
 protected:
  void TearDown() override {
    scope_ = nullptr;
    {
      MutexLock lock(&mutex_);
      buffers_.clear();
    }
    Notices::WaitForPosted();
    DeviceGraphTest::TearDown();
  }
  // Takes an int; hands on a buffer of the allocator, filled on the device. The
  // harness writes down what is sent, and would keep the memory: so an int is
  // sent, and the buffer goes beside it.
  DeviceFunction UploadTo(MemoryStorageType kind) {
    return [this, kind](CalculatorContext* cc,
                        CallStreams& streams) -> absl::Status {
      SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                streams.ReceiveCudaStream());
      SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Allocator> allocator,
                                cc->FindAllocator("m"));
      SYNCLINE_ASSIGN_OR_RETURN(
          DeviceBuffer buffer,
          AllocateBuffer(stream, *allocator, kind, kBufferBytes, "frame"));
      SYNCLINE_RETURN_IF_ERROR(
          stream.CallHost([] { absl::SleepFor(absl::Microseconds(100)); }));
      SYNCLINE_RETURN_IF_ERROR(
          FillWith(cc->Inputs().Index(0).Get<int>(), stream, buffer));
      ++num_uploads_;
      {
        MutexLock lock(&mutex_);
        buffers_[cc->InputTimestamp()] = std::move(buffer);
      }
      cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
      return absl::OkStatus();
    };
  }
  // What was handed on with the packet of this call.
  DeviceBuffer TakeBuffer(CalculatorContext* cc) {
    MutexLock lock(&mutex_);
    DeviceBuffer buffer = std::move(buffers_[cc->InputTimestamp()]);
    buffers_.erase(cc->InputTimestamp());
    return buffer;
  }
  // Adds up what the buffers say; keeps none.
  DeviceFunction AddUp() {
    return [this](CalculatorContext* cc, CallStreams&) -> absl::Status {
      SYNCLINE_ASSIGN_OR_RETURN(const std::uint32_t number,
                                NumberOf(TakeBuffer(cc)));
      sum_ += number / UploadedNumber(1);
      return absl::OkStatus();
    };
  }
  static void FeedTwenty(DeviceGraph* graph) {
    for (int i = 0; i < 20; ++i) graph->Feed("in", {{i, i}});
  }

  std::unique_ptr<MemoryDevicesScope> scope_ =
      std::make_unique<MemoryDevicesScope>(devices_.devices);
  std::atomic<int> num_uploads_{0};
  std::atomic<std::uint32_t> sum_{0};

 private:
  Mutex mutex_;
  std::map<Timestamp, DeviceBuffer> buffers_ ABSL_GUARDED_BY(mutex_);
};
SYNCLINE_TEST_WITH_ALL_WORKERS(DeviceMemoryGraphTest);

TEST_P(DeviceMemoryGraphTest, MemoryAvailableWaitsForEachAllocator) {
  const auto of_max = [](absl::string_view type) {
    return absl::StrCat("allocator { name: \"m\" type: \"", type,
                        "\" options { [syncline.", type,
                        "Options.ext] { device_memory_initial_size: \"1KB\" "
                        "device_memory_max_size: \"1KB\" } } }\n");
  };
  using Kind = MemoryStorageType;
  const std::pair<std::string, Kind> cases[] = {
      {BlockPool("DEVICE", 1), Kind::kDevice},
      {BlockPool("HOST", 1), Kind::kHost},
      {BlockPool("MANAGED", 2), Kind::kManaged},
      {of_max("StreamOrderedAllocator"), Kind::kDevice},
      {of_max("RMMAllocator"), Kind::kDevice},
      {"allocator { name: \"m\" type: \"UnboundedAllocator\" }\n",
       Kind::kManaged}};
  for (const auto& [allocator, kind] : cases) {
    num_uploads_ = 0;
    sum_ = 0;
    DeviceGraph graph(GetParam(), context_);
    graph.AddText(allocator);
    graph.AddInput("in");
    graph.AddNode("upload", {"in"}, {"a"}, UploadTo(kind), WaitsForMemory());
    graph.AddNode("sum", {"a"}, {}, AddUp());
    FeedTwenty(&graph);
    SYNCLINE_ASSERT_OK(graph.Run()) << allocator;
    EXPECT_EQ(num_uploads_, 20) << allocator;
    EXPECT_EQ(sum_, 190u) << allocator;
  }
}

TEST_P(DeviceMemoryGraphTest, AnExhaustedPoolIsAnErrorThatNamesItsHolders) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddText(BlockPool("DEVICE", 2));
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, UploadTo(MemoryStorageType::kDevice));
  // Nobody takes the buffers.
  FeedTwenty(&graph);
  EXPECT_THAT(
      graph.Run(),
      StatusIs(absl::StatusCode::kResourceExhausted,
               AllOf(HasSubstr("\"m\" has no free block for a request by "
                               "\"upload at 2 on stream upload/0 of "
                               "stand_in:0, frame\""),
                     HasSubstr("1 by \"upload at 0 on stream upload/0"),
                     HasSubstr("1 by \"upload at 1 on stream upload/0"))));
}

TEST_P(DeviceMemoryGraphTest, ABlockGoesOnWhileADeviceStillReadsIt) {
  // Two nodes on streams of their own; a pool of one block for each of them.
  // Buffers die right after the call that used them last.
  DeviceGraph graph(GetParam(), context_);
  graph.AddText(BlockPool("DEVICE", 1));
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, UploadTo(MemoryStorageType::kDevice),
                WaitsForMemory());
  std::vector<DeviceBuffer> copies;
  graph.AddNode(
      "copy", {"a"}, {},
      [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        const DeviceBuffer in = TakeBuffer(cc);
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_RETURN_IF_ERROR(stream.WaitFor(Reads(in)));
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(
            stream.CallHost([] { absl::SleepFor(absl::Microseconds(200)); }));
        SYNCLINE_RETURN_IF_ERROR(stream.Copy(Writes(out), Reads(in)));
        copies.push_back(std::move(out));
        return absl::OkStatus();
      });
  std::atomic<std::int64_t> host_waits{-1};
  graph.SetClose("upload", [&](CalculatorContext*, CallStreams&) {
    host_waits = Counters().host_waits;
    return absl::OkStatus();
  });
  FeedTwenty(&graph);
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(host_waits, 0) << "nobody waits on the host during the run";
  ASSERT_EQ(copies.size(), 20);
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(NumberOf(copies[static_cast<std::size_t>(i)]),
                IsOkAndHolds(UploadedNumber(i)));
  }
  copies.clear();
}

}  // namespace
}  // namespace syncline::gpu
