// Random programs of device work (random_program.h), on the stand-in:
// what comes out equals what one operation after the other gives, and no call
// fails; without one of their waits, exactly those programs fail in which that
// wait was needed, and at the first access that it left without order.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device.h"
#include "gpu/device_buffer.h"
#include "gpu/random_program.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using Kind = RandomOp::Kind;

// Keeps the memory of one buffer until it is handed out again.
class OneBlockStore : public DeviceMemoryStore {
 public:
  ~OneBlockStore() override {
    if (device != nullptr) device->TakeMemoryBack(memory, std::move(pending));
  }
  void TakeBack(Device& of_device, const DriverMemory& returned,
                std::vector<PendingWork> still_pending) override {
    device = &of_device;
    memory = returned;
    pending = std::move(still_pending);
  }

  Device* device = nullptr;
  DriverMemory memory;
  std::vector<PendingWork> pending;
};

class ProgramRun {
 public:
  ProgramRun(const RandomProgram& program, StandInOptions options,
             bool check_access, std::uint64_t seed)
      : program_(program), has_threads_(options.has_threads), random_(seed) {
    options.num_devices = static_cast<int>(program.num_devices);
    options.step_seed = seed;
    options.memory_bytes = 1 << 16;
    devices_ = MakeStandInDevices(options, check_access);
  }

  // The number of operations that were done.
  std::size_t Run(absl::Status* status) {
    *status = Prepare();
    std::size_t num_done = 0;
    for (const RandomOp& op : program_.ops) {
      if (!status->ok()) break;
      *status = Do(op);
      if (status->ok()) ++num_done;
      // The device goes on while the host submits.
      for (; !has_threads_ && random_() % 3 == 0;) {
        devices_.stand_in->StepBySeed();
      }
    }
    return num_done;
  }

  RandomProgram::Contents Contents() {
    RandomProgram::Contents contents(buffers_.size());
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      SYNCLINE_EXPECT_OK(buffers_[i].HostWait());
      SYNCLINE_EXPECT_OK(streams_[0].CopyToHost(
          contents[i].data(), Reads(buffers_[i]), sizeof(contents[i])));
    }
    return contents;
  }

 private:
  absl::Status Prepare() {
    for (const std::size_t device : program_.stream_device) {
      SYNCLINE_ASSIGN_OR_RETURN(Stream stream,
                                Stream::Make(devices_[device], {}, "s"));
      streams_.push_back(std::move(stream));
    }
    for (const RandomProgram::Buffer& buffer : program_.buffers) {
      const std::size_t bytes = sizeof(RandomProgram::Contents::value_type);
      const std::shared_ptr<Device>& device = devices_[buffer.device];
      SYNCLINE_ASSIGN_OR_RETURN(const DriverMemory memory,
                                device->TakeMemory(buffer.kind, bytes, "b"));
      stores_.push_back(std::make_shared<OneBlockStore>());
      SYNCLINE_ASSIGN_OR_RETURN(
          DeviceBuffer made,
          DeviceBuffer::HandOut(device, stores_.back(), memory, bytes, "b",
                                nullptr, {}));
      buffers_.push_back(std::move(made));
    }
    return absl::OkStatus();
  }

  absl::Status Recycle(const RandomOp& op) {
    DeviceBuffer& buffer = buffers_[op.buffer];
    const std::shared_ptr<Device> device = buffer.device();
    const std::size_t size = buffer.size();
    buffer = DeviceBuffer();
    OneBlockStore& store = *stores_[op.buffer];
    SYNCLINE_ASSIGN_OR_RETURN(
        buffer,
        DeviceBuffer::HandOut(device, stores_[op.buffer], store.memory, size,
                              "b", &streams_[op.stream].core(), store.pending));
    store.pending.clear();
    store.device = nullptr;
    return absl::OkStatus();
  }

  absl::Status Do(const RandomOp& op) {
    const Stream& stream = streams_[op.stream];
    const Stream& other = streams_[op.other];
    const DeviceBuffer& buffer = buffers_[op.buffer];
    switch (op.kind) {
      case Kind::kMix: {
        std::vector<Access> accesses;
        for (const std::size_t r : op.reads) {
          accesses.push_back(Reads(buffers_[r]));
        }
        accesses.push_back(Writes(buffer));
        return stream.Launch(kMix, RandomProgram::kElements,
                             MixParameters{op.seed}, accesses);
      }
      case Kind::kCopy:
        return stream.Copy(Writes(buffer), Reads(buffers_[op.reads[0]]));
      case Kind::kFill:
        return stream.Fill(Writes(buffer),
                           static_cast<std::uint8_t>(op.seed & 0xffu));
      case Kind::kRecycle:
        return Recycle(op);
      case Kind::kHostRead:
        return buffer.ViewForReading().status();
      case Kind::kHostWrite: {
        SYNCLINE_ASSIGN_OR_RETURN(const HostView view, buffer.ViewForWriting());
        auto* const out =
            reinterpret_cast<std::uint32_t*>(view.mutable_bytes().data());
        std::fill_n(out, RandomProgram::kElements, op.seed);
        return absl::OkStatus();
      }
      case Kind::kWaitForPoint:
        return stream.WaitFor(other.Now());
      case Kind::kWaitToRead:
        return stream.WaitFor(Reads(buffer));
      case Kind::kWaitToWrite:
        return stream.WaitFor(Writes(buffer));
      case Kind::kHostForPoint:
        return other.Synchronize();
      case Kind::kHostForBuffer:
        return buffer.HostWait();
    }
    return absl::InternalError("no such operation");
  }

  const RandomProgram& program_;
  const bool has_threads_;
  std::mt19937_64 random_;
  StandInDevices devices_;
  // In this order: buffers go back into stores.
  std::vector<Stream> streams_;
  std::vector<std::shared_ptr<OneBlockStore>> stores_;
  std::vector<DeviceBuffer> buffers_;
};

// `usual` programs, or as many as random_work_long_test says, which sets
// SYNCLINE_RANDOM_PROGRAMS; fewer under a sanitizer.
std::uint64_t NumPrograms(std::uint64_t usual) {
  const char* const given = std::getenv("SYNCLINE_RANDOM_PROGRAMS");
  std::uint64_t number = 0;
  if (given == nullptr || !absl::SimpleAtoi(given, &number)) number = usual;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return number / 5;
#else
  return number;
#endif
}

TEST(RandomWorkTest, ProgramsEqualTheOracleWithoutAFalseAlarm) {
  std::uint64_t num_with_edges = 0;
  const std::uint64_t num_programs = NumPrograms(1000);
  for (std::uint64_t seed = 0; seed < num_programs; ++seed) {
    SCOPED_TRACE(seed);
    const RandomProgram program = RandomProgram::Make(seed);
    if (program.HasEdges()) ++num_with_edges;
    ProgramRun run(program, {.has_threads = false}, /*check_access=*/true,
                   seed);
    absl::Status status;
    ASSERT_EQ(run.Run(&status), program.ops.size()) << status;
    ASSERT_EQ(run.Contents(), program.Interpret());
  }
  EXPECT_GE(num_with_edges, num_programs * 3 / 10);
  RecordProperty("with_edges", static_cast<int>(num_with_edges));
}

TEST(RandomWorkTest, WithoutAWaitTheCheckerSpeaksExactlyWhereItWasNeeded) {
  int num_needed = 0;
  int num_not_needed = 0;
  const std::uint64_t num_programs = NumPrograms(1000);
  for (std::uint64_t seed = 0; seed < num_programs; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram program = RandomProgram::Make(seed);
    const std::vector<std::size_t> waits = program.Waits();
    if (waits.empty()) continue;
    std::mt19937_64 random(seed);
    program.ops.erase(
        program.ops.begin() +
        static_cast<std::ptrdiff_t>(waits[random() % waits.size()]));
    const absl::optional<std::size_t> unordered = program.FirstUnordered();
    ProgramRun run(program, {.has_threads = false}, /*check_access=*/true,
                   seed);
    absl::Status status;
    const std::size_t num_done = run.Run(&status);
    ASSERT_EQ(num_done, unordered.value_or(program.ops.size())) << status;
    ++(unordered.has_value() ? num_needed : num_not_needed);
    ASSERT_EQ(status.code(), unordered.has_value()
                                 ? absl::StatusCode::kFailedPrecondition
                                 : absl::StatusCode::kOk);
  }
  EXPECT_GT(num_needed, static_cast<int>(num_programs / 10));
  EXPECT_GT(num_not_needed, 0);
  RecordProperty("needed", num_needed);
  RecordProperty("not_needed", num_not_needed);
}

// The same with the checker off, to see that order is not only on paper.
TEST(RandomWorkTest, SeedsFindWrongContentsWhereTheCheckerIsOff) {
  int num_wrong = 0;
  for (std::uint64_t seed = 0; seed < NumPrograms(100); ++seed) {
    RandomProgram program = RandomProgram::Make(seed);
    const auto is_device_wait = [](const RandomOp& op) {
      return op.kind >= Kind::kWaitForPoint && op.kind <= Kind::kWaitToWrite;
    };
    std::erase_if(program.ops, is_device_wait);
    ProgramRun run(program, {.has_threads = false}, /*check_access=*/false,
                   seed);
    absl::Status status;
    ASSERT_EQ(run.Run(&status), program.ops.size()) << status;
    if (run.Contents() != program.Interpret()) ++num_wrong;
  }
  EXPECT_GT(num_wrong, 0);
  RecordProperty("wrong", num_wrong);
}

TEST(RandomWorkTest, WithThreadsContentsEqualTheOracle) {
  for (std::uint64_t seed = 0; seed < NumPrograms(200); ++seed) {
    SCOPED_TRACE(seed);
    const RandomProgram program = RandomProgram::Make(seed);
    ProgramRun run(program, {.delay_seed = seed}, /*check_access=*/true, seed);
    absl::Status status;
    ASSERT_EQ(run.Run(&status), program.ops.size()) << status;
    ASSERT_EQ(run.Contents(), program.Interpret());
  }
}

}  // namespace
}  // namespace syncline::gpu
