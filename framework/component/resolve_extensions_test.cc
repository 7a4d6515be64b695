// Which extensions are taken in: the order does not matter, and what breaks a
// rule is refused with both places.

#include "framework/component/resolve_extensions.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/library_file.h"
#include "framework/component/component_id.h"
#include "framework/component/extension.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

struct Base {};
struct Middle : Base {};
struct Top : Middle {};

Extension Named(const std::string& name, ComponentId id) {
  Extension extension;
  extension.SetInfo(id, name, "", "", "", "");
  return extension;
}

// The extensions in this order, each registered at a line of "NAME.cc".
std::shared_ptr<const ResolvedExtensions> Resolve(
    std::vector<Extension> extensions, bool is_static = false) {
  ExtensionRegistrations registrations;
  for (Extension& extension : extensions) {
    extension.SetPlace(extension.info().name + ".cc:7", "");
    registrations.push_back(std::make_shared<const ExtensionRegistration>(
        ExtensionRegistration{.number = registrations.size() + 1,
                              .is_static = is_static,
                              .extension = std::move(extension)}));
  }
  return ResolveExtensions(registrations);
}

TEST(ResolveExtensionsTest, ABaseMayBeRegisteredAfterWhatDerivesFromIt) {
  Extension top = Named("top", {1, 1});
  top.Add<Top, Middle>({2, 1}, "Top");
  Extension middle = Named("middle", {1, 2});
  middle.Add<Middle, Base>({2, 2}, "Middle");
  Extension base = Named("base", {1, 3});
  base.AddKind<Base>({2, 3}, "a::Base", "thing");
  const auto resolved = Resolve({top, middle, base});
  EXPECT_THAT(resolved->problems, IsEmpty());
  EXPECT_EQ(resolved->components.at("Top").base, "Middle");
  EXPECT_EQ(resolved->components.at("Middle").base, "a.Base");
  // The kind is that of the first base.
  EXPECT_EQ(resolved->components.at("Top").kind, "thing");
  EXPECT_EQ(resolved->names.at({2, 1}), "Top");
}

TEST(ResolveExtensionsTest, WithoutABaseTheExtensionIsRefusedAsAWhole) {
  Extension top = Named("top", {1, 1});
  top.Add<Base>({2, 3}, "Base");
  top.Add<Top, Middle>({2, 1}, "Top");
  const auto resolved = Resolve({top, Named("other", {1, 2})});
  EXPECT_THAT(resolved->components, IsEmpty());
  EXPECT_THAT(resolved->extensions, SizeIs(1));
  ASSERT_THAT(resolved->problems, SizeIs(1));
  EXPECT_EQ(resolved->problems[0].registration->number, 1);
  EXPECT_THAT(resolved->problems[0].status,
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"top\" from top.cc:7 is refused"),
                             HasSubstr("Middle\""), HasSubstr("\"Top\""),
                             HasSubstr("not registered"))));
}

TEST(ResolveExtensionsTest, InOneExtensionABaseComesBeforeWhatDerivesFromIt) {
  Extension extension = Named("top", {1, 2});
  extension.Add<Top, Middle>({3, 1}, "Top");
  extension.Add<Middle>({3, 2}, "Middle");
  const auto resolved = Resolve({extension});
  ASSERT_THAT(resolved->problems, SizeIs(1));
  EXPECT_THAT(resolved->problems[0].status,
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("not registered")));
}

std::shared_ptr<const ExtensionRegistration> RegisteredAt(
    Extension extension, const std::string& origin, bool is_static,
    const std::string& library = "") {
  extension.SetPlace(origin, library);
  return std::make_shared<const ExtensionRegistration>(ExtensionRegistration{
      .number = 1, .is_static = is_static, .extension = std::move(extension)});
}

TEST(ResolveExtensionsTest, OnlyWhatIsStaticAndFromTheSameLineIsACopy) {
  const Extension base = Named("base", {1, 1});
  const auto resolve_after_static = [&base](const std::string& origin,
                                            bool is_static) {
    return ResolveExtensions({RegisteredAt(base, "base.cc:7", true),
                              RegisteredAt(base, origin, is_static)});
  };
  EXPECT_THAT(resolve_after_static("base.cc:7", true)->problems, IsEmpty());
  EXPECT_THAT(resolve_after_static("base.cc:7", false)->problems, SizeIs(1));
  const auto resolved = resolve_after_static("other.cc:8", true);
  ASSERT_THAT(resolved->problems, SizeIs(1));
  EXPECT_THAT(resolved->problems[0].status,
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("base.cc:7"), HasSubstr("other.cc:8"))));
}

TEST(ResolveExtensionsTest, AnErrorNamesTheLibraryIfItIsNotTheProgram) {
  const std::string program =
      LibraryOfAddress(reinterpret_cast<const void*>(&RegisteredAt));
  const auto text_of = [](const std::string& library) {
    const auto resolved = ResolveExtensions(
        {RegisteredAt(Named("", {1, 1}), "lamps.cc:7", false, library)});
    return std::string(resolved->problems.at(0).status.message());
  };
  EXPECT_THAT(text_of("liblamps.so"),
              HasSubstr("from lamps.cc:7 in \"liblamps.so\" is refused"));
  EXPECT_THAT(text_of(program), HasSubstr("from lamps.cc:7 is refused"));
  EXPECT_THAT(text_of(""), HasSubstr("from lamps.cc:7 is refused"));
}

TEST(ResolveExtensionsTest, AComponentKnowsItsPlaceAndItsExtension) {
  Extension base = Named("base", {1, 1});
  base.Add<Base>({2, 1}, "Base");
  const auto resolved =
      ResolveExtensions({RegisteredAt(base, "base.cc:7", false, "libbase.so")});
  const ComponentInfo& component = resolved->components.at("Base");
  EXPECT_THAT(component.origin,
              MatchesRegex(".*resolve_extensions_test.cc:[0-9]+ in "
                           "\"libbase.so\""));
  ASSERT_NE(component.extension, nullptr);
  EXPECT_EQ(component.extension, resolved->extensions.at("base"));
}

TEST(ResolveExtensionsTest, CopiesOfOneStaticRegistrationAreOne) {
  Extension base = Named("base", {1, 1});
  base.Add<Base>({2, 1}, "Base");
  EXPECT_THAT(Resolve({base, base}, /*is_static=*/true)->problems, IsEmpty());
  EXPECT_THAT(Resolve({base, base})->problems, SizeIs(1));
}

// The error for `second` after an extension "first" with Base (id 2 1) as
// "a.Base".
absl::Status AfterFirst(Extension second) {
  Extension first = Named("first", {1, 1});
  first.Add<Base>({2, 1}, "a::Base");
  const auto resolved = Resolve({first, std::move(second)});
  EXPECT_THAT(resolved->components, SizeIs(1));
  EXPECT_THAT(resolved->problems, SizeIs(1));
  return resolved->problems.at(0).status;
}

constexpr char kBothPlaces[] =
    "from [^ ]*.cc:[0-9]+ .*and .* from [^ ]*.cc:[0-9]+";

TEST(ResolveExtensionsTest, AnIdThatIsTakenIsAnErrorWithBothPlaces) {
  const auto both_places = ContainsRegex(kBothPlaces);
  Extension same_component = Named("second", {1, 2});
  same_component.Add<Top>({2, 1}, "Top");
  EXPECT_THAT(AfterFirst(std::move(same_component)),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("id 00000000-0000-0002"),
                             HasSubstr("\"a::Base\""), HasSubstr("\"Top\""),
                             both_places)));
  EXPECT_THAT(AfterFirst(Named("second", {1, 1})),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("\"first\""), HasSubstr("\"second\""),
                             both_places)));
  Extension twice = Named("second", {1, 2});
  twice.Add<Middle>({3, 1}, "Middle");
  twice.Add<Top>({3, 1}, "Top");
  EXPECT_THAT(AfterFirst(std::move(twice)),
              StatusIs(absl::StatusCode::kAlreadyExists, both_places));
  Extension second = Named("second", {1, 2});
  second.Add<Middle>({1, 2}, "Middle");
  EXPECT_THAT(AfterFirst(std::move(second)),
              StatusIs(absl::StatusCode::kAlreadyExists, both_places));
}

TEST(ResolveExtensionsTest, ANameOrAClassThatIsTakenIsAnErrorWithBothPlaces) {
  const auto both_places = ContainsRegex(kBothPlaces);
  EXPECT_THAT(AfterFirst(Named("first", {1, 2})),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("name \"first\""), both_places)));
  Extension same_name = Named("second", {1, 2});
  same_name.Add<Top>({3, 1}, "a.Base");
  EXPECT_THAT(AfterFirst(std::move(same_name)),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("name \"a.Base\""), both_places)));
  Extension same_class = Named("second", {1, 2});
  same_class.Add<Base>({3, 1}, "OtherBase");
  EXPECT_THAT(AfterFirst(std::move(same_class)),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("class"), both_places)));
}

TEST(ResolveExtensionsTest, WhatIsWrongByItselfIsRefused) {
  EXPECT_THAT(
      AfterFirst(Extension()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("SetInfo()")));
  EXPECT_THAT(AfterFirst(Named("second", {0, 0})),
              StatusIs(absl::StatusCode::kInvalidArgument));
  Extension no_id = Named("second", {1, 2});
  no_id.Add<Top>({0, 0}, "Top");
  EXPECT_THAT(AfterFirst(std::move(no_id)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"Top\""), HasSubstr("no id"))));
  Extension no_name = Named("second", {1, 2});
  no_name.Add<Top>({3, 1}, "not a name");
  EXPECT_THAT(AfterFirst(std::move(no_name)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"not a name\"")));
}

}  // namespace
}  // namespace syncline
