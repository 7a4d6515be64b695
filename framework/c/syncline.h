// The C interface of Syncline, for bindings and for programs in C: graphs from
// text, packets of bytes in and out.
//
//   syncline_graph graph;
//   syncline_poller poller;
//   syncline_packet packet;
//   if (syncline_graph_create_from_file("a.pbtxt", &graph) != SYNCLINE_OK ||
//       syncline_graph_add_poller(graph, "out", -1, &poller) != SYNCLINE_OK ||
//       syncline_graph_start(graph) != SYNCLINE_OK ||
//       syncline_graph_add_bytes(graph, "in", "string", "ab", 2, 0) !=
//           SYNCLINE_OK ||
//       syncline_graph_close_all_inputs(graph) != SYNCLINE_OK) {
//     fprintf(stderr, "%s\n", syncline_error_message());
//   }
//   while (syncline_poller_next(poller, -1, &packet) == SYNCLINE_OK) {
//     ... syncline_packet_bytes(packet, &data, &size) ...
//     syncline_packet_free(packet);
//   }
//   syncline_graph_wait_until_done(graph);
//   syncline_poller_free(poller);
//   syncline_graph_free(graph);
//
// ERRORS. Every function returns a code. Every mistake of a caller gives such a
// code: a null pointer, a handle that was freed, a handle of another kind, a
// packet of the wrong type, a call at the wrong time. No mistake ends the
// process. syncline_error_message() says more. After an error, the result that
// a function writes through a pointer is 0.
//
// HANDLES. Graphs, pollers and packets are handles: numbers that have the type
// of pointers. A number is never used twice, so a handle that was freed is
// recognised. The caller owns each handle that a function returns, and frees it
// with syncline_graph_free, syncline_poller_free or syncline_packet_free.
// Freeing 0 does nothing. Handles may be freed in any order: a poller whose
// graph was freed is at the end of its stream.
//
// TYPES OF VALUES. A value travels as bytes and the name of its type:
//
//   "string"                      the bytes
//   "bool"                        one byte, 0 or 1
//   "char"                        one byte
//   "int", "unsigned int"         4 bytes, in the byte order of the machine
//   "int64_t", "uint64_t"         8 bytes, the same
//   "float", "double"             4 and 8 bytes, the same
//   "::std::vector<T>"            the values of T one after the other, for
//                                 T = char, int, int64_t, float and double
//   "my_project.Message"          the message, serialized
//   a type registered by          the bytes that these functions make
//     SYNCLINE_REGISTER_TYPE,
//     with functions to and from
//     bytes
//
// A message can be used if some calculator of the program has its type in a
// packet.
//
// Thread rule: every function may be called on any thread at any time, also
// from observers. But a function that waits for a graph returns an error in an
// observer of that graph, since it would wait for itself. A graph may be freed
// while other threads use it: the free function waits until their calls have
// returned. The error message belongs to the calling thread.
// Tested by c_interface_test (C) and, from Python, by tools/install.

#ifndef SYNCLINE_FRAMEWORK_C_SYNCLINE_H_
#define SYNCLINE_FRAMEWORK_C_SYNCLINE_H_

#include <stddef.h>
#include <stdint.h>

#include "framework/base/version.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SYNCLINE_API __attribute__((visibility("default")))

typedef struct syncline_graph_handle* syncline_graph;
typedef struct syncline_poller_handle* syncline_poller;
typedef struct syncline_packet_handle* syncline_packet;

typedef enum syncline_code {
  SYNCLINE_OK = 0,
  SYNCLINE_CANCELLED = 1,
  SYNCLINE_UNKNOWN = 2,
  SYNCLINE_INVALID_ARGUMENT = 3,
  SYNCLINE_DEADLINE_EXCEEDED = 4,
  SYNCLINE_NOT_FOUND = 5,
  SYNCLINE_ALREADY_EXISTS = 6,
  SYNCLINE_PERMISSION_DENIED = 7,
  SYNCLINE_RESOURCE_EXHAUSTED = 8,
  SYNCLINE_FAILED_PRECONDITION = 9,
  SYNCLINE_ABORTED = 10,
  SYNCLINE_OUT_OF_RANGE = 11,
  SYNCLINE_UNIMPLEMENTED = 12,
  SYNCLINE_INTERNAL = 13,
  SYNCLINE_UNAVAILABLE = 14,
  SYNCLINE_DATA_LOSS = 15,
  SYNCLINE_UNAUTHENTICATED = 16
} syncline_code;

// Timestamps are numbers, by convention in microseconds. These have a special
// meaning.
#define SYNCLINE_TIMESTAMP_UNSET INT64_MIN
#define SYNCLINE_TIMESTAMP_PRE_STREAM (INT64_MIN + 2)
#define SYNCLINE_TIMESTAMP_MIN (INT64_MIN + 3)
#define SYNCLINE_TIMESTAMP_MAX (INT64_MAX - 3)
#define SYNCLINE_TIMESTAMP_POST_STREAM (INT64_MAX - 2)

// --- The library

// The message of this thread's last call that failed; "" if no call failed. The
// text belongs to the library and is valid until the next call of this thread
// that fails.
SYNCLINE_API const char* syncline_error_message(void);

// The name of a code, such as "INVALID_ARGUMENT"; "UNKNOWN" for a number that
// is not a code. The text is valid for ever.
SYNCLINE_API const char* syncline_code_name(syncline_code code);

// The SYNCLINE_VERSION_STRING of the library, to compare with that of the
// header.
SYNCLINE_API const char* syncline_version(void);

// Loads a shared library with calculators. It cannot be unloaded. Loading it
// again is no error.
SYNCLINE_API syncline_code syncline_load_plugin(const char* path);

// --- Packets: a value, which never changes, and a timestamp

// Makes a packet of a value, which is read from bytes. The bytes are not needed
// afterwards. NOT_FOUND: there is no such type. UNIMPLEMENTED: the type cannot
// be read from bytes. INVALID_ARGUMENT: the bytes are not a value of the type.
SYNCLINE_API syncline_code syncline_packet_create(const char* type,
                                                  const void* bytes,
                                                  size_t size,
                                                  int64_t timestamp,
                                                  syncline_packet* packet);
// Another handle of the same packet, for example for an observer that keeps the
// packet.
SYNCLINE_API syncline_code syncline_packet_copy(syncline_packet packet,
                                                syncline_packet* copy);
SYNCLINE_API syncline_code syncline_packet_free(syncline_packet packet);

SYNCLINE_API syncline_code syncline_packet_timestamp(syncline_packet packet,
                                                     int64_t* timestamp);
// The name of the value's type; "" for a packet without a value. The text and
// the bytes are valid as long as the handle.
SYNCLINE_API syncline_code syncline_packet_type(syncline_packet packet,
                                                const char** type);
// The bytes of the value; none for a packet without a value. They are made at
// the first call and kept. UNIMPLEMENTED: the type cannot be written as bytes.
SYNCLINE_API syncline_code syncline_packet_bytes(syncline_packet packet,
                                                 const void** bytes,
                                                 size_t* size);

// --- Graphs: made once, then any number of runs, one after the other

// From Protobuf text of `size` bytes, or SIZE_MAX for text that ends with a
// zero byte. Errors give `name` as the name of the file; it may be null.
SYNCLINE_API syncline_code syncline_graph_create_from_text(
    const char* text, size_t size, const char* name, syncline_graph* graph);
// From the bytes of a serialized CalculatorGraphConfig.
SYNCLINE_API syncline_code syncline_graph_create_from_binary(
    const void* bytes, size_t size, const char* name, syncline_graph* graph);
// From a file of either kind.
SYNCLINE_API syncline_code
syncline_graph_create_from_file(const char* path, syncline_graph* graph);
// Cancels the run, waits until the run and all calls that use the graph are
// over, and frees the graph. FAILED_PRECONDITION in an observer of the graph.
SYNCLINE_API syncline_code syncline_graph_free(syncline_graph graph);

// The next functions are for before a run. The caller keeps the packets that it
// gives.

// Sets a side packet for all runs that follow. Null for `packet` removes it.
SYNCLINE_API syncline_code syncline_graph_set_side_packet(
    syncline_graph graph, const char* name, syncline_packet packet);

// Gets the packets of a stream, one at a time and in order, on threads of the
// graph. The graph owns the packet, which is valid during the call. If the
// function returns another code than SYNCLINE_OK, the run ends with that code.
typedef syncline_code (*syncline_observer)(void* user_data,
                                           syncline_packet packet);
// Observes a stream in all runs that follow. `user_data` must exist until the
// graph is freed.
SYNCLINE_API syncline_code syncline_graph_observe(syncline_graph graph,
                                                  const char* stream,
                                                  syncline_observer observer,
                                                  void* user_data);
// Makes a queue of the stream's packets. While it holds `max_queue_size`
// packets, the sources upstream wait; -1 means no limit.
SYNCLINE_API syncline_code syncline_graph_add_poller(syncline_graph graph,
                                                     const char* stream,
                                                     int max_queue_size,
                                                     syncline_poller* poller);

SYNCLINE_API syncline_code syncline_graph_start(syncline_graph graph);

// The next functions are for during a run.

// Adds a packet to an input. It waits while a queue behind the input is full. A
// packet whose timestamp is too low ends the run, unless bad_timestamps of the
// graph's graph_input_info says otherwise.
SYNCLINE_API syncline_code syncline_graph_add_packet(syncline_graph graph,
                                                     const char* stream,
                                                     syncline_packet packet);
// The same for a value of bytes. Null for `type` means the type that the stream
// carries.
SYNCLINE_API syncline_code syncline_graph_add_bytes(
    syncline_graph graph, const char* stream, const char* type,
    const void* bytes, size_t size, int64_t timestamp);
// Promises that the input gets no packet below `timestamp`.
SYNCLINE_API syncline_code syncline_graph_set_timestamp_bound(
    syncline_graph graph, const char* stream, int64_t timestamp);
SYNCLINE_API syncline_code syncline_graph_close_input(syncline_graph graph,
                                                      const char* stream);
SYNCLINE_API syncline_code
syncline_graph_close_all_inputs(syncline_graph graph);

// Waits until all packets that were added are processed. Returns the errors so
// far.
SYNCLINE_API syncline_code syncline_graph_wait_until_idle(syncline_graph graph);
// Waits for the end of the run and returns its status. A run ends when sources
// have ended and inputs are closed, by an error, or by syncline_graph_cancel.
SYNCLINE_API syncline_code syncline_graph_wait_until_done(syncline_graph graph);
// Ends the run with SYNCLINE_CANCELLED, without waiting.
SYNCLINE_API syncline_code syncline_graph_cancel(syncline_graph graph);

// NOT_FOUND: there is no such side packet. UNAVAILABLE: it is not set yet.
SYNCLINE_API syncline_code syncline_graph_output_side_packet(
    syncline_graph graph, const char* name, syncline_packet* packet);
// A text that says which node waits for what, as a packet of type "string".
SYNCLINE_API syncline_code syncline_graph_explain(syncline_graph graph,
                                                  syncline_packet* text);

// --- Pollers

// Waits for the next packet, for at most so many microseconds; for ever if
// negative. DEADLINE_EXCEEDED: no packet came in time. OUT_OF_RANGE: the stream
// has ended, the run has ended, or the graph was freed.
SYNCLINE_API syncline_code syncline_poller_next(syncline_poller poller,
                                                int64_t timeout_microseconds,
                                                syncline_packet* packet);
SYNCLINE_API syncline_code syncline_poller_free(syncline_poller poller);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SYNCLINE_FRAMEWORK_C_SYNCLINE_H_
