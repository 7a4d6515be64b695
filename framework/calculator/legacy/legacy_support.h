// The context of the call that runs on this thread, for code that cannot get it
// as an argument.
//
//   LegacyCalculatorSupport::Scoped<CalculatorContext> scope(cc);
//   ... anywhere below, on the same thread:
//   LegacyCalculatorSupport::Scoped<CalculatorContext>::current()
//
// The engine sets it around GetContract (for CalculatorContract), Open, Process
// and Close.
//
// Thread rule: each thread has its own.
// Tested by legacy_support_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_LEGACY_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_LEGACY_SUPPORT_H_

namespace syncline {

class LegacyCalculatorSupport {
 public:
  // While it exists, current() on its thread is `context`; scopes nest.
  template <typename C>
  class Scoped {
   public:
    explicit Scoped(C* context) : outer_(current_) { current_ = context; }
    ~Scoped() { current_ = outer_; }
    Scoped(const Scoped&) = delete;
    Scoped& operator=(const Scoped&) = delete;

    // Null outside every scope.
    static C* current() { return current_; }
    // What is current after the scope.
    C* outer() const { return outer_; }
    // Makes `context` the current one in its place. REQUIRES: this is the
    // innermost scope.
    void Change(C* context) { current_ = context; }

   private:
    static inline constinit thread_local C* current_ = nullptr;
    C* const outer_;
  };
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_LEGACY_SUPPORT_H_
