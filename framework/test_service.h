// Services for tests of graphs, and a calculator that uses them.
//
//   node {
//     calculator: "TestServiceCalculator"
//     input_stream: "in" output_stream: "out"
//   }
//
// adds to each int the entry "delta" of the service, if there is one, and
// counts its packets in the entry "count". It also adds the value of
// kAnotherService, if the application gives it.
//
// Thread rule: the test owns the objects and prevents concurrent access.
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

// A service whose object has no default.
class NoDefaultConstructor {
 public:
  NoDefaultConstructor() = delete;
};
inline constexpr GraphService<NoDefaultConstructor> kNoDefaultService(
    "no_default_service", GraphServiceBase::kDisallowDefaultInitialization);

// A service whose object is made by Create, not by a default constructor.
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
  int added_ = 0;  // the value of kAnotherService, or 0
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TEST_SERVICE_H_
