// Services that tests of graphs ask for, and a calculator that asks for one.
//
//   node {
//     calculator: "TestServiceCalculator"
//     input_stream: "in" output_stream: "out"
//   }
//
// adds to each int what the service has under "delta", or nothing, and counts
// its packets there under "count". kAnotherService is asked for too, and added
// where it is there.
//
// Thread rule: the objects are those of the test, which looks after them.
// Tested by test_calculators_test.

#ifndef SYNCLINE_FRAMEWORK_TEST_SERVICE_H_
#define SYNCLINE_FRAMEWORK_TEST_SERVICE_H_

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/service.h"

namespace syncline {

using TestServiceObject = std::map<std::string, int>;

inline constexpr GraphService<TestServiceObject> kTestService(
    "test_service", GraphServiceBase::kDisallowDefaultInitialization);
inline constexpr GraphService<int> kAnotherService(
    "another_service", GraphServiceBase::kDisallowDefaultInitialization);

// Cannot be made by default.
class NoDefaultConstructor {
 public:
  NoDefaultConstructor() = delete;
};
inline constexpr GraphService<NoDefaultConstructor> kNoDefaultService(
    "no_default_service", GraphServiceBase::kDisallowDefaultInitialization);

// Is made by Create, and not by a constructor.
class NeedsCreateMethod {
 public:
  static absl::StatusOr<std::shared_ptr<NeedsCreateMethod>> Create() {
    return std::shared_ptr<NeedsCreateMethod>(new NeedsCreateMethod());
  }

 private:
  NeedsCreateMethod() = default;
};
inline constexpr GraphService<NeedsCreateMethod> kNeedsCreateService(
    "needs_create_service", GraphServiceBase::kAllowDefaultInitialization);

class TestServiceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
  absl::Status Open(CalculatorContext* cc) override;
  absl::Status Process(CalculatorContext* cc) override;

 private:
  int added_ = 0;  // of kAnotherService
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TEST_SERVICE_H_
