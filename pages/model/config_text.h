// Fields of a graph's config, as text for people: the options of a node, and
// what else a node or graph says.
//
// Texts that are very long are cut, since a picture is not the place to read
// them: each says how much is left out.
//
// Thread rule: pure functions.
// Tested by config_text_test.

#ifndef SYNCLINE_PAGES_MODEL_CONFIG_TEXT_H_
#define SYNCLINE_PAGES_MODEL_CONFIG_TEXT_H_

#include <string>
#include <vector>

#include "framework/config/calculator.pb.h"
#include "google/protobuf/message.h"
#include "pages/model/graph_picture.h"

namespace syncline {

// In the text form of Protobuf, in lines; Anys of known types are written out.
std::string ConfigText(const google::protobuf::Message& message);

// `options` and `node_options` of a node, as a config has them.
std::string OptionsText(const CalculatorGraphConfig::Node& node);

// All other fields but names, ports, conditions and the executor, each with its
// name, in which blanks stand for "_".
std::vector<PictureSetting> NodeSettings(
    const CalculatorGraphConfig::Node& node);
// The same for the fields of a graph but nodes, ports and executors.
std::vector<PictureSetting> GraphSettings(const CalculatorGraphConfig& config);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_MODEL_CONFIG_TEXT_H_
