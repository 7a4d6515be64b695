#include "framework/node/effects.h"

#include "absl/status/status.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(EffectsTest, CallsThatAreReadyAreNoReport) {
  Effects effects;
  EXPECT_FALSE(effects.HasReports());
  effects.ready.push_back(nullptr);
  EXPECT_FALSE(effects.HasReports());
}

TEST(EffectsTest, EverythingElseIsAReport) {
  Effects bounds;
  bounds.bounds.push_back({.stream = 0, .bound = Timestamp(1)});
  EXPECT_TRUE(bounds.HasReports());
  Effects gate_facts;
  gate_facts.gate_facts.push_back({.kind = Effects::GateFact::Kind::kAsk});
  EXPECT_TRUE(gate_facts.HasReports());
  Effects queue_facts;
  queue_facts.queue_facts.push_back({.stream = 0, .change = 1});
  EXPECT_TRUE(queue_facts.HasReports());
  Effects errors;
  errors.errors.push_back(absl::UnknownError("why"));
  EXPECT_TRUE(errors.HasReports());
  Effects trash;
  trash.trash.push_back(MakePacket<int>(1));
  EXPECT_TRUE(trash.HasReports());
}

}  // namespace
}  // namespace syncline
