#include "framework/plan/assign_executors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/thread_limits.h"
#include "framework/base/typed_registry.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/plan/compile.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(AssignExecutorsTest, ThereIsAlwaysADefaultExecutor) {
  const GraphPlan plan = PlanOf("node { calculator: \"IntNode\" }");
  ASSERT_THAT(plan.executors(), SizeIs(1));
  const PlanExecutor& executor = plan.executors()[0];
  EXPECT_EQ(executor.name, "");
  EXPECT_EQ(executor.kind, ExecutorKind::kThreadPool);
  EXPECT_EQ(executor.num_threads, 0) << "chosen when the graph runs";
  EXPECT_EQ(plan.nodes()[0].executor, 0);
  ASSERT_EQ(plan.Config().executor_size(), 1);
}

TEST(AssignExecutorsTest, UsefulThreadsAreTheNodesOrTheGenerators) {
  EXPECT_EQ(PlanOf("").executors()[0].useful_threads, 1);
  EXPECT_EQ(PlanOf(R"pb(
              node { calculator: "IntNode" }
              node { calculator: "IntNode" }
              packet_generator { packet_generator: "IntGenerator" }
            )pb")
                .executors()[0]
                .useful_threads,
            2);
  EXPECT_EQ(PlanOf(R"pb(
              packet_generator { packet_generator: "IntGenerator" }
              packet_generator { packet_generator: "IntGenerator" }
              packet_generator { packet_generator: "IntGenerator" }
              node { calculator: "IntNode" }
            )pb")
                .executors()[0]
                .useful_threads,
            3);
}

TEST(AssignExecutorsTest, NumThreadsMovesIntoTheDefaultExecutor) {
  const GraphPlan plan = PlanOf("num_threads: 3");
  EXPECT_EQ(plan.executors()[0].num_threads, 3);
  EXPECT_EQ(plan.Config().num_threads(), 0);
  ASSERT_EQ(plan.Config().executor_size(), 1);
  EXPECT_EQ(plan.Config()
                .executor(0)
                .options()
                .GetExtension(ThreadPoolExecutorOptions::ext)
                .num_threads(),
            3);
}

TEST(AssignExecutorsTest, NumThreadsNextToADefaultExecutorIsAnError) {
  EXPECT_THAT(
      Message(ErrorWithLinesOf("executor {}\nnum_threads: 3")),
      HasSubstr(
          "graph.pbtxt:2: ExecutorConfig for the default executor and the "
          "graph-level num_threads field should not both be "
          "specified"));
}

TEST(AssignExecutorsTest, NodesRunOnTheExecutorTheyName) {
  const GraphPlan plan = PlanOf(R"pb(
    executor { name: "fast" }
    executor {
      name: "pool"
      type: "ThreadPoolExecutor"
      options {
        [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 }
      }
    }
    node { name: "a" calculator: "IntNode" executor: "pool" }
    node { name: "b" calculator: "IntNode" executor: "fast" }
    node { name: "c" calculator: "IntNode" }
  )pb");
  ASSERT_THAT(plan.executors(), SizeIs(3));
  EXPECT_EQ(plan.executors()[0].name, "");
  const PlanExecutor& pool = ExecutorNamed(plan, "pool");
  const PlanExecutor& fast = ExecutorNamed(plan, "fast");
  EXPECT_EQ(NodeNamed(plan, "a").executor, pool.id);
  EXPECT_EQ(NodeNamed(plan, "b").executor, fast.id);
  EXPECT_EQ(NodeNamed(plan, "c").executor, 0);
  EXPECT_EQ(fast.kind, ExecutorKind::kFromApplication);
  EXPECT_EQ(pool.kind, ExecutorKind::kThreadPool);
  EXPECT_EQ(pool.num_threads, 2);
}

TEST(AssignExecutorsTest, AnUndeclaredExecutorNamesTheNodeAndTheNearest) {
  EXPECT_THAT(
      Message(ErrorOf(R"pb(
        executor { name: "camera" }
        node { name: "n" calculator: "IntNode" executor: "camrea" }
      )pb")),
      AllOf(HasSubstr("node \"n\" (IntNode): executor \"camrea\" is not "
                      "declared in an ExecutorConfig"),
            HasSubstr("Did you mean \"camera\"?")));
}

TEST(AssignExecutorsTest, AnUndeclaredExecutorHasANextStep) {
  EXPECT_THAT(
      Message(ErrorWithLinesOf("node { name: \"n\" calculator: \"IntNode\"\n"
                               "       executor: \"camera\" }")),
      AllOf(HasSubstr("graph.pbtxt:1: node \"n\""),
            HasSubstr("Declare it with executor { name: \"camera\" "
                      "type: \"ThreadPoolExecutor\"")));
  EXPECT_THAT(Message(ErrorOf(R"pb(
                executor { name: "first" }
                executor { name: "second" }
                node { name: "n" calculator: "IntNode" executor: "camera" }
              )pb")),
              HasSubstr("Known are \"first\" and \"second\". Declare it with"));
}

TEST(AssignExecutorsTest, AnExecutorKnowsWhereItStands) {
  const absl::StatusOr<GraphPlan> plan =
      Compile(ParseSource("executor {}\nexecutor { name: \"a\" }"));
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->executors()[0].location, "graph.pbtxt:1: ");
  EXPECT_EQ(plan->executors()[1].location, "graph.pbtxt:2: ");
  EXPECT_EQ(PlanOf("executor { name: \"a\" }").executors()[1].location, "");
}

TEST(AssignExecutorsTest, ReservedNamesAreErrors) {
  for (const char* name : {"default", "gpu", "__x"}) {
    const std::string reserved =
        absl::StrCat("\"", name, "\" is a reserved executor name");
    EXPECT_THAT(
        Message(ErrorOf(absl::StrCat("executor { name: \"", name, "\" }"))),
        HasSubstr(reserved));
    EXPECT_THAT(
        Message(ErrorOf(absl::StrCat(
            "node { calculator: \"IntNode\" executor: \"", name, "\" }"))),
        HasSubstr(reserved));
  }
}

TEST(AssignExecutorsTest, RepeatedNamesAreErrors) {
  EXPECT_THAT(Message(ErrorOf("executor { name: \"a\" } "
                              "executor { name: \"a\" }")),
              HasSubstr("more than one ExecutorConfig with the name \"a\""));
  EXPECT_THAT(Message(ErrorOf("executor {} executor {}")),
              HasSubstr("more than one ExecutorConfig"));
}

TEST(AssignExecutorsTest, TheApplicationThreadIsForTheDefaultExecutorOnly) {
  EXPECT_EQ(PlanOf("executor { type: \"ApplicationThreadExecutor\" }")
                .executors()[0]
                .kind,
            ExecutorKind::kApplicationThread);
  EXPECT_EQ(PlanOf("executor { type: \"mediapipe.ApplicationThreadExecutor\" }")
                .executors()[0]
                .kind,
            ExecutorKind::kApplicationThread);
  EXPECT_THAT(Message(ErrorOf("executor { name: \"a\" "
                              "type: \"ApplicationThreadExecutor\" }")),
              HasSubstr("default executor only"));
}

std::string ThreadPool(const std::string& name, const std::string& type,
                       const std::string& options) {
  return absl::StrCat("executor { name: \"", name, "\" type: \"", type,
                      "\" options { [syncline.ThreadPoolExecutorOptions.ext] {",
                      options, "} } }");
}

TEST(AssignExecutorsTest, ThreadCountsMustMakeSense) {
  const std::string type = "ThreadPoolExecutor";
  EXPECT_THAT(Message(ErrorOf(ThreadPool("a", type, ""))),
              HasSubstr("num_threads is not specified"));
  for (const char* wrong :
       {"num_threads: 0", "num_threads: -1", "num_threads: 1000000"}) {
    EXPECT_EQ(ErrorOf(ThreadPool("a", type, wrong)).code(),
              absl::StatusCode::kInvalidArgument)
        << wrong;
  }
  EXPECT_THAT(Message(ErrorOf("num_threads: 1000000")), HasSubstr("1000000"));
  EXPECT_THAT(Message(ErrorOf("num_threads: -2")), HasSubstr("-2"));
}

TEST(AssignExecutorsTest, TheDefaultExecutorMayLeaveItsThreadCountOpen) {
  for (const char* open : {"", "num_threads: 0", "num_threads: -1"}) {
    EXPECT_EQ(PlanOf(ThreadPool("", "", open)).executors()[0].num_threads, 0);
  }
  EXPECT_EQ(PlanOf("num_threads: -1").executors()[0].num_threads, 0);
}

TEST(AssignExecutorsTest, StackSizesAndPrioritiesMustMakeSense) {
  const std::string type = "ThreadPoolExecutor";
  PlanOf(ThreadPool("a", type, "num_threads: 1 stack_size: 65536"));
  for (const char* wrong :
       {"stack_size: 0", "stack_size: -5", "stack_size: 2000000000",
        "nice_priority_level: 20", "nice_priority_level: -21"}) {
    EXPECT_EQ(
        ErrorOf(ThreadPool("a", type, absl::StrCat("num_threads: 1 ", wrong)))
            .code(),
        absl::StatusCode::kInvalidArgument)
        << wrong;
  }
}

TEST(AssignExecutorsTest, AThreadPoolMayAskForAllThatItsSchedulerAllows) {
  const auto pool = [](const std::string& what) {
    return ThreadPool("a", "ThreadPoolExecutor", what);
  };
  PlanOf(pool(absl::StrCat("num_threads: ", kMaxPoolThreads, " stack_size: ",
                           kMaxStackBytes, " nice_priority_level: 19")));
  PlanOf(pool("num_threads: 1 nice_priority_level: -20"));
  EXPECT_THAT(
      Message(
          ErrorOf(pool(absl::StrCat("num_threads: ", kMaxPoolThreads + 1)))),
      HasSubstr("num_threads is 4097, and more than 4096 are not granted."));
  EXPECT_THAT(Message(ErrorOf(pool(absl::StrCat("num_threads: 1 stack_size: ",
                                                kMaxStackBytes + 1)))),
              HasSubstr("stack_size must be positive and at most 1073741824"));
}

TEST(AssignExecutorsTest, RegisteredTypesAreKnownAndOthersAreNot) {
  RegistrationToken token =
      ExecutorTypes().Register("PlanTestExecutor", [](const SynclineOptions&) {
        return absl::StatusOr<Executor*>(nullptr);
      });
  const GraphPlan plan =
      PlanOf("executor { name: \"a\" type: \"PlanTestExecutor\" }");
  EXPECT_EQ(plan.executors()[1].kind, ExecutorKind::kRegistered);
  EXPECT_THAT(
      Message(ErrorOf("executor { name: \"a\" type: \"PlanTestExecutr\" }")),
      AllOf(HasSubstr("executor \"a\": \"PlanTestExecutr\" is not a registered "
                      "executor type"),
            HasSubstr("Did you mean \"PlanTestExecutor\"?")));
  EXPECT_THAT(
      Message(ErrorWithLinesOf("\nexecutor { type: \"Unknown\" }")),
      AllOf(HasSubstr("graph.pbtxt:2: the default executor: "
                      "\"Unknown\" is not a registered executor type."
                      " Known are "),
            HasSubstr("\"PlanTestExecutor\""),
            HasSubstr("\"ApplicationThreadExecutor\""),
            HasSubstr("REGISTER_EXECUTOR"), HasSubstr("SetExecutor()")));
  token.Unregister();
}

// They have no effect: the type is missing, or another one.
TEST(AssignExecutorsTest, OptionsThatTheExecutorDoesNotReadAreWarnedOf) {
  const GraphPlan named = PlanOf(ThreadPool("a", "", "num_threads: 3"));
  ASSERT_EQ(named.warnings().size(), 1);
  EXPECT_THAT(named.warnings()[0],
              AllOf(HasSubstr("executor \"a\": its options have "
                              "[syncline.ThreadPoolExecutorOptions.ext]"),
                    HasSubstr("which this type of executor does not read")));
  EXPECT_EQ(
      PlanOf(ThreadPool("", "ApplicationThreadExecutor", "")).warnings().size(),
      1);
  EXPECT_TRUE(PlanOf(ThreadPool("a", "ThreadPoolExecutor", "num_threads: 3"))
                  .warnings()
                  .empty());
  EXPECT_TRUE(PlanOf("num_threads: 3").warnings().empty());
}

}  // namespace
}  // namespace syncline
