// Calculators by name, and what their factories do.
#include "framework/calculator/calculator_registry.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/typed_registry.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/test_support.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace registry_test::inner {

class DeepCalculator : public syncline::CalculatorBase {
 public:
  static absl::Status GetContract(syncline::CalculatorContract* cc) {
    cc->SetTimestampOffset(7);
    return absl::OkStatus();
  }
  absl::Status Process(syncline::CalculatorContext*) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::registry_test::inner::DeepCalculator);

}  // namespace registry_test::inner

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::NotNull;

using FactoryOr = absl::StatusOr<std::unique_ptr<CalculatorBaseFactory>>;

// One in an unnamed namespace may be registered by its plain name.
class PlainNameCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract*) {
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(PlainNameCalculator);

class KnowsItsContext : public PlainNameCalculator {
 public:
  explicit KnowsItsContext(CalculatorContext* cc) : name(cc->NodeName()) {}
  const std::string name;
};

TEST(CalculatorRegistryTest, ARegisteredCalculatorIsFoundAndMade) {
  FactoryOr factory = CalculatorBaseRegistry::CreateByName(
      "registry_test.inner.DeepCalculator");
  SYNCLINE_ASSERT_OK(factory);
  CalculatorContract contract;
  SYNCLINE_EXPECT_OK((*factory)->GetContract(&contract));
  EXPECT_EQ(contract.GetTimestampOffset(), TimestampDiff(7));
  const std::unique_ptr<CalculatorBase> made =
      (*factory)->CreateCalculator(nullptr);
  EXPECT_THAT(dynamic_cast<registry_test::inner::DeepCalculator*>(made.get()),
              NotNull());
  EXPECT_EQ((*factory)->ContractMethodName(), "GetContract");
}

TEST(CalculatorRegistryTest, APackageIsSearchedFromTheInsideOut) {
  for (const char* package :
       {"registry_test.inner", "registry_test.inner.more"}) {
    SYNCLINE_EXPECT_OK(CalculatorBaseRegistry::CreateByNameInNamespace(
        package, "DeepCalculator"));
  }
  SYNCLINE_EXPECT_OK(CalculatorBaseRegistry::CreateByNameInNamespace(
      "registry_test", "inner.DeepCalculator"));
  SYNCLINE_EXPECT_OK(CalculatorBaseRegistry::CreateByNameInNamespace(
      "registry_test.inner", "PlainNameCalculator"));
  EXPECT_THAT(CalculatorBaseRegistry::CreateByNameInNamespace(
                  "registry_test.inner", ".DeepCalculator"),
              StatusIs(StatusCode::kNotFound));
}

TEST(CalculatorRegistryTest, TheTopNamespaceOfEitherProjectMayBeLeftOut) {
  for (const char* name :
       {"PlainNameCalculator", "syncline.PlainNameCalculator",
        "mediapipe.PlainNameCalculator", ".syncline.PlainNameCalculator",
        "::syncline::PlainNameCalculator"}) {
    SYNCLINE_EXPECT_OK(CalculatorBaseRegistry::CreateByName(name)) << name;
  }
}

TEST(CalculatorRegistryTest, AnUnknownNameSaysWhatIsNear) {
  EXPECT_THAT(
      CalculatorBaseRegistry::CreateByName("PlainNameCalculater"),
      StatusIs(StatusCode::kNotFound, AllOf(HasSubstr("PlainNameCalculater"),
                                            HasSubstr("PlainNameCalculator"))));
  EXPECT_FALSE(CalculatorBaseRegistry::IsRegistered("DeepCalculator"));
}

TEST(CalculatorRegistryTest, ASecondClassOfTheSameNameIsRefused) {
  EXPECT_THAT(CalculatorBaseRegistry::TryRegister(
                  "PlainNameCalculator",
                  [] {
                    return std::make_unique<
                        CalculatorBaseFactoryFor<PlainNameCalculator>>();
                  })
                  .status(),
              StatusIs(StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("PlainNameCalculator"),
                             HasSubstr("calculator_registry_test.cc"))));
}

TEST(CalculatorRegistryTest, ACodeRegistrationCanBeTakenBack) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      RegistrationToken token,
      CalculatorBaseRegistry::TryRegister("Temporary", [] {
        return std::make_unique<
            CalculatorBaseFactoryFor<PlainNameCalculator>>();
      }));
  EXPECT_TRUE(CalculatorBaseRegistry::IsRegistered("Temporary"));
  token.Unregister();
  EXPECT_FALSE(CalculatorBaseRegistry::IsRegistered("Temporary"));
}

TEST(CalculatorBaseFactoryTest, AConstructorMayTakeTheContext) {
  TestNode node("calculator: 'T' name: 'n'", [](CalculatorContract*) {});
  const internal::CalculatorBaseFactoryFor<KnowsItsContext> factory;
  const std::unique_ptr<CalculatorBase> made =
      factory.CreateCalculator(&node.context());
  EXPECT_EQ(dynamic_cast<KnowsItsContext&>(*made).name, "n");
}

struct WithoutContract {};
struct PrivateContract {
 private:
  static absl::Status GetContract(CalculatorContract* cc);
};
struct WrongContract {
  static int GetContract(CalculatorContract* cc);
};
static_assert(HasGetContract<PlainNameCalculator>);
static_assert(!HasGetContract<WithoutContract>);
static_assert(!HasGetContract<PrivateContract>);
static_assert(!HasGetContract<WrongContract>);

}  // namespace
}  // namespace syncline
