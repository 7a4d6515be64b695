// Tables that grow while a graph is built or runs survive memory that runs out
// as they grow: whoever asked gets the exception, and what was there is there.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/c/handles.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/memory_manager.h"
#include "framework/port/parse_text_proto.h"
#include "framework/recording/recording_queue.h"
#include "framework/shared_thread_pool.h"
#include "gtest/gtest.h"

namespace {

// Allocations of this thread until one fails; none does below 0.
thread_local long left = -1;
thread_local bool has_failed = false;

void* Allocate(std::size_t bytes, std::size_t alignment) {
  if (left > 0 && --left == 0) {
    has_failed = true;
    throw std::bad_alloc();
  }
  void* const memory = std::aligned_alloc(
      alignment, (bytes + alignment) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return Allocate(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

#ifdef __SANITIZE_ADDRESS__
// Protobuf loses the part of a message that it had when memory ran out.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:google::protobuf::\nleak:libprotobuf.so\n";
}
#endif

namespace syncline {
namespace {

// Calls `use` with objects that are new each time, and then `check`: the first
// allocation fails, then the second, ...
template <typename Object, typename Use, typename Check>
void TryEachFailure(Use use, Check check) {
  int failures = 0;
  for (long first = 1;; ++first) {
    Object object;
    left = first;
    has_failed = false;
    try {
      use(&object);
    } catch (const std::bad_alloc&) {
    }
    left = -1;
    check(&object);
    if (!has_failed) break;
    ++failures;
  }
  EXPECT_GT(failures, 3);
}

TEST(MemoryRunsOutTest, WhileBlocksGoBackToAMemoryManager) {
  TryEachFailure<MemoryManager>(
      [](MemoryManager* manager) {
        std::vector<std::shared_ptr<void>> blocks;
        for (std::size_t size = 64; size < 100'000; size *= 2) {
          blocks.push_back(manager->Allocate(size));
          blocks.push_back(manager->Allocate(size));
        }
      },
      [](MemoryManager* manager) {
        manager->Allocate(100).reset();
        EXPECT_GE(manager->kept_bytes(), 128);
      });
}

TEST(MemoryRunsOutTest, WhileARecordingDropsPackets) {
  struct Queue : RecordingQueue {
    Queue() : RecordingQueue(WhenFull::kDrop, /*max_bytes=*/300) {}
  };
  TryEachFailure<Queue>(
      [](Queue* queue) {
        const Packet packet = MakePacket<int>(1).At(Timestamp(1));
        for (int stream = 0; stream < 30; ++stream) queue->Put(stream, packet);
      },
      [](Queue* queue) {
        std::vector<RecordingQueue::Entry> entries;
        queue->Put(100, MakePacket<int>(1).At(Timestamp(1)));
        queue->Close();
        EXPECT_TRUE(queue->Take(absl::ZeroDuration(), &entries));
      });
}

TEST(MemoryRunsOutTest, WhileHandlesOfTheCInterfaceAreMade) {
  struct IntHandles : Handles<int, int*> {
    IntHandles() : Handles("number", 1) {}
  };
  TryEachFailure<IntHandles>(
      [](IntHandles* handles) {
        for (int i = 0; i < 30; ++i) handles->Add(std::make_shared<int>(i));
      },
      [](IntHandles* handles) {
        int* const handle = handles->Add(std::make_shared<int>(7));
        EXPECT_EQ(**handles->Get(handle), 7);
        EXPECT_TRUE(handles->Remove(handle).ok());
      });
}

TEST(MemoryRunsOutTest, WhileThreadPoolsAreShared) {
  struct Pools {
    std::vector<std::shared_ptr<Executor>> executors;
  };
  TryEachFailure<Pools>(
      [](Pools* pools) {
        for (int i = 0; i < 4; ++i) {
          auto pool = SharedThreadPool(absl::StrCat("pool of the test ", i), 1);
          if (pool.ok()) pools->executors.push_back(*pool);
        }
      },
      [](Pools* pools) {
        EXPECT_TRUE(SharedThreadPool("pool of the test", 1).ok());
      });
}

class FusedPartOfTheTest : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(FusedPartOfTheTest);

TEST(MemoryRunsOutTest, WhileAFusedNodeIsBuilt) {
  const auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "a"
    node {
      fused_node {
        calculator: "FusedPartOfTheTest"
        input_stream: "a"
        output_stream: "b"
      }
      fused_node {
        calculator: "FusedPartOfTheTest"
        input_stream: "b"
        output_stream: "c"
      }
    })pb");
  TryEachFailure<CalculatorGraph>(
      [&](CalculatorGraph* graph) {
        const absl::Status status = graph->Initialize(config);
        EXPECT_EQ(status.ok(), !has_failed) << status;
      },
      [](CalculatorGraph*) {});
}

}  // namespace
}  // namespace syncline
