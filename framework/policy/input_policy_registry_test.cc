#include "framework/policy/input_policy_registry.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/name_registry.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/plan/handler_options.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(InputPolicyRegistryTest, EveryHandlerThatThePlanKnowsCanRun) {
  for (const std::string& name :
       NameRegistry::Get("InputStreamHandler").Names()) {
    const absl::StatusOr<InputPolicyKind> kind = FindInputPolicy(name);
    ASSERT_TRUE(kind.ok()) << kind.status();
    EXPECT_NE(kind->create, nullptr) << name;
  }
  EXPECT_EQ(NameRegistry::Get("InputStreamHandler").Names(),
            NameRegistry::Get("InputPolicy").Names());
}

TEST(InputPolicyRegistryTest, NamesAreFoundInEverySpelling) {
  for (const char* name :
       {"DefaultInputStreamHandler", "syncline.DefaultInputStreamHandler",
        "mediapipe.DefaultInputStreamHandler"}) {
    EXPECT_TRUE(FindInputPolicy(name).ok()) << name;
  }
}

TEST(InputPolicyRegistryTest, SaysWhatDependsOnTheOrderOfArrival) {
  for (const char* name :
       {"DefaultInputStreamHandler", "SyncSetInputStreamHandler",
        "MuxInputStreamHandler", "BarrierInputStreamHandler"}) {
    EXPECT_TRUE(FindInputPolicy(name)->is_deterministic) << name;
  }
  for (const char* name :
       {"ImmediateInputStreamHandler", "FixedSizeInputStreamHandler",
        "EarlyCloseInputStreamHandler", "TimeoutInputStreamHandler",
        "TimestampAlignInputStreamHandler"}) {
    EXPECT_FALSE(FindInputPolicy(name)->is_deterministic) << name;
  }
}

TEST(InputPolicyRegistryTest, OnlyTheBarrierIgnoresTime) {
  for (const std::string& name : NameRegistry::Get("InputPolicy").Names()) {
    EXPECT_EQ(FindInputPolicy(name)->ignores_time,
              name == "BarrierInputStreamHandler")
        << name;
  }
}

TEST(InputPolicyRegistryTest, AnUnknownNameIsNotFound) {
  EXPECT_EQ(FindInputPolicy("NoSuchInputStreamHandler").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(InputPolicyRegistryTest, AKindOfOnesOwnIsKnownToPlanAndRun) {
  const SynclineOptions options;
  const std::shared_ptr<const PortLayout> ports = *PortLayout::Create({"A:a"});
  absl::StatusOr<RegistrationToken> token = RegisterInputPolicyKind(
      "my.OwnInputStreamHandler",
      {.create = MakeDefaultPolicy, .is_deterministic = false},
      {.check =
           [](const SynclineOptions&, const PortLayout& inputs) {
             return inputs.HasTag("A")
                        ? absl::OkStatus()
                        : absl::InvalidArgumentError("needs an input A");
           }},
      "here:1");
  ASSERT_TRUE(token.ok()) << token.status();
  EXPECT_EQ(*CheckInputPolicy("my", "OwnInputStreamHandler", options, *ports),
            "my.OwnInputStreamHandler");
  EXPECT_FALSE(CheckInputPolicy("my", "OwnInputStreamHandler", options,
                                *PortLayout::Empty())
                   .ok());
  EXPECT_FALSE(FindInputPolicy("my.OwnInputStreamHandler")->is_deterministic);

  token->Unregister();
  EXPECT_FALSE(FindInputPolicy("my.OwnInputStreamHandler").ok());
  EXPECT_FALSE(
      CheckInputPolicy("my", "OwnInputStreamHandler", options, *ports).ok());
}

TEST(InputPolicyRegistryTest, ATakenNameIsRefusedWithBothPlaces) {
  const absl::Status status =
      RegisterInputPolicyKind("syncline.DefaultInputStreamHandler",
                              {.create = MakeDefaultPolicy}, {}, "here:2")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(status.message()), HasSubstr("here:2"));
  EXPECT_TRUE(FindInputPolicy("DefaultInputStreamHandler")->is_default);
}

// One half of a registration must not stay behind.
TEST(InputPolicyRegistryTest, AKindThatTheRunRefusesIsNotInThePlanEither) {
  absl::StatusOr<RegistrationToken> blocker =
      NameRegistry::Get("InputPolicy")
          .Register("my.HalfInputStreamHandler", 1, "there:1");
  ASSERT_TRUE(blocker.ok());
  EXPECT_FALSE(RegisterInputPolicyKind("my.HalfInputStreamHandler",
                                       {.create = MakeDefaultPolicy}, {},
                                       "here:3")
                   .ok());
  EXPECT_FALSE(NameRegistry::Get("InputStreamHandler")
                   .IsRegistered("", "my.HalfInputStreamHandler"));
  blocker->Unregister();
}

TEST(InputPolicyRegistryTest, AKindThatCreatesNothingIsRefused) {
  EXPECT_EQ(RegisterInputPolicyKind("my.NoInputStreamHandler", {}, {}, "here:4")
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(NodePoliciesTest, NodesShareKinds) {
  NodePolicies policies;
  const int none = policies.AddKind({});
  const int barrier = policies.AddKind({.ignores_time = true});
  for (const int kind : {barrier, none, barrier}) policies.AddNode(kind);
  ASSERT_EQ(policies.size(), 3);
  EXPECT_EQ(&policies[0], &policies[2]);
  EXPECT_EQ(&policies[0], &policies.kind(barrier));
  EXPECT_TRUE(policies[0].ignores_time);
  EXPECT_FALSE(policies[1].ignores_time);
}

}  // namespace
}  // namespace syncline
