#include "gpu/cuda_stream_pool.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/cuda_stream_pool.pb.h"
#include "gpu/device_buffer.h"
#include "gpu/stand_in/noting_devices.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CudaStreamPoolTest : public ::testing::Test {
 protected:
  std::shared_ptr<CudaStreamPool> MakePool(
      const CudaStreamPoolParameters& parameters) {
    return *CudaStreamPool::Make(devices_[0], parameters, "pool");
  }

  const StandInDevices devices_ = MakeStandInDevices({.has_threads = false});
};

TEST_F(CudaStreamPoolTest, TheDefaultsAreThoseOfThePage) {
  const CudaStreamPoolParameters parameters =
      *CudaStreamPoolParameters::FromOptions(CudaStreamPoolOptions());
  EXPECT_EQ(parameters, CudaStreamPoolParameters());
  EXPECT_EQ(parameters.dev_id, absl::nullopt);
  EXPECT_EQ(parameters.stream_flags, 0);
  EXPECT_EQ(parameters.stream_priority, 0);
  EXPECT_EQ(parameters.reserved_size, 1);
  EXPECT_EQ(parameters.max_size, 0);
}

TEST_F(CudaStreamPoolTest, MoreReservedStreamsThanAPoolMakesAreRefused) {
  CudaStreamPoolOptions options;
  options.set_reserved_size(CudaStreamPoolParameters::kMaxReserved);
  SYNCLINE_EXPECT_OK(CudaStreamPoolParameters::FromOptions(options));
  options.set_reserved_size(100000);
  EXPECT_THAT(CudaStreamPoolParameters::FromOptions(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("reserved_size: 100000"),
                             HasSubstr("at most 1024 streams"))));
}

TEST_F(CudaStreamPoolTest, ReservedStreamsAreMadeAtOnceAndOthersWhenTaken) {
  const auto pool = MakePool({.reserved_size = 2});
  EXPECT_EQ(pool->size(), 2);
  for (const char* const holder : {"a", "b", "c", "d", "e"}) {
    SYNCLINE_EXPECT_OK(pool->Take(holder));
  }
  EXPECT_EQ(pool->size(), 5);
  EXPECT_EQ(pool->num_taken(), 5);
}

TEST_F(CudaStreamPoolTest, ProfilersHearTheNamesOfItsStreams) {
  NotingDevices devices(1);
  const auto pool = *CudaStreamPool::Make(devices[0], {}, "pool");
  EXPECT_THAT(devices.TakeNotes(), ElementsAre("0: stream pool/0"));
  const auto named =
      *CudaStreamPool::Make(devices[0], {.nvtx_identifier = "video"}, "pool");
  SYNCLINE_ASSERT_OK(named->Take("a"));
  SYNCLINE_ASSERT_OK(named->Take("b"));
  EXPECT_THAT(devices.TakeNotes(),
              ElementsAre("0: stream video/0", "0: stream video/1"));
}

TEST_F(CudaStreamPoolTest, StreamsHaveAPartOfTheMultiprocessors) {
  CudaStreamPoolOptions options;
  options.set_stream_flags(1);
  options.mutable_sm_partition()->set_sms_per_partition(16);
  options.mutable_sm_partition()->set_num_partitions(2);
  options.mutable_sm_partition()->set_index(-1);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const CudaStreamPoolParameters parameters,
                                CudaStreamPoolParameters::FromOptions(options));
  EXPECT_EQ(
      parameters.sm_partition,
      (SmPartition{.sms_per_partition = 16, .num_partitions = 2, .index = -1}));
  const auto pool = MakePool(parameters);
  EXPECT_EQ((*pool->Take("a")).options().partition, parameters.sm_partition);
}

TEST_F(CudaStreamPoolTest, APartThatCannotBeIsAnError) {
  const auto error = [](int sms, int partitions, int index, int flags) {
    CudaStreamPoolOptions options;
    options.set_stream_flags(static_cast<std::uint32_t>(flags));
    auto* const given = options.mutable_sm_partition();
    given->set_sms_per_partition(static_cast<std::uint32_t>(sms));
    given->set_num_partitions(static_cast<std::uint32_t>(partitions));
    given->set_index(index);
    const absl::Status status =
        CudaStreamPoolParameters::FromOptions(options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(error(0, 1, 0, 1), HasSubstr("without multiprocessors"));
  EXPECT_THAT(error(1, 0, 0, 1), HasSubstr("without multiprocessors"));
  EXPECT_THAT(error(8, 2, 2, 1),
              HasSubstr("index: 2; there are 0 to 1, and -1 for"));
  EXPECT_THAT(error(8, 2, -2, 1), HasSubstr("index: -2"));
  EXPECT_THAT(error(8, 2, 0, 0), HasSubstr("set stream_flags: 1"));
}

TEST_F(CudaStreamPoolTest, TheNameOfAGreenContextIsRefused) {
  CudaStreamPoolOptions options;
  options.set_cuda_green_context("half");
  EXPECT_THAT(CudaStreamPoolParameters::FromOptions(options),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("cuda_green_context: \"half\""),
                             HasSubstr("sm_partition {"))));
}

TEST_F(CudaStreamPoolTest, StreamsAreAsThePoolSays) {
  const auto pool = MakePool({.stream_flags = 1, .stream_priority = -1});
  const Stream stream = *pool->Take("a");
  EXPECT_EQ(stream.options().flags, 1);
  EXPECT_EQ(stream.options().priority, -1);
  EXPECT_EQ(stream.device(), devices_[0]);
  EXPECT_EQ(stream.name(), "pool/0");
  const auto named = MakePool({.nvtx_identifier = "video"});
  EXPECT_EQ((*named->Take("a")).name(), "video/0");
}

TEST_F(CudaStreamPoolTest, WhatWasGivenBackIsTakenAgain) {
  const auto pool = MakePool({.max_size = 1});
  const Stream stream = *pool->Take("a");
  EXPECT_THAT(
      pool->Take("b"),
      StatusIs(absl::StatusCode::kResourceExhausted,
               AllOf(HasSubstr("CudaStreamPool \"pool\" of stand_in:0 "
                               "has no stream for b"),
                     HasSubstr("max_size is 1"), HasSubstr("held by a"))));
  SYNCLINE_EXPECT_OK(pool->GiveBack(stream));
  EXPECT_EQ(*pool->Take("b"), stream);
}

TEST_F(CudaStreamPoolTest, OnlyWhatWasTakenCanBeGivenBack) {
  const auto pool = MakePool({});
  const Stream stream = *pool->Take("a");
  SYNCLINE_EXPECT_OK(pool->GiveBack(stream));
  EXPECT_THAT(pool->GiveBack(stream),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(pool->GiveBack(*Stream::Make(devices_[0], {}, "foreign")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("stream \"foreign\" of stand_in:0 was not")));
  EXPECT_THAT(pool->GiveBack(Stream()),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(CudaStreamPoolTest, AMaximumBelowTheReservedSizeIsRaised) {
  const auto pool = MakePool({.reserved_size = 3, .max_size = 2});
  EXPECT_EQ(pool->parameters().max_size, 3);
  EXPECT_EQ(pool->size(), 3);
}

TEST_F(CudaStreamPoolTest, StreamsOfPoolsAreFoundAndOthersNot) {
  auto pool = MakePool({});
  const Stream stream = *pool->Take("a");
  const auto found = CudaStreamPool::Find(stream.core());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->stream, stream);
  EXPECT_EQ(found->pool, pool);
  const Stream foreign = *Stream::Make(devices_[0], {}, "foreign");
  EXPECT_FALSE(CudaStreamPool::Find(foreign.core()).has_value());
}

TEST_F(CudaStreamPoolTest, StreamsEndWithTheirPool) {
  auto pool = MakePool({});
  const Stream stream = *pool->Take("a");
  const DeviceBuffer buffer =
      *DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice, 64, "b");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(buffer), 1));
  pool.reset();
  EXPECT_FALSE(CudaStreamPool::Find(stream.core()).has_value());
  EXPECT_THAT(stream.Fill(Writes(buffer), 1),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("was destroyed")));
  // What it was told before is done.
  SYNCLINE_EXPECT_OK(buffer.HostWait());
}

TEST_F(CudaStreamPoolTest, AStreamThatCannotBeMadeIsAnError) {
  devices_.stand_in->FailCall(StandInCall::kMakeStream, 2,
                              absl::UnavailableError("no stream"));
  EXPECT_THAT(CudaStreamPool::Make(devices_[0], {.reserved_size = 2}, "pool"),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("CudaStreamPool \"pool\""),
                             HasSubstr("stand_in:0"))));
}

}  // namespace
}  // namespace syncline::gpu
