// JsonWriter: writes JSON as it goes, for texts that are made many times a
// second. A tree of values costs several allocations for each of them, which is
// most of the time that such a text takes.
//
//   JsonWriter json;
//   json.BeginObject();
//   json.Key("name").String(name);
//   json.Key("counts").BeginArray();
//   for (const int count : counts) json.Int(count);
//   json.EndArray();
//   json.EndObject();
//   Send(std::move(json).Text());
//
// The text is in ASCII, and strings are escaped as those of picture_json.h.
//
// Thread rule: belongs to one thread.
// Tested by json_writer_test.

#ifndef SYNCLINE_PAGES_MODEL_JSON_WRITER_H_
#define SYNCLINE_PAGES_MODEL_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace syncline {

class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Begin('{'); }
  JsonWriter& EndObject() { return End('}'); }
  JsonWriter& BeginArray() { return Begin('['); }
  JsonWriter& EndArray() { return End(']'); }

  // The member that is written next. `name` needs no escapes.
  JsonWriter& Key(absl::string_view name);

  JsonWriter& String(absl::string_view text);
  JsonWriter& Int(std::int64_t number);
  // With three digits behind the point; what is no number becomes null.
  JsonWriter& Number(double number);
  JsonWriter& Bool(bool value);
  JsonWriter& Null();

  // REQUIRES: what was begun was ended.
  std::string Text() && { return std::move(text_); }

 private:
  JsonWriter& Begin(char bracket);
  JsonWriter& End(char bracket);
  // A comma, where something stands before it.
  void BeginValue();

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_MODEL_JSON_WRITER_H_
