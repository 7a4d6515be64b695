#include "framework/base/name_registry.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pointee;

// Registers `name` with itself as the value.
absl::StatusOr<RegistrationToken> Add(
    NameRegistry& registry, const std::string& name,
    const std::string& origin = "file.cc:1",
    NameRegistry::Origin kind = NameRegistry::Origin::kCode) {
  return registry.Register<std::string>(name, name, origin, kind);
}

// The value that `name` means inside `ns`, or "".
std::string Value(const NameRegistry& registry, const std::string& ns,
                  const std::string& name) {
  const auto value = registry.FindValue<std::string>(ns, name);
  return value.ok() ? **value : "";
}

TEST(NameRegistryTest, FindsWhatWasRegistered) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK(Add(registry, "X", "file.cc:7"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const NameRegistry::Entry entry,
                                registry.Find("", "X"));
  EXPECT_EQ(entry.name, "X");
  EXPECT_EQ(entry.origin, "file.cc:7");
  EXPECT_EQ(entry.type, TypeIdOf<std::string>());
  EXPECT_THAT(registry.FindValue<std::string>("", "X"),
              IsOkAndHolds(Pointee(std::string("X"))));
}

TEST(NameRegistryTest, AllSpellingsOfAFullNameAreOne) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK(Add(registry, "::a::b::X"));
  for (const char* name : {"a.b.X", ".a.b.X", "a::b::X", "::a::b::X"}) {
    EXPECT_TRUE(registry.IsRegistered("", name)) << name;
  }
  EXPECT_FALSE(registry.IsRegistered("", "b.X"));
  EXPECT_FALSE(registry.IsRegistered("", "X"));
  EXPECT_THAT(registry.Names(), ElementsAre("a.b.X"));
}

TEST(NameRegistryTest, TheTopNamespaceMayBeLeftOut) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK(Add(registry, "::syncline::InFull"));
  SYNCLINE_ASSERT_OK(Add(registry, "Short"));
  SYNCLINE_ASSERT_OK(Add(registry, "::mediapipe::tool::Old"));
  for (const char* name :
       {"InFull", "syncline.InFull", "mediapipe.InFull", "::syncline::InFull",
        "Short", "syncline::Short", "mediapipe.Short", "tool.Old",
        "syncline.tool.Old"}) {
    EXPECT_TRUE(registry.IsRegistered("", name)) << name;
  }
  EXPECT_FALSE(registry.IsRegistered("", "other.Short"));
  EXPECT_FALSE(registry.IsRegistered("", "synclineShort"));
  EXPECT_THAT(registry.Names(), ElementsAre("InFull", "Short", "tool.Old"));
}

TEST(NameRegistryTest, APackageIsSearchedFromTheInsideOut) {
  NameRegistry registry("Thing");
  for (const char* name : {"a.b.X", "a.X", "X", "a.Y", "Z"}) {
    SYNCLINE_ASSERT_OK(Add(registry, name));
  }
  EXPECT_EQ(Value(registry, "a.b", "X"), "a.b.X");
  EXPECT_EQ(Value(registry, "a.c", "X"), "a.X");
  EXPECT_EQ(Value(registry, "c", "X"), "X");
  EXPECT_EQ(Value(registry, "::a::b", "Y"), "a.Y");
  EXPECT_EQ(Value(registry, "a.b", "Z"), "Z");
  EXPECT_EQ(Value(registry, "a", "b.X"), "a.b.X");
  EXPECT_EQ(Value(registry, "syncline.a", "Y"), "a.Y");
  EXPECT_EQ(Value(registry, "mediapipe", "Z"), "Z");
  EXPECT_EQ(registry.FullName("a.b", "Y"), "a.Y");
  EXPECT_EQ(registry.FullName("a.b", "Nothing"), "Nothing");
}

TEST(NameRegistryTest, ALeadingSeparatorMeansTheNameItself) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK(Add(registry, "a.X"));
  SYNCLINE_ASSERT_OK(Add(registry, "X"));
  EXPECT_EQ(Value(registry, "a", ".X"), "X");
  EXPECT_EQ(Value(registry, "a", "::X"), "X");
  EXPECT_EQ(Value(registry, "a", ".a.X"), "a.X");
}

TEST(NameRegistryTest, AnUnknownNameIsNotFoundAndSuggestsNearOnes) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK(Add(registry, "PassThroughCalculator"));
  EXPECT_THAT(
      registry.Find("pkg", "PassTroughCalculator"),
      StatusIs(absl::StatusCode::kNotFound,
               AllOf(HasSubstr("No registered object with name: "
                               "\"PassTroughCalculator\""),
                     HasSubstr("\"pkg\""),
                     HasSubstr("Did you mean \"PassThroughCalculator\"?"))));
  EXPECT_THAT(
      registry.Find("", "Unrelated"),
      StatusIs(absl::StatusCode::kNotFound, Not(HasSubstr("Did you mean"))));
}

TEST(NameRegistryTest, ADuplicateIsAnErrorWithBothPlaces) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK(Add(registry, "X", "first.cc:1"));
  EXPECT_THAT(Add(registry, "syncline.X", "second.cc:2"),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("\"X\""), HasSubstr("first.cc:1"),
                             HasSubstr("second.cc:2"), HasSubstr("Thing"))));
  EXPECT_THAT(Add(registry, "X", "first.cc:1"),
              StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(Add(registry, "X", "first.cc:1", NameRegistry::Origin::kStatic),
              StatusIs(absl::StatusCode::kAlreadyExists));
}

TEST(NameRegistryTest, CopiesOfOneStaticRegistrationStandInForEachOther) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      RegistrationToken first,
      Add(registry, "X", "a.cc:1", NameRegistry::Origin::kStatic));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      RegistrationToken copy,
      Add(registry, "X", "a.cc:1", NameRegistry::Origin::kStatic));
  EXPECT_THAT(Add(registry, "X", "a.cc:2", NameRegistry::Origin::kStatic),
              StatusIs(absl::StatusCode::kAlreadyExists));
  first.Unregister();
  EXPECT_TRUE(registry.IsRegistered("", "X"));
  copy.Unregister();
  EXPECT_FALSE(registry.IsRegistered("", "X"));
}

TEST(NameRegistryTest, ANameThatCannotBeOneIsAnError) {
  NameRegistry registry("Thing");
  for (const char* name :
       {"", ".", "::", "a..b", "a.", "..a", "a b", "a\nb", "\"a\"", "a\x7f"}) {
    EXPECT_THAT(
        Add(registry, name),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("file.cc:1")))
        << name;
  }
  EXPECT_THAT(registry.Names(), IsEmpty());
}

TEST(NameRegistryTest, ATokenTakesItsOwnRegistrationBackAndNoOther) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RegistrationToken token, Add(registry, "X"));
  token.Unregister();
  EXPECT_FALSE(registry.IsRegistered("", "X"));
  SYNCLINE_ASSERT_OK(Add(registry, "X"));
  token.Unregister();
  EXPECT_TRUE(registry.IsRegistered("", "X"));
}

TEST(NameRegistryTest, ADroppedTokenLeavesTheRegistration) {
  NameRegistry registry("Thing");
  { SYNCLINE_ASSERT_OK(Add(registry, "X")); }
  EXPECT_TRUE(registry.IsRegistered("", "X"));
}

TEST(NameRegistryTest, UnregisterEndsARegistrationWithItself) {
  NameRegistry registry("Thing");
  {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(RegistrationToken token, Add(registry, "X"));
    Unregister first(std::move(token));
    Unregister moved = std::move(first);
    EXPECT_TRUE(registry.IsRegistered("", "X"));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(token, Add(registry, "Y"));
    moved = Unregister(std::move(token));
    EXPECT_THAT(registry.Names(), ElementsAre("Y"));
  }
  EXPECT_THAT(registry.Names(), IsEmpty());
}

TEST(NameRegistryTest, UnregisterIsEmptyAtFirstAndCanBeReset) {
  NameRegistry registry("Thing");
  Unregister holder;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RegistrationToken token, Add(registry, "X"));
  holder.Reset(std::move(token));
  EXPECT_THAT(registry.Names(), ElementsAre("X"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(token, Add(registry, "Y"));
  holder.Reset(std::move(token));
  EXPECT_THAT(registry.Names(), ElementsAre("Y"));
  holder.Reset();
  EXPECT_THAT(registry.Names(), IsEmpty());
}

TEST(NameRegistryTest, CombinedTokensActTogether) {
  NameRegistry registry("Thing");
  std::vector<RegistrationToken> tokens;
  for (const char* name : {"X", "Y"}) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(RegistrationToken token, Add(registry, name));
    tokens.push_back(std::move(token));
  }
  RegistrationToken combined = RegistrationToken::Combine(std::move(tokens));
  EXPECT_THAT(registry.Names(), ElementsAre("X", "Y"));
  combined.Unregister();
  EXPECT_THAT(registry.Names(), IsEmpty());
}

TEST(NameRegistryTest, AValueThatIsInUseOutlivesItsRegistration) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RegistrationToken token, Add(registry, "X"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const std::string> value,
                                registry.FindValue<std::string>("", "X"));
  token.Unregister();
  EXPECT_EQ(*value, "X");
}

TEST(NameRegistryTest, AValueOfAnotherTypeIsAnError) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK(Add(registry, "X", "file.cc:7"));
  EXPECT_THAT(registry.FindValue<int>("", "X"),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("\"std::string\""), HasSubstr("\"int\""),
                             HasSubstr("file.cc:7"))));
}

TEST(NameRegistryTest, EachKindHasOneTableInTheProcess) {
  NameRegistry& first = NameRegistry::Get("NameRegistryTest");
  EXPECT_EQ(&NameRegistry::Get("NameRegistryTest"), &first);
  EXPECT_NE(&NameRegistry::Get("NameRegistryTest2"), &first);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RegistrationToken token, Add(first, "X"));
  EXPECT_FALSE(NameRegistry::Get("NameRegistryTest2").IsRegistered("", "X"));
  token.Unregister();
}

TEST(NameRegistryTest, ALongNameAndADeepPackageTakeNoLongTime) {
  NameRegistry registry("Thing");
  SYNCLINE_ASSERT_OK(Add(registry, "a.a.X"));
  std::string deep = "a";
  while (deep.size() < 1000000) absl::StrAppend(&deep, ".a");
  const absl::Time start = absl::Now();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Value(registry, deep, "X"), "a.a.X");
  }
  EXPECT_THAT(registry.Find(deep, deep).status().message().size(),
              testing::Lt(1000u));
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
}

TEST(NameRegistryTest, ManyThreadsRegisterAndFind) {
  NameRegistry registry("Thing");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&registry, i] {
      for (int round = 0; round < 100; ++round) {
        const std::string name = absl::StrCat("a.X", i, "_", round);
        absl::StatusOr<RegistrationToken> token = Add(registry, name);
        SYNCLINE_EXPECT_OK(token);
        EXPECT_EQ(Value(registry, "a.b", name.substr(2)), name);
        if (round % 2 == 0) token->Unregister();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(registry.Names().size(), 200u);
}

TEST(RegistrationErrorsTest, CollectsErrorsOfItsThread) {
  RegistrationErrors errors;
  TokenOrReport(absl::AlreadyExistsError("first"));
  TokenOrReport(absl::AlreadyExistsError("second"));
  TokenOrReport(RegistrationToken());
  EXPECT_THAT(errors.status(),
              StatusIs(absl::StatusCode::kAlreadyExists, "first\nsecond"));
  SYNCLINE_EXPECT_OK(RegistrationErrors().status());
}

TEST(RegistrationErrorsTest, KnowsWhetherSomethingWasNew) {
  NameRegistry registry("Thing");
  const auto add = [&registry](const std::string& name) {
    return Add(registry, name, "file.cc:1", NameRegistry::Origin::kStatic);
  };
  const absl::StatusOr<RegistrationToken> first = add("X");
  RegistrationErrors errors;
  const RegistrationToken copy = TokenOrReport(add("X"));
  EXPECT_EQ(errors.count(), 1);
  EXPECT_FALSE(errors.has_new());
  // A copy that nobody counts makes nothing of what is new.
  const absl::StatusOr<RegistrationToken> uncounted = add("X");
  const RegistrationToken other = TokenOrReport(add("Y"));
  EXPECT_EQ(errors.count(), 2);
  EXPECT_TRUE(errors.has_new());
}

TEST(RegistrationErrorsTest, WithoutItAnErrorIsAMisuse) {
  EXPECT_THAT(CallUserCode([] {
                TokenOrReport(absl::AlreadyExistsError("first"));
                return absl::OkStatus();
              }),
              StatusIs(absl::StatusCode::kAlreadyExists, "first"));
  EXPECT_DEATH(TokenOrReport(absl::AlreadyExistsError("first")), "first");
}

}  // namespace
}  // namespace syncline
