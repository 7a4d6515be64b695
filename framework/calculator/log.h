// SYNCLINE_LOG: lines in the log that say which node wrote them.
//
//   SYNCLINE_LOG(INFO) << "opened " << path;
//   SYNCLINE_LOG(DEBUG) << "kept " << kept << " of " << found;
//   SYNCLINE_LOG_IF(WARNING, late) << "the frame is late";
//   SYNCLINE_LOG_EVERY_N(VERBOSE, 100) << "still here";
//   if (SYNCLINE_LOG_IS_ON(VERBOSE)) SYNCLINE_LOG(VERBOSE) << Table(values);
//
// Levels: PANIC 0, ERROR 1, WARNING 2, INFO 3, DEBUG 4, VERBOSE 5. Lines go to
// glog, DEBUG and VERBOSE as information, with file and line, and, from inside
// a calculator's call or its GetContract, with the node as errors name it:
//
//   I1122 20:15:03.123456 4711 detect.cc:42] DEBUG "detector" (Detect): kept 3
//
// log_levels.h decides at run time which levels a node writes. Which levels a
// file contains at all is decided when it is compiled:
//
//   #define SYNCLINE_LOG_ACTIVE_LEVEL 3    // before the include, in one file,
//   copts = ["-DSYNCLINE_LOG_ACTIVE_LEVEL=3"]           // or in a whole target
//
// leaves out DEBUG and VERBOSE: such statements are checked by the compiler,
// become no code, and evaluate nothing. Without it everything is compiled in.
//
// PANIC is for a state in which the program must not continue. In a call of a
// calculator its text becomes the error of the run, and the call ends at once;
// elsewhere the process ends (base/misuse.h). This level is always on.
//
// Thread rule: any thread.
// Tested by log_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_LOG_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_LOG_H_

#include <atomic>
#include <ios>
#include <ostream>
#include <sstream>

#include "framework/base/log_levels.h"

namespace syncline::log_internal {

// Whether this thread's node, or what else it is in, writes such lines.
bool IsOn(int level, const char* file);

// The text of one statement while it is put together.
class Line {
 public:
  Line(const char* file, int line, int level)
      : file_(file), line_(line), level_(level) {}

  template <typename T>
  Line& operator<<(const T& value) {
    text_ << value;
    return *this;
  }
  // std::endl and its like, and std::hex and its like.
  Line& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    text_ << manipulator;
    return *this;
  }
  Line& operator<<(std::ios_base& (*manipulator)(std::ios_base&)) {
    text_ << manipulator;
    return *this;
  }

  void Write() const;
  [[noreturn]] void Panic() const;

 private:
  const char* const file_;
  const int line_;
  const int level_;
  std::ostringstream text_;
};

// Takes the line when all of it is there: `&` binds weaker than `<<`. No
// destructor does it, as a panic throws.
template <int level>
struct Taker {
  void operator&(const Line& line) const { line.Write(); }
};
template <>
struct Taker<0> {
  [[noreturn]] void operator&(const Line& line) const { line.Panic(); }
};

}  // namespace syncline::log_internal

#ifndef SYNCLINE_LOG_ACTIVE_LEVEL
#define SYNCLINE_LOG_ACTIVE_LEVEL 5
#endif

#define SYNCLINE_LOG_LEVEL_PANIC 0
#define SYNCLINE_LOG_LEVEL_ERROR 1
#define SYNCLINE_LOG_LEVEL_WARNING 2
#define SYNCLINE_LOG_LEVEL_INFO 3
#define SYNCLINE_LOG_LEVEL_DEBUG 4
#define SYNCLINE_LOG_LEVEL_VERBOSE 5

// Levels are pasted to other letters at once, so that a macro of the name DEBUG
// does no harm.
#define SYNCLINE_LOG(level) \
  SYNCLINE_LOG_WHERE_(SYNCLINE_LOG_LEVEL_##level, SYNCLINE_LOG_ON_##level##_)

#define SYNCLINE_LOG_IF(level, condition)         \
  SYNCLINE_LOG_WHERE_(SYNCLINE_LOG_LEVEL_##level, \
                      SYNCLINE_LOG_ON_##level##_ && (condition))

// The first of the lines that would be written here, and each `n`th after it.
#define SYNCLINE_LOG_EVERY_N(level, n) \
  SYNCLINE_LOG_WHERE_(                 \
      SYNCLINE_LOG_LEVEL_##level,      \
      SYNCLINE_LOG_ON_##level##_&& SYNCLINE_LOG_COUNT_() % (n) == 0)

// The first `n` of the lines that would be written here.
#define SYNCLINE_LOG_FIRST_N(level, n) \
  SYNCLINE_LOG_WHERE_(                 \
      SYNCLINE_LOG_LEVEL_##level,      \
      SYNCLINE_LOG_ON_##level##_&& SYNCLINE_LOG_COUNT_() < (n))

// Whether a line of this level would be written here and now.
#define SYNCLINE_LOG_IS_ON(level) (SYNCLINE_LOG_ON_##level##_)

#define SYNCLINE_LOG_ON_PANIC_ true
#define SYNCLINE_LOG_ON_ERROR_ SYNCLINE_LOG_ON_AT_(SYNCLINE_LOG_LEVEL_ERROR)
#define SYNCLINE_LOG_ON_WARNING_ SYNCLINE_LOG_ON_AT_(SYNCLINE_LOG_LEVEL_WARNING)
#define SYNCLINE_LOG_ON_INFO_ SYNCLINE_LOG_ON_AT_(SYNCLINE_LOG_LEVEL_INFO)
#define SYNCLINE_LOG_ON_DEBUG_ SYNCLINE_LOG_ON_AT_(SYNCLINE_LOG_LEVEL_DEBUG)
#define SYNCLINE_LOG_ON_VERBOSE_ SYNCLINE_LOG_ON_AT_(SYNCLINE_LOG_LEVEL_VERBOSE)

#define SYNCLINE_LOG_ON_AT_(number)                          \
  ((number) <= (SYNCLINE_LOG_ACTIVE_LEVEL) &&                \
   (number) <= ::syncline::log_internal::highest_level.load( \
                   ::std::memory_order_relaxed) &&           \
   ::syncline::log_internal::IsOn(number, __FILE__))

// How often the place where it stands was reached before.
#define SYNCLINE_LOG_COUNT_()                               \
  [] {                                                      \
    static ::std::atomic<unsigned> count{0};                \
    return count.fetch_add(1, ::std::memory_order_relaxed); \
  }()

#define SYNCLINE_LOG_WHERE_(number, condition)      \
  !(condition)                                      \
      ? static_cast<void>(0)                        \
      : ::syncline::log_internal::Taker<number>() & \
            ::syncline::log_internal::Line(__FILE__, __LINE__, number)

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_LOG_H_
