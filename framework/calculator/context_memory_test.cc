// A call allocates nothing: contexts are made once and used again.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "framework/calculator/calculator_base.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace {

thread_local std::size_t allocation_count = 0;

void* CountedAllocation(std::size_t size) {
  ++allocation_count;
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(std::size_t size) { return CountedAllocation(size); }
void* operator new[](std::size_t size) { return CountedAllocation(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

namespace syncline {
namespace {

class ForwardCalculator : public CalculatorBase {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    cc->GetCounter("calls")->Increment();
    if (cc->Inputs().Tag("IN").IsEmpty()) return absl::OkStatus();
    cc->Outputs().Tag("OUT").AddPacket(
        cc->Inputs().Tag("IN").Value().At(cc->InputTimestamp()));
    cc->Outputs().Tag("BOUND").AddPacket(Packet().At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};

// One call as the engine makes it.
void Call(CalculatorBase* calculator, CalculatorContext& cc,
          const Packet& packet, Timestamp timestamp) {
  cc.BeginCall(CallPhase::kProcess, timestamp);
  for (OutputStream& output : cc.Outputs()) {
    output.Begin(timestamp, false, true);
  }
  cc.Inputs().Tag("IN").Fill(packet.At(timestamp), false);
  ASSERT_TRUE(InvokeProcess(calculator, &cc).ok());
  ASSERT_TRUE(cc.call().ok());
  ASSERT_EQ(cc.Outputs().Tag("OUT").packets().size(), 1);
  cc.EndCall();
}

TEST(ContextMemoryTest, ACallAllocatesNothing) {
  TestNode node(R"pb(calculator: "Forward"
                     input_stream: "IN:in"
                     output_stream: "OUT:out"
                     output_stream: "BOUND:bound")pb",
                [](CalculatorContract* cc) {
                  cc->Inputs().Tag("IN").Set<int>();
                  cc->Outputs().Tag("OUT").SetSameAs(&cc->Inputs().Tag("IN"));
                  cc->Outputs().Tag("BOUND").Set<int>();
                });
  ForwardCalculator calculator;
  const Packet packet = MakePacket<int>(1);
  Call(&calculator, node.context(), packet, Timestamp(0));
  const std::size_t before = allocation_count;
  for (int i = 1; i < 1000; ++i) {
    Call(&calculator, node.context(), packet, Timestamp(i));
  }
  EXPECT_EQ(allocation_count, before);
}

TEST(ContextMemoryTest, TheSameNumberOfPacketsInEachCallAllocatesOnlyOnce) {
  TestNode node(
      R"pb(calculator: "X" output_stream: "OUT:out")pb",
      [](CalculatorContract* cc) { cc->Outputs().Tag("OUT").Set<int>(); });
  OutputStream& output = node.context().Outputs().Tag("OUT");
  const Packet packet = MakePacket<int>(1);
  std::size_t before = 0;
  for (int call = 0; call < 100; ++call) {
    if (call == 1) before = allocation_count;
    output.Begin(Timestamp::PreStream(), false, false);
    for (int i = 0; i < 20; ++i) output.AddPacket(packet.At(Timestamp(i)));
    output.Clear();
  }
  EXPECT_EQ(allocation_count, before);
}

}  // namespace
}  // namespace syncline
