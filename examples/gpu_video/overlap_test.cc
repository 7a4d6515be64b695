// Copies run beside kernels, and copies to the device beside those back: when
// each piece of work begins and ends is noted on the device.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "examples/gpu_video/video_run.h"
#include "framework/base/mutex.h"
#include "framework/port/status_macros.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device.h"
#include "gpu/device_service.h"
#include "gpu/driver.h"
#include "gpu/stand_in/stand_in.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using gpu::DeviceDriver;
using gpu::DriverMemory;
using gpu::EventHandle;
using gpu::StreamHandle;

struct NotedWork {
  bool is_kernel = false;
  StreamHandle stream = nullptr;
  // In nanoseconds, after the first event of all.
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// Notes work, and does it by another driver.
class NotingDriver : public DeviceDriver {
 public:
  explicit NotingDriver(std::unique_ptr<DeviceDriver> driver)
      : driver_(std::move(driver)) {}
  ~NotingDriver() override {
    MutexLock lock(&mutex_);
    for (const Marked& one : marked_) {
      driver_->DropEvent(one.begin);
      driver_->DropEvent(one.end);
    }
  }

  // All work so far, which has ended.
  absl::StatusOr<std::vector<NotedWork>> Noted() {
    MutexLock lock(&mutex_);
    std::vector<NotedWork> noted;
    for (const Marked& one : marked_) {
      SYNCLINE_ASSIGN_OR_RETURN(
          const std::int64_t begin,
          driver_->NanosecondsBetween(marked_[0].begin, one.begin));
      SYNCLINE_ASSIGN_OR_RETURN(
          const std::int64_t end,
          driver_->NanosecondsBetween(marked_[0].begin, one.end));
      noted.push_back({one.is_kernel, one.stream, begin, end});
    }
    return noted;
  }

  absl::Status Copy(StreamHandle stream, void* to, const void* from,
                    std::size_t bytes, absl::string_view name) override {
    return Note(stream, /*is_kernel=*/false,
                [&] { return driver_->Copy(stream, to, from, bytes, name); });
  }
  absl::Status Launch(StreamHandle stream, const gpu::Kernel& kernel,
                      const gpu::KernelLaunch& launch) override {
    return Note(stream, /*is_kernel=*/true,
                [&] { return driver_->Launch(stream, kernel, launch); });
  }

  // --- What is only passed on
  bool ReadsAtOnce(const void* from) override {
    return driver_->ReadsAtOnce(from);
  }
  absl::string_view name() const override { return driver_->name(); }
  const gpu::DeviceInfo& info() const override { return driver_->info(); }
  absl::StatusOr<DriverMemory> TakeMemory(MemoryStorageType kind,
                                          std::size_t bytes,
                                          absl::string_view name) override {
    return driver_->TakeMemory(kind, bytes, name);
  }
  void GiveMemoryBack(const DriverMemory& memory) override {
    driver_->GiveMemoryBack(memory);
  }
  absl::StatusOr<DriverMemory> TakeMemoryAsync(
      StreamHandle stream, std::size_t bytes, absl::string_view name) override {
    return driver_->TakeMemoryAsync(stream, bytes, name);
  }
  absl::Status GiveMemoryBackAsync(StreamHandle stream,
                                   const DriverMemory& memory) override {
    return driver_->GiveMemoryBackAsync(stream, memory);
  }
  absl::StatusOr<StreamHandle> MakeStream(
      const gpu::StreamOptions& options) override {
    return driver_->MakeStream(options);
  }
  void DropStream(StreamHandle stream) override { driver_->DropStream(stream); }
  absl::Status Fill(StreamHandle stream, void* to, std::uint8_t value,
                    std::size_t bytes, absl::string_view name) override {
    return driver_->Fill(stream, to, value, bytes, name);
  }
  absl::Status CallHost(StreamHandle stream,
                        std::function<void()> function) override {
    return driver_->CallHost(stream, std::move(function));
  }
  absl::StatusOr<EventHandle> MakeEvent(bool has_time) override {
    return driver_->MakeEvent(has_time);
  }
  void DropEvent(EventHandle event) override { driver_->DropEvent(event); }
  absl::Status Record(EventHandle event, StreamHandle stream) override {
    return driver_->Record(event, stream);
  }
  absl::Status WaitFor(StreamHandle stream, EventHandle event) override {
    return driver_->WaitFor(stream, event);
  }
  absl::StatusOr<bool> HasEnded(EventHandle event) override {
    return driver_->HasEnded(event);
  }
  absl::StatusOr<std::int64_t> NanosecondsBetween(EventHandle begin,
                                                  EventHandle end) override {
    return driver_->NanosecondsBetween(begin, end);
  }
  absl::Status HostWaitForEvent(EventHandle event) override {
    return driver_->HostWaitForEvent(event);
  }
  absl::Status HostWaitForStream(StreamHandle stream) override {
    return driver_->HostWaitForStream(stream);
  }
  absl::Status Health() override { return driver_->Health(); }

 private:
  struct Marked {
    bool is_kernel = false;
    StreamHandle stream = nullptr;
    EventHandle begin = nullptr;
    EventHandle end = nullptr;
  };

  absl::Status Note(StreamHandle stream, bool is_kernel,
                    const std::function<absl::Status()>& submit) {
    Marked one{is_kernel, stream};
    SYNCLINE_ASSIGN_OR_RETURN(one.begin, driver_->MakeEvent(true));
    SYNCLINE_ASSIGN_OR_RETURN(one.end, driver_->MakeEvent(true));
    {
      MutexLock lock(&mutex_);
      marked_.push_back(one);
    }
    SYNCLINE_RETURN_IF_ERROR(driver_->Record(one.begin, stream));
    SYNCLINE_RETURN_IF_ERROR(submit());
    return driver_->Record(one.end, stream);
  }

  const std::unique_ptr<DeviceDriver> driver_;
  Mutex mutex_;
  std::vector<Marked> marked_ ABSL_GUARDED_BY(mutex_);
};

// How many of the works run beside one of the others for at least a moment.
template <typename IsOne, typename IsOther>
int NumBeside(const std::vector<NotedWork>& works, IsOne is_one,
              IsOther is_other) {
  return static_cast<int>(
      std::count_if(works.begin(), works.end(), [&](const NotedWork& one) {
        return is_one(one) && std::any_of(works.begin(), works.end(),
                                          [&](const NotedWork& other) {
                                            return is_other(other) &&
                                                   other.begin < one.end &&
                                                   one.begin < other.end;
                                          });
      }));
}

TEST(OverlapTest, CopiesRunBesideKernels) {
  const auto stand_in = gpu::StandIn::Make({});
  auto noting =
      std::make_unique<NotingDriver>(std::move(stand_in->MakeDrivers()[0]));
  NotingDriver& driver = *noting;
  std::vector<std::unique_ptr<DeviceDriver>> drivers;
  drivers.push_back(std::move(noting));
  const auto devices = gpu::DeviceGroup::Make(std::move(drivers), true);
  const VideoReport report = *RunGpuVideo(
      {.context = gpu::DeviceContext::Make(devices), .frames = 30});
  EXPECT_EQ(report.pictures, 30);
  const std::vector<NotedWork> works = *driver.Noted();
  EXPECT_EQ(works.size(), static_cast<std::size_t>(report.works));
  const auto is_kernel = [](const NotedWork& work) { return work.is_kernel; };
  const auto is_copy = [](const NotedWork& work) { return !work.is_kernel; };
  const int copies =
      static_cast<int>(std::count_if(works.begin(), works.end(), is_copy));
  const int beside = NumBeside(works, is_copy, is_kernel);
  RecordProperty("copies", copies);
  RecordProperty("copies_beside_kernels", beside);
  EXPECT_GT(beside, 0) << "of " << copies << " copies";
  // On one stream nothing runs beside anything.
  for (const NotedWork& one : works) {
    EXPECT_EQ(NumBeside(
                  works, [&](const NotedWork& work) { return &work == &one; },
                  [&](const NotedWork& work) {
                    return &work != &one && work.stream == one.stream;
                  }),
              0);
  }
}

}  // namespace
}  // namespace syncline
