// Links the framework's own options into every binary that reads graphs.
//
// A static library whose code nobody calls is left out by the linker, and with
// it the names of its protos: a text graph could then not be read, and a binary
// one would keep its options as unknown fields. Options of calculators come
// with their calculators; those of the framework have to come with the reader.
//
// Thread rule: any thread.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_CONFIG_TYPES_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_CONFIG_TYPES_H_

namespace syncline {

// Does nothing. Calling it anywhere in a library is enough.
void LinkConfigTypes();

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_CONFIG_TYPES_H_
