#include "framework/base/typed_registry.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class Shape {
 public:
  explicit Shape(int size) : size(size) {}
  virtual ~Shape() = default;
  virtual std::string Name() const = 0;
  const int size;
};

using ShapeRegistry = GlobalFactoryRegistry<std::unique_ptr<Shape>, int>;

#define REGISTER_SHAPE(name)                                      \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(ShapeRegistry, shape, name, \
                                      std::make_unique<name, int>)

class Circle : public Shape {
 public:
  using Shape::Shape;
  std::string Name() const override { return "circle"; }
};
REGISTER_SHAPE(Circle);

}  // namespace

namespace flat {
class Square : public Shape {
 public:
  using Shape::Shape;
  std::string Name() const override { return "square"; }
};
}  // namespace flat

namespace {

REGISTER_SHAPE(::syncline::flat::Square);
SYNCLINE_REGISTER_FACTORY_FUNCTION_QUALIFIED(
    ShapeRegistry, shape, Round, [](int size) -> std::unique_ptr<Shape> {
      return std::make_unique<Circle>(2 * size);
    });

TEST(GlobalFactoryRegistryTest, MakesObjectsOfStaticallyRegisteredNames) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Shape> circle,
                                ShapeRegistry::CreateByName("Circle", 3));
  EXPECT_EQ(circle->Name(), "circle");
  EXPECT_EQ(circle->size, 3);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Shape> round,
                                ShapeRegistry::CreateByName("Round", 3));
  EXPECT_EQ(round->size, 6);
}

TEST(GlobalFactoryRegistryTest, FindsInsidePackages) {
  EXPECT_FALSE(ShapeRegistry::IsRegistered("Square"));
  EXPECT_TRUE(ShapeRegistry::IsRegistered("flat.Square"));
  EXPECT_TRUE(ShapeRegistry::IsRegistered("::syncline::flat::Square"));
  EXPECT_TRUE(ShapeRegistry::IsRegistered("flat.inner", "Square"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<Shape> square,
      ShapeRegistry::CreateByNameInNamespace("mediapipe.flat", "Square", 1));
  EXPECT_EQ(square->Name(), "square");
}

TEST(GlobalFactoryRegistryTest, AnUnknownNameIsNotFound) {
  EXPECT_THAT(ShapeRegistry::CreateByName("Circel", 1),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("No registered object with name"),
                             HasSubstr("\"Circle\""))));
  EXPECT_THAT(ShapeRegistry::NearestNames("circle"), ElementsAre("Circle"));
  EXPECT_THAT(ShapeRegistry::Names(),
              ElementsAre("Circle", "Round", "flat.Square", "tool.Triangle"));
}

TEST(GlobalFactoryRegistryTest, RegistriesOfOneSignatureAreOne) {
  using Same = GlobalFactoryRegistry<std::unique_ptr<Shape>, int>;
  using Other = GlobalFactoryRegistry<std::unique_ptr<Shape>, long>;
  EXPECT_TRUE(Same::IsRegistered("Circle"));
  EXPECT_FALSE(Other::IsRegistered("Circle"));
}

TEST(GlobalFactoryRegistryTest, ARegistrationIsTakenBackByItsToken) {
  RegistrationToken token =
      ShapeRegistry::Register("Temporary", std::make_unique<Circle, int>);
  EXPECT_TRUE(ShapeRegistry::IsRegistered("Temporary"));
  token.Unregister();
  EXPECT_FALSE(ShapeRegistry::IsRegistered("Temporary"));
}

TEST(GlobalFactoryRegistryTest, ADuplicateNamesBothPlaces) {
  EXPECT_THAT(
      ShapeRegistry::TryRegister("Circle", std::make_unique<Circle, int>),
      StatusIs(absl::StatusCode::kAlreadyExists,
               testing::ContainsRegex(
                   "registry_test.cc:[0-9]+ and from .*registry_test.cc:")));
  EXPECT_THAT(CallUserCode([] {
                ShapeRegistry::Register("Circle",
                                        std::make_unique<Circle, int>);
                return absl::OkStatus();
              }),
              StatusIs(absl::StatusCode::kAlreadyExists));
}

TEST(GlobalFactoryRegistryTest, APlaceMayBeAFileAndALine) {
  RegistrationToken token = ShapeRegistry::Register(
      "Placed", std::make_unique<Circle, int>, "shapes/placed.cc", 17);
  EXPECT_TRUE(ShapeRegistry::IsRegistered("Placed"));
  EXPECT_THAT(
      ShapeRegistry::TryRegister("Placed", std::make_unique<Circle, int>),
      StatusIs(absl::StatusCode::kAlreadyExists,
               testing::HasSubstr("from shapes/placed.cc:17")));
  token.Unregister();
  EXPECT_FALSE(ShapeRegistry::IsRegistered("Placed"));
  FunctionRegistry<int> numbers;
  numbers.Register(
      "One", [] { return 1; }, __FILE__, __LINE__);
  EXPECT_THAT(numbers.Invoke("One"), IsOkAndHolds(1));
}

TEST(GlobalFactoryRegistryDeathTest, ADuplicateAtStartupEndsTheProcess) {
  EXPECT_DEATH(ShapeRegistry::RegisterStatic(
                   "Circle", std::make_unique<Circle, int>, SYNCLINE_LOC),
               "\"Circle\" is registered twice: from .*registry_test.cc:");
}

TEST(FunctionRegistryTest, ATableOfItsOwnIsApart) {
  FunctionRegistry<int, int> first;
  FunctionRegistry<int, int> second;
  first.Register("Double", [](int x) { return 2 * x; });
  EXPECT_THAT(first.Invoke("", "Double", 4), IsOkAndHolds(8));
  EXPECT_THAT(first.Invoke("Double", 4), IsOkAndHolds(8));
  EXPECT_THAT(second.Invoke("Double", 4),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(first.GetRegisteredNames(), UnorderedElementsAre("Double"));
  EXPECT_EQ(first.GetQualifiedName("a.b", "Double"), "Double");
}

TEST(FunctionRegistryTest, APackageIsToldFromAnArgumentByTheirNumber) {
  FunctionRegistry<std::string, std::string> words;
  words.Register("a.Quote", [](const std::string& x) { return "<" + x + ">"; });
  EXPECT_THAT(words.Invoke("a.Quote", "b"), IsOkAndHolds("<b>"));
  EXPECT_THAT(words.Invoke("a", "Quote", "b"), IsOkAndHolds("<b>"));
  EXPECT_TRUE(words.IsRegistered("a.Quote"));
  EXPECT_TRUE(words.IsRegistered("a", "Quote"));
  EXPECT_FALSE(words.IsRegistered("Quote"));
}

TEST(FunctionRegistryTest, EveryResultLeavesRoomForAnError) {
  FunctionRegistry<void, int*> nothing;
  nothing.Register("Set", [](int* x) { *x = 5; });
  int value = 0;
  SYNCLINE_EXPECT_OK(nothing.Invoke("", "Set", &value));
  EXPECT_EQ(value, 5);
  FunctionRegistry<absl::Status> status;
  status.Register("Fail", [] { return absl::AbortedError("x"); });
  EXPECT_THAT(status.Invoke("", "Fail"), StatusIs(absl::StatusCode::kAborted));
  FunctionRegistry<absl::StatusOr<int>> status_or;
  status_or.Register("One", [] { return absl::StatusOr<int>(1); });
  EXPECT_THAT(status_or.Invoke("", "One"), IsOkAndHolds(1));
  EXPECT_THAT(status_or.Invoke("", "Two"),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST(FunctionRegistryTest, ArgumentsAreForwarded) {
  FunctionRegistry<int, std::unique_ptr<int>, int&> registry;
  registry.Register("Take", [](std::unique_ptr<int> taken, int& counted) {
    ++counted;
    return *taken;
  });
  int count = 0;
  EXPECT_THAT(registry.Invoke("", "Take", std::make_unique<int>(3), count),
              IsOkAndHolds(3));
  EXPECT_EQ(count, 1);
}

SYNCLINE_STATIC_REGISTRATOR_TEMPLATE(ShapeRegistrator, ShapeRegistry, T::kName,
                                     std::make_unique<T, int>);

class Triangle : public Shape, private ShapeRegistrator<Triangle> {
 public:
  static constexpr char kName[] = "tool.Triangle";
  using Shape::Shape;
  std::string Name() const override { return "triangle"; }
};

TEST(RegistratorTemplateTest, AClassRegistersByBeingDefined) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<Shape> triangle,
      ShapeRegistry::CreateByName("tool.Triangle", 1));
  EXPECT_EQ(triangle->Name(), "triangle");
}

}  // namespace
}  // namespace syncline
