// The minimum stack size reaches the default executor, however a config
// describes it; and ValidateInput checks what a config says about input files.
#include "framework/tool/executor_util.h"

#include "framework/calculator_graph.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/tool/validate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// A stack that is too small for a thread is refused, and under a sanitizer
// threads need a large one: so 4 MiB.
CalculatorGraphConfig With4M(const char* text) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(text);
  tool::EnsureMinimumDefaultExecutorStackSize(4194304, &config);
  SYNCLINE_EXPECT_OK(CalculatorGraph().Initialize(config));
  return config;
}

const ThreadPoolExecutorOptions& Pool(const CalculatorGraphConfig& config,
                                      int executor = 0) {
  return config.executor(executor).options().GetExtension(
      ThreadPoolExecutorOptions::ext);
}

TEST(ExecutorUtilTest, AConfigWithoutAnExecutorGetsOne) {
  const CalculatorGraphConfig config = With4M("");
  ASSERT_EQ(config.executor_size(), 1);
  EXPECT_EQ(config.executor(0).name(), "");
  EXPECT_EQ(Pool(config).stack_size(), 4194304);
  EXPECT_FALSE(Pool(config).has_num_threads());
}

TEST(ExecutorUtilTest, TheNewExecutorTakesTheNumberOfThreadsOver) {
  const CalculatorGraphConfig config = With4M("num_threads: 3");
  EXPECT_EQ(config.num_threads(), 0);
  EXPECT_EQ(Pool(config).num_threads(), 3);
}

TEST(ExecutorUtilTest, SmallStacksGrowAndLargeOnesStay) {
  const CalculatorGraphConfig small = With4M(R"pb(
    executor {
      name: "other"
      type: "ThreadPoolExecutor"
      options {
        [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 }
      }
    }
    executor {
      type: "ThreadPoolExecutor"
      options {
        [syncline.ThreadPoolExecutorOptions.ext] {
          num_threads: 2
          stack_size: 2097152
        }
      }
    }
  )pb");
  ASSERT_EQ(small.executor_size(), 2);
  EXPECT_EQ(Pool(small, 1).stack_size(), 4194304);
  EXPECT_EQ(Pool(small, 1).num_threads(), 2);
  EXPECT_FALSE(Pool(small, 0).has_stack_size());
  EXPECT_EQ(
      Pool(With4M(R"pb(
        executor {
          options {
            [syncline.ThreadPoolExecutorOptions.ext] { stack_size: 8388608 }
          }
        }
      )pb"))
          .stack_size(),
      8388608);
}

TEST(ExecutorUtilTest, AnExecutorThatIsNoThreadPoolIsLeftAlone) {
  const CalculatorGraphConfig config =
      With4M("executor { type: 'ApplicationThreadExecutor' }");
  EXPECT_FALSE(config.executor(0).has_options());
}

TEST(ValidateTest, AnInputCollectionNeedsATypeAndAFile) {
  const auto validate = [](const char* text) {
    return tool::ValidateInput(ParseTextProtoOrDie<InputCollection>(text));
  };
  SYNCLINE_EXPECT_OK(validate(
      "name: 'clips' input_type: RECORDIO file_name: '/tmp/clips.rec'"));
  SYNCLINE_EXPECT_OK(validate("input_type: FOREIGN_CSV_TEXT file_name: 'a'"));
  EXPECT_THAT(
      validate("name: 'Clips' input_type: RECORDIO file_name: 'a'"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"Clips\"")));
  EXPECT_THAT(
      validate("name: 'clips' file_name: 'a'"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("input_type")));
  EXPECT_THAT(validate("input_type: INVALID_UPPER_BOUND file_name: 'a'"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      validate("name: 'clips' input_type: RECORDIO"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("file_name")));
}

}  // namespace
}  // namespace syncline
