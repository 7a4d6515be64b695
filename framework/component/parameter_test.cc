// What a registered parameter accepts, what it is when nobody sets it, and that
// what is wrong is said with its key.

#include "framework/component/parameter.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/config/parameters.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

enum class Policy { kDrop = 0, kKeep = 7 };

// One of each type.
struct All {
  Parameter<bool> flag;
  Parameter<std::int8_t> tiny;
  Parameter<std::uint16_t> port;
  Parameter<std::int64_t> large;
  Parameter<std::uint64_t> huge;
  Parameter<float> ratio;
  Parameter<double> gain;
  Parameter<std::string> name;
  Parameter<absl::Duration> period;
  Parameter<Policy> policy;
  Parameter<std::vector<int>> sizes;
  Parameter<std::vector<absl::Duration>> delays;
  Parameter<std::vector<Policy>> policies;
  Parameter<std::vector<bool>> bits;

  void RegisterParameters(Registrar* registrar) {
    constexpr ParameterFlags kOptional = ParameterFlags::kOptional;
    registrar->Add(&flag, {.key = "flag", .flags = kOptional});
    registrar->Add(&tiny, {.key = "tiny", .flags = kOptional});
    registrar->Add(&port, {.key = "port", .flags = kOptional});
    registrar->Add(&large, {.key = "large", .flags = kOptional});
    registrar->Add(&huge, {.key = "huge", .flags = kOptional});
    registrar->Add(
        &ratio, {.key = "ratio", .flags = kOptional, .min = 0.f, .max = 1.f});
    registrar->Add(&gain, {.key = "gain", .flags = kOptional});
    registrar->Add(&name, {.key = "name", .flags = kOptional});
    registrar->Add(
        &period,
        {.key = "period", .flags = kOptional, .min = absl::Nanoseconds(1)});
    registrar->Add(
        &policy, {.key = "policy",
                  .flags = kOptional,
                  .names = {{"drop", Policy::kDrop}, {"keep", Policy::kKeep}}});
    registrar->Add(&sizes, {.key = "sizes", .flags = kOptional, .max = 9});
    registrar->Add(&delays, {.key = "delays", .flags = kOptional});
    registrar->Add(&policies, {.key = "policies",
                               .flags = kOptional,
                               .names = {{"drop", Policy::kDrop},
                                         {"keep", Policy::kKeep}}});
    registrar->Add(&bits, {.key = "bits", .flags = kOptional});
  }
};

struct Blink {
  Parameter<int> count;
  Parameter<absl::Duration> period;
  Parameter<std::string> color;

  void RegisterParameters(Registrar* registrar) {
    registrar->Add(&count, {.key = "count",
                            .headline = "Blinks",
                            .description = "How often the lamp blinks.",
                            .default_value = 3,
                            .flags = ParameterFlags::kDynamic,
                            .min = 1,
                            .max = 100});
    registrar->Add(&period, {.key = "period", .headline = "Period"});
    registrar->Add(&color, {.key = "color",
                            .flags = ParameterFlags::kOptional |
                                     ParameterFlags::kDynamic});
  }
};

Parameters Values(const std::string& text) {
  Parameters values;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &values))
      << text;
  return values;
}

// Registers P, and assigns the values.
template <typename P>
absl::Status Assign(const std::string& text, P* parameters,
                    std::vector<std::string>* warnings = nullptr) {
  Registrar registrar;
  parameters->RegisterParameters(&registrar);
  return registrar.Assign(Values(text), warnings);
}

absl::Status AssignAll(const std::string& value) {
  All all;
  return Assign(absl::StrCat("parameter { ", value, " }"), &all);
}

TEST(ParameterTest, EachTypeTakesItsValues) {
  All all;
  SYNCLINE_ASSERT_OK(Assign(
      R"pb(parameter { key: "flag" bool_value: true }
           parameter { key: "tiny" int_value: -128 }
           parameter { key: "port" int_value: 65535 }
           parameter { key: "large" int_value: -9223372036854775808 }
           parameter { key: "huge" uint_value: 18446744073709551615 }
           parameter { key: "ratio" double_value: 0.5 }
           parameter { key: "gain" double_value: -1e300 }
           parameter { key: "name" string_value: "a b" }
           parameter { key: "period" string_value: "1.5ms" }
           parameter { key: "policy" string_value: "keep" }
           parameter {
             key: "sizes"
             list { int_value: [ 1, 2, 3 ] }
           }
           parameter {
             key: "delays"
             list { string_value: [ "1s", "2us" ] }
           }
           parameter {
             key: "policies"
             list { string_value: "drop" }
           }
           parameter {
             key: "bits"
             list { bool_value: [ true, false ] }
           })pb",
      &all));
  EXPECT_TRUE(all.flag.get());
  EXPECT_EQ(all.tiny.get(), -128);
  EXPECT_EQ(all.port.get(), 65535);
  EXPECT_EQ(all.large.get(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(all.huge.get(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(all.ratio.get(), 0.5f);
  EXPECT_EQ(all.gain.get(), -1e300);
  EXPECT_EQ(all.name.get(), "a b");
  EXPECT_EQ(all.period.get(), absl::Microseconds(1500));
  EXPECT_EQ(all.policy.get(), Policy::kKeep);
  EXPECT_THAT(all.sizes.get(), ElementsAre(1, 2, 3));
  EXPECT_THAT(all.delays.get(),
              ElementsAre(absl::Seconds(1), absl::Microseconds(2)));
  EXPECT_THAT(all.policies.get(), ElementsAre(Policy::kDrop));
  EXPECT_THAT(all.bits.get(), ElementsAre(true, false));
}

TEST(ParameterTest, NumbersAreCastWhereTheyFit) {
  All all;
  SYNCLINE_ASSERT_OK(Assign(R"pb(parameter { key: "tiny" double_value: 5 }
                                 parameter { key: "port" uint_value: 7 }
                                 parameter { key: "huge" int_value: 8 }
                                 parameter { key: "large" uint_value: 9 }
                                 parameter { key: "ratio" int_value: 1 }
                                 parameter { key: "gain" uint_value: 2 }
                                 parameter { key: "period" int_value: 1000 }
                                 parameter { key: "policy" int_value: 7 }
                                 parameter {
                                   key: "delays"
                                   list { uint_value: 1000 }
                                 }
                                 parameter {
                                   key: "policies"
                                   list { uint_value: 7 }
                                 }
                                 parameter {
                                   key: "sizes"
                                   list { double_value: 4 }
                                 })pb",
                            &all));
  EXPECT_EQ(all.tiny.get(), 5);
  EXPECT_THAT(all.delays.get(), ElementsAre(absl::Microseconds(1)));
  EXPECT_THAT(all.policies.get(), ElementsAre(all.policy.get()));
  EXPECT_EQ(all.port.get(), 7);
  EXPECT_EQ(all.huge.get(), 8u);
  EXPECT_EQ(all.large.get(), 9);
  EXPECT_EQ(all.ratio.get(), 1.f);
  EXPECT_EQ(all.gain.get(), 2.);
  EXPECT_EQ(all.period.get(), absl::Microseconds(1));
  EXPECT_EQ(all.policy.get(), Policy::kKeep);
  EXPECT_THAT(all.sizes.get(), ElementsAre(4));
}

TEST(ParameterTest, AValueThatDoesNotFitIsAnErrorWithItsKeyAndTheRange) {
  const auto expect = [](const char* value, const char* key,
                         const char* range) {
    EXPECT_THAT(AssignAll(value),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(key), HasSubstr(range))))
        << value;
  };
  expect("key: 'tiny' int_value: 128", "\"tiny\" is 128", "-128 to 127");
  expect("key: 'tiny' double_value: 1e30", "\"tiny\"", "-128 to 127");
  expect("key: 'tiny' uint_value: 18446744073709551615", "\"tiny\"", "127");
  expect("key: 'port' int_value: -1", "\"port\" is -1", "0 to 65535");
  expect("key: 'port' double_value: -1", "\"port\"", "0 to 65535");
  expect("key: 'port' uint_value: 65536", "\"port\"", "0 to 65535");
  expect("key: 'large' uint_value: 9223372036854775808", "\"large\"",
         "9223372036854775807");
  expect("key: 'large' double_value: 9223372036854775808", "\"large\"",
         "9223372036854775807");
  expect("key: 'huge' double_value: 18446744073709551616", "\"huge\"",
         "18446744073709551615");
  expect("key: 'ratio' double_value: 1.5", "\"ratio\" is 1.5", "0 to 1");
  expect("key: 'ratio' double_value: nan", "\"ratio\"", "0 to 1");
  expect("key: 'ratio' double_value: 1e300", "\"ratio\"", "3.40282e+38");
  expect("key: 'period' int_value: 0", "\"period\" is 0", "at least 1ns");
  expect("key: 'period' string_value: '-3s'", "\"period\" is -3s", "at least");
  expect("key: 'sizes' list { int_value: [1, 10] }", "\"sizes\" is 10",
         "at most 9");
}

TEST(ParameterTest, AValueOfTheWrongTypeIsAnErrorThatSaysWhatIsMeant) {
  const auto expect = [](const char* value, const char* text) {
    EXPECT_THAT(AssignAll(value),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)))
        << value;
  };
  expect("key: 'flag' int_value: 1", "\"flag\" is 1, and has to be true");
  expect("key: 'flag' string_value: 'true'", "has to be true or false");
  expect("key: 'tiny' string_value: '5'", "is \"5\", and has to be a whole");
  expect("key: 'tiny' double_value: 1.5", "has to be a whole number");
  expect("key: 'port' double_value: nan", "has to be a whole number");
  expect("key: 'tiny' bool_value: true", "has to be a whole number");
  expect("key: 'gain' string_value: '1'", "has to be a number");
  expect("key: 'name' int_value: 1", "has to be a text");
  expect("key: 'period' string_value: '20'", "a duration");
  expect("key: 'period' string_value: '20 parsecs'", "ns, us, ms, s, m or h");
  expect("key: 'period' double_value: 2", "a duration");
  expect("key: 'policy' string_value: 'kepp'", "Did you mean \"keep\"");
  expect("key: 'policy' int_value: 1", "none of its names");
  expect("key: 'policy' bool_value: true", "none of its names");
  expect("key: 'sizes' int_value: 1", "no list");
  expect("key: 'sizes' list { string_value: 'a' }", "a whole number");
  expect("key: 'sizes' list { int_value: 1 double_value: 2 }", "several kinds");
  expect("key: 'tiny' list { int_value: 1 }", "is a list");
  expect("key: 'tiny'", "no value");
  expect("key: 'sizes'", "no list");
}

TEST(ParameterTest, AnEmptyListIsAListOfAnyType) {
  All all;
  SYNCLINE_ASSERT_OK(Assign("parameter { key: 'sizes' list {} }", &all));
  EXPECT_THAT(all.sizes.get(), IsEmpty());
}

TEST(ParameterTest, AParameterWithoutAValueHasItsDefaultOrNone) {
  Blink blink;
  SYNCLINE_ASSERT_OK(
      Assign("parameter { key: 'period' string_value: '1s' }", &blink));
  EXPECT_EQ(blink.count.get(), 3);
  EXPECT_FALSE(blink.color.has_value());
  EXPECT_FALSE(blink.color.try_get().has_value());
}

TEST(ParameterTest, ReadingAValueThatIsNotThereIsAMisuseWithTheKey) {
  Blink blink;
  SYNCLINE_ASSERT_OK(
      Assign("parameter { key: 'period' string_value: '1s' }", &blink));
  EXPECT_THAT(
      CallUserCode([&blink] { return absl::InternalError(blink.color.get()); }),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("\"color\"")));
  EXPECT_THAT(CallUserCode([] {
                static const Parameter<int>& lost = *new Parameter<int>;
                return absl::InternalError(absl::StrCat(lost.get()));
              }),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("never registered")));
}

TEST(ParameterTest, AMandatoryParameterWithoutAValueIsAnError) {
  Blink blink;
  EXPECT_THAT(Assign("", &blink),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"period\" (Period, duration)"),
                             HasSubstr("mandatory"))));
}

TEST(ParameterTest, AnUnknownKeyNamesTheNearest) {
  Blink blink;
  EXPECT_THAT(Assign("parameter { key: 'perod' string_value: '1s' }", &blink),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"perod\" is not known. Did you mean "
                                       "\"period\"?"),
                             HasSubstr("mandatory"))));
}

TEST(ParameterTest, OfAKeyThatIsThereTwiceTheLastCountsWithAWarning) {
  Blink blink;
  std::vector<std::string> warnings;
  SYNCLINE_ASSERT_OK(
      Assign(R"pb(parameter { key: "period" string_value: "not read" }
                  parameter { key: "count" int_value: 5 }
                  parameter { key: "period" string_value: "2s" })pb",
             &blink, &warnings));
  EXPECT_EQ(blink.period.get(), absl::Seconds(2));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("\"period\"")));
}

TEST(ParameterTest, AllErrorsComeTogetherUpToALimit) {
  Blink blink;
  std::string many;
  for (int i = 0; i < 1000; ++i) {
    absl::StrAppend(&many, "parameter { key: 'x", i, "' }");
  }
  const absl::Status status = Assign(many, &blink);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"x0\""), HasSubstr("\"x1\""),
                    HasSubstr("981 more"), SizeIs(testing::Lt(5000))));
}

TEST(ParameterTest, ADynamicParameterTakesAnotherValueLater) {
  Blink blink;
  Registrar registrar;
  blink.RegisterParameters(&registrar);
  SYNCLINE_ASSERT_OK(registrar.Assign(
      Values("parameter { key: 'period' string_value: '1s' }")));
  SYNCLINE_ASSERT_OK(registrar.Update(
      Values(R"pb(parameter { key: "count" int_value: 7 }
                  parameter { key: "color" string_value: "red" })pb")));
  EXPECT_EQ(blink.count.get(), 7);
  EXPECT_EQ(blink.color.get(), "red");
  EXPECT_EQ(blink.period.get(), absl::Seconds(1));
}

TEST(ParameterTest, AnUpdateThatIsWrongChangesNothing) {
  Blink blink;
  Registrar registrar;
  blink.RegisterParameters(&registrar);
  SYNCLINE_ASSERT_OK(registrar.Assign(
      Values("parameter { key: 'period' string_value: '1s' }")));
  EXPECT_THAT(
      registrar.Update(
          Values(R"pb(parameter { key: "count" int_value: 7 }
                      parameter { key: "period" string_value: "2s" })pb")),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("\"period\""), HasSubstr("not dynamic"))));
  EXPECT_THAT(
      registrar.Update(
          Values(R"pb(parameter { key: "color" string_value: "red" }
                      parameter { key: "count" int_value: 0 })pb")),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("1 to 100")));
  EXPECT_EQ(blink.count.get(), 3);
  EXPECT_FALSE(blink.color.has_value());
  EXPECT_EQ(blink.period.get(), absl::Seconds(1));
}

TEST(ParameterTest, WhatIsRegisteredCanBeListed) {
  const std::vector<ParameterInfo> infos = ParameterInfosOf<Blink>();
  ASSERT_EQ(infos.size(), 3);
  EXPECT_EQ(infos[0].key, "count");
  EXPECT_EQ(infos[0].type, "int32");
  EXPECT_EQ(infos[0].headline, "Blinks");
  EXPECT_EQ(infos[0].description, "How often the lamp blinks.");
  EXPECT_EQ(infos[0].default_value, "3");
  EXPECT_EQ(infos[0].range, "1 to 100");
  EXPECT_TRUE(infos[0].dynamic);
  EXPECT_FALSE(infos[0].mandatory());
  EXPECT_TRUE(infos[1].mandatory());
  EXPECT_EQ(infos[1].type, "duration");
  EXPECT_EQ(infos[2].headline, "color");
  EXPECT_TRUE(infos[2].optional);
  std::vector<std::string> types;
  for (const ParameterInfo& info : ParameterInfosOf<All>()) {
    types.push_back(info.type);
  }
  EXPECT_THAT(
      types,
      ElementsAre("bool", "int8", "uint16", "int64", "uint64", "float",
                  "double", "string", "duration", "drop|keep", "list of int32",
                  "list of duration", "list of drop|keep", "list of bool"));
}

TEST(ParameterTest, DefaultsAreShownAsValuesAreWritten) {
  struct Defaults {
    Parameter<std::string> name;
    Parameter<std::vector<double>> gains;
    Parameter<Policy> policy;
    Parameter<absl::Duration> period;

    void RegisterParameters(Registrar* registrar) {
      registrar->Add(&name, {.key = "name", .default_value = "x"});
      registrar->Add(&gains, {.key = "gains",
                              .default_value = std::vector<double>{0.5, 2}});
      registrar->Add(&policy, {.key = "policy",
                               .default_value = Policy::kKeep,
                               .names = {{"keep", Policy::kKeep}}});
      registrar->Add(
          &period, {.key = "period", .default_value = absl::Milliseconds(20)});
    }
  };
  std::vector<std::string> defaults;
  for (const ParameterInfo& info : ParameterInfosOf<Defaults>()) {
    defaults.push_back(info.default_value.value_or("none"));
  }
  EXPECT_THAT(defaults, ElementsAre("\"x\"", "[0.5, 2]", "keep", "20ms"));
}

TEST(ParameterTest, WhatIsRegisteredWronglyIsAnErrorOfEveryUse) {
  struct Wrong {
    Parameter<int> a;
    Parameter<int> b;
    Parameter<int> c;
    Parameter<Policy> d;

    void RegisterParameters(Registrar* registrar) {
      registrar->Add(&a, {.key = "same", .headline = "One"});
      registrar->Add(&b, {.key = "same", .headline = "Other"});
      registrar->Add(&c, {.key = "c c", .default_value = 9, .max = 5});
      registrar->Add(&d, {.key = "d"});
    }
  };
  Wrong wrong;
  Registrar registrar;
  wrong.RegisterParameters(&registrar);
  for (const absl::Status& status :
       {registrar.status(), registrar.Assign({}), registrar.Update({})}) {
    EXPECT_THAT(
        status,
        StatusIs(absl::StatusCode::kInvalidArgument,
                 AllOf(HasSubstr("\"same\" is registered twice"),
                       HasSubstr("\"One\""), HasSubstr("\"Other\""),
                       HasSubstr("\"c c\" cannot be registered"),
                       HasSubstr("at most 5"), HasSubstr("with its names"))));
  }
}

}  // namespace
}  // namespace syncline
