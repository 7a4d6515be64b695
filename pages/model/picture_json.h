// The JSON of pictures and of their states, which the pages of a browser read.
//
// Objects have the members of the structs in graph_picture.h, by the same
// names; the kind of a remark is "error", "warning" or "lint". Only what is
// not as in a new struct is written: a page of 1,000 nodes is sent and read in
// less time that way, and a reader takes what is absent for "", 0, -1, false or
// [] as the struct has it. Elements of lists are always there, so that
// positions hold.
//
// The texts are valid JSON in ASCII, whatever names hold: bytes that are no
// UTF-8 become U+FFFD, and all else comes back as it was. The characters < > &
// are escaped, so that nothing in a name ends the script of an HTML page that
// holds the text.
//
// Thread rule: free functions.
// Tested by picture_json_test.

#ifndef SYNCLINE_PAGES_MODEL_PICTURE_JSON_H_
#define SYNCLINE_PAGES_MODEL_PICTURE_JSON_H_

#include <string>

#include "nlohmann/json.hpp"
#include "pages/model/graph_picture.h"
#include "pages/model/json_writer.h"

namespace syncline {

// As a value, for who sends more beside it.
nlohmann::ordered_json JsonValue(const GraphPicture& picture);
// The same for a state, into a text that goes on.
void WriteState(const PictureState& state, JsonWriter* json);

// In one line, without its end.
std::string ToJson(const GraphPicture& picture);
std::string ToJson(const PictureState& state);
// Of any value.
std::string JsonText(const nlohmann::ordered_json& value);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_MODEL_PICTURE_JSON_H_
