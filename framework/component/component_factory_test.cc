// Extensions come and go whole; and those of static registrations are read at
// the first query.

#include "framework/component/component_factory.h"

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/base/plugin.h"
#include "framework/component/component_id.h"
#include "framework/component/extension.h"
#include "framework/component/parameter.h"
#include "framework/component/testdata/lamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// Named in the registration below, before the extension that has its base.
namespace component_test {

struct Torch : Lamp {};

SYNCLINE_EXTENSION(torches) {
  extension->SetInfo({1, 3}, "torches", "", "", "", "");
  extension->Add<Torch, Lamp>({1, 4}, "component_test::Torch");
}

SYNCLINE_EXTENSION(lamps) {
  extension->SetInfo({1, 1}, "lamps", "Lamps of all kinds", "A. Smith", "1.0",
                     "Apache-2.0");
  extension->SetDisplayInfo("Lamps", "Light", "What lights");
  extension->AddKind<Lamp>({1, 2}, "component_test::Lamp", "lamp");
}

struct Unknown {};
struct Orphan : Unknown {};

SYNCLINE_EXTENSION(orphans) {
  extension->SetInfo({1, 5}, "orphans", "", "", "", "");
  extension->Add<Orphan, Unknown>({1, 6}, "Orphan");
}

}  // namespace component_test

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kLampPlugin[] = "framework/component/testdata/lamp_plugin.so";
constexpr char kSecondPlugin[] =
    "framework/component/testdata/second_lamp_plugin.so";

struct Base {};
struct Middle : Base {
  struct Parameters {
    Parameter<int> count;

    void RegisterParameters(Registrar* registrar) {
      registrar->Add(&count, {.key = "count", .default_value = 3});
    }
  };
};
struct Top : Middle {};

Extension Named(const std::string& name, ComponentId id) {
  Extension extension;
  extension.SetInfo(id, name, "", "", "", "");
  return extension;
}

std::vector<std::string> NamesOf(const ComponentFactory& factory) {
  std::vector<std::string> names;
  for (const ComponentInfo& component : factory.Components()) {
    names.push_back(component.name);
  }
  return names;
}

TEST(ComponentIdTest, AnIdIsWrittenAsAUuidAndReadInManyForms) {
  constexpr ComponentId kId = {0xd8629d822909316d, 0xa9ee7410c8c1a7b6};
  EXPECT_EQ(kId.ToString(), "d8629d82-2909-316d-a9ee-7410c8c1a7b6");
  EXPECT_THAT(ComponentId::Parse(kId.ToString()), IsOkAndHolds(kId));
  EXPECT_THAT(ComponentId::Parse("0xD8629D822909316DA9EE7410C8C1A7B6"),
              IsOkAndHolds(kId));
  EXPECT_EQ((ComponentId{0, 1}).ToString(),
            "00000000-0000-0000-0000-000000000001");
}

TEST(ComponentIdTest, ATextThatIsNoIdIsAnError) {
  for (const char* const text :
       {"", "0x", "1", "d8629d82-2909-316d-a9ee-7410c8c1a7b67",
        "g8629d82-2909-316d-a9ee-7410c8c1a7b6", "not an id at all"}) {
    EXPECT_THAT(ComponentId::Parse(text),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
}

TEST(ComponentFactoryTest, AComponentIsFoundByNameAndByIdWithAllThatIsKnown) {
  ComponentFactory factory;
  Extension extension;
  extension.SetInfo({1, 1}, "test", "A test", "A. Smith", "1.2.3", "MIT");
  extension.SetDisplayInfo("The test", "Tests", "Brief");
  extension.AddKind<Base>({2, 1}, "syncline::Base", "thing", "The base");
  extension.Add<Middle, Base>({2, 2}, "a::Middle", "What it does", "The middle",
                              "In short");
  SYNCLINE_ASSERT_OK(factory.Register(std::move(extension)));
  for (const absl::StatusOr<ComponentInfo>& found :
       {factory.Find("a.Middle"), factory.Find("::a::Middle"),
        factory.Find(ComponentId{2, 2})}) {
    SYNCLINE_ASSERT_OK(found);
    EXPECT_EQ(found->name, "a.Middle");
    EXPECT_EQ(found->id, (ComponentId{2, 2}));
    EXPECT_EQ(found->base, "Base");
    EXPECT_EQ(found->kind, "thing");
    EXPECT_EQ(found->display_name, "The middle");
    EXPECT_EQ(found->brief, "In short");
    EXPECT_EQ(found->description, "What it does");
    EXPECT_THAT(found->origin, HasSubstr("component_factory_test.cc:"));
    ASSERT_EQ(found->parameters.size(), 1);
    EXPECT_EQ(found->parameters[0].key, "count");
    EXPECT_EQ(found->extension->name, "test");
    EXPECT_EQ(found->extension->version, "1.2.3");
    EXPECT_EQ(found->extension->category, "Tests");
  }
  EXPECT_EQ(factory.Extensions().size(), 1);
}

TEST(ComponentFactoryTest, AnUnknownNameOrIdIsNotFound) {
  ComponentFactory factory;
  Extension extension = Named("test", {1, 1});
  extension.Add<Base>({2, 1}, "SomeBase");
  SYNCLINE_ASSERT_OK(factory.Register(std::move(extension)));
  EXPECT_THAT(factory.Find("SomeBaze"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"SomeBase\"")));
  EXPECT_THAT(
      factory.Find(ComponentId{9, 9}),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("-000000000009")));
}

TEST(ComponentFactoryTest, AnExtensionGoesWithItsToken) {
  ComponentFactory factory;
  Extension extension = Named("test", {1, 1});
  extension.Add<Base>({2, 1}, "Base");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RegistrationToken token,
                                factory.Register(std::move(extension)));
  EXPECT_THAT(NamesOf(factory), ElementsAre("Base"));
  token.Unregister();
  EXPECT_THAT(NamesOf(factory), IsEmpty());
  EXPECT_THAT(factory.Extensions(), IsEmpty());
}

TEST(ComponentFactoryTest, NothingOfAnExtensionThatIsRefusedStays) {
  ComponentFactory factory;
  Extension first = Named("first", {1, 1});
  first.Add<Base>({2, 1}, "Base");
  SYNCLINE_EXPECT_OK(factory.Register(std::move(first)));
  Extension second = Named("second", {1, 2});
  second.Add<Middle>({2, 2}, "Middle");
  second.Add<Top>({2, 1}, "Top");
  EXPECT_THAT(factory.Register(std::move(second)),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       ContainsRegex("component_factory_test.cc:[0-9]+ .*and "
                                     ".*component_factory_test.cc:[0-9]+")));
  EXPECT_THAT(NamesOf(factory), ElementsAre("Base"));
  SYNCLINE_EXPECT_OK(factory.problems());
}

TEST(ComponentFactoryTest, StaticRegistrationsAreTakenInTheOrderOfTheirBases) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const ComponentInfo torch,
      ComponentFactory::Global().Find("component_test.Torch"));
  EXPECT_EQ(torch.base, "component_test.Lamp");
  EXPECT_EQ(torch.kind, "lamp");
}

TEST(ComponentFactoryTest, AStaticRegistrationThatIsRefusedIsAProblemNoCrash) {
  EXPECT_THAT(ComponentFactory::Global().problems(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"orphans\""), HasSubstr("Unknown\""),
                             HasSubstr("component_factory_test.cc:"))));
  EXPECT_THAT(ComponentFactory::Global().Find("Orphan"),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST(ComponentFactoryTest, WhatWasRefusedIsTakenInWhenItsReasonIsGone) {
  Extension extension = Named("unknown", {4, 1});
  extension.Add<component_test::Unknown>({4, 2}, "Unknown");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      RegistrationToken token,
      ComponentFactory::Global().Register(std::move(extension)));
  SYNCLINE_EXPECT_OK(ComponentFactory::Global().problems());
  SYNCLINE_EXPECT_OK(ComponentFactory::Global().Find("Orphan"));
  token.Unregister();
  EXPECT_THAT(ComponentFactory::Global().Find("Orphan"),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST(ComponentFactoryTest, CopiesOfOneStaticRegistrationAreOne) {
  ComponentFactory factory;
  const auto fill = [](Extension* extension) {
    extension->SetInfo({1, 1}, "copied", "", "", "", "");
    extension->Add<Base>({1, 2}, "Base");
  };
  const source_location here = source_location::current();
  RegistrationToken first = factory.RegisterStatic(fill, here);
  RegistrationToken second = factory.RegisterStatic(fill, here);
  SYNCLINE_EXPECT_OK(factory.problems());
  first.Unregister();
  EXPECT_THAT(NamesOf(factory), ElementsAre("Base"));
  second.Unregister();
  EXPECT_THAT(NamesOf(factory), IsEmpty());
}

TEST(ComponentFactoryTest, ExtensionsComeAndGoWhileOthersLook) {
  ComponentFactory factory;
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!done.load()) {
        for (const ComponentInfo& component : factory.Components()) {
          EXPECT_EQ(component.name, "Base");
          EXPECT_EQ(component.extension->name, "test");
        }
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    Extension extension = Named("test", {1, 1});
    extension.Add<Base>({2, 1}, "Base");
    SYNCLINE_ASSERT_OK_AND_ASSIGN(RegistrationToken token,
                                  factory.Register(std::move(extension)));
    token.Unregister();
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
}

TEST(ComponentPluginTest, TheExtensionsOfAPluginComeAndGoWithIt) {
  ComponentFactory& factory = ComponentFactory::Global();
  for (int round = 0; round < 2; ++round) {
    {
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const Plugin plugin,
                                    Plugin::Open(kLampPlugin));
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const ComponentInfo street,
                                    factory.Find("Street"));
      EXPECT_EQ(street.kind, "lamp");
      EXPECT_EQ(street.base, "component_test.Lamp");
      EXPECT_EQ(street.extension->version, "2.1");
      EXPECT_EQ(street.extension->library, kLampPlugin);
      EXPECT_THAT(street.origin,
                  AllOf(HasSubstr("lamp_plugin.cc:"), HasSubstr(kLampPlugin)));
      ASSERT_EQ(street.parameters.size(), 1);
      EXPECT_EQ(street.parameters[0].headline, "Height in m");
    }
    EXPECT_THAT(factory.Find("Street"), StatusIs(absl::StatusCode::kNotFound));
  }
}

TEST(ComponentPluginTest,
     APluginWhoseExtensionIsRefusedIsAnErrorWithBothPlaces) {
  const std::size_t before = ComponentFactory::Global().Components().size();
  EXPECT_THAT(Plugin::Open(kSecondPlugin),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr(kSecondPlugin), HasSubstr("\"Desk\""),
                             HasSubstr("component_factory_test.cc:"),
                             HasSubstr("second_lamp_plugin.cc:"))));
  EXPECT_EQ(ComponentFactory::Global().Components().size(), before);
  // Its problem went with it.
  EXPECT_THAT(std::string(ComponentFactory::Global().problems().message()),
              Not(HasSubstr("second")));
}

}  // namespace
}  // namespace syncline
