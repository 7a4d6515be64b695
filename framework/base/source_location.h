// source_location: a file name and a line, as error texts give them.
//
// SYNCLINE_LOC is the place where it is written. A function that wants its
// caller's place takes a `source_location` parameter with the default
// source_location::current().
//
// Thread rule: values.
// Tested by source_location_test and status_builder_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_SOURCE_LOCATION_H_
#define SYNCLINE_FRAMEWORK_BASE_SOURCE_LOCATION_H_

#include <cstdint>
#include <string>

#define SYNCLINE_LOC ::syncline::source_location::current(__FILE__, __LINE__)

namespace syncline {

class source_location {
 public:
  constexpr source_location() = default;

  // Without arguments: where the call stands. `file` must live forever, as
  // __FILE__ does.
  static constexpr source_location current(
      const char* file = __builtin_FILE(),
      std::uint_least32_t line = __builtin_LINE()) {
    return source_location(file, line);
  }
  // The name and order of arguments that older code uses.
  static constexpr source_location DoNotInvokeDirectly(std::uint_least32_t line,
                                                       const char* file) {
    return source_location(file, line);
  }

  constexpr const char* file_name() const { return file_; }
  constexpr std::uint_least32_t line() const { return line_; }

  // "file:line".
  std::string ToString() const {
    return std::string(file_) + ":" + std::to_string(line_);
  }

 private:
  constexpr source_location(const char* file, std::uint_least32_t line)
      : file_(file), line_(line) {}

  const char* file_ = "<unknown>";
  std::uint_least32_t line_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_SOURCE_LOCATION_H_
