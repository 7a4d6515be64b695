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
// ERRORS. Every function returns a code, and whatever a caller does wrong with
// arguments, handles and their order is such a code: a null pointer, a handle
// that was freed, one of another kind, a packet of the wrong type. Nothing ends
// the process. syncline_error_message() says more. What a function is to give
// back through a pointer is 0 after an error.
//
// HANDLES. Graphs, pollers and packets are handles: numbers in the guise of
// pointers, never used twice, so one that was freed is known as such. Each
// belongs to who called the function that gave it, and is given back with the
// function of its name that ends with _free. Freeing 0 does nothing. The order
// of freeing is free: a poller without its graph is at its end.
//
// TYPES OF VALUES. A value travels as bytes and the name of its type:
//
//   "string"                      the bytes
//   "bool"                        one byte, 0 or 1
//   "char"                        one byte
//   "int", "unsigned int"         4 bytes, as the machine has them
//   "int64_t", "uint64_t"         8 bytes, the same
//   "float", "double"             4 and 8 bytes, the same
//   "::std::vector<T>"            the values of T one after the other, for
//                                 T = char, int, int64_t, float and double
//   "my_project.Message"          the message, serialized
//   what SYNCLINE_REGISTER_TYPE   what its functions make of it
//     names, with two functions
//
// Messages are those that some calculator of the program has in a packet.
//
// Thread rule: every function may be called on any thread at any time, also
// from observers, except that what waits for a graph refuses to wait for the
// call that it is in. A graph may be freed while others use it: their calls
// come back first. The error message belongs to the calling thread.
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

// Timestamps are numbers, most often microseconds. These are special.
#define SYNCLINE_TIMESTAMP_UNSET INT64_MIN
#define SYNCLINE_TIMESTAMP_PRE_STREAM (INT64_MIN + 2)
#define SYNCLINE_TIMESTAMP_MIN (INT64_MIN + 3)
#define SYNCLINE_TIMESTAMP_MAX (INT64_MAX - 3)
#define SYNCLINE_TIMESTAMP_POST_STREAM (INT64_MAX - 2)

// --- The library

// What this thread's last call that failed had to say, "" if none did. The text
// belongs to the library and is good until the thread's next call that fails.
SYNCLINE_API const char* syncline_error_message(void);

// "INVALID_ARGUMENT" and so on; "UNKNOWN" for what is no code. Lives forever.
SYNCLINE_API const char* syncline_code_name(syncline_code code);

// SYNCLINE_VERSION_STRING of the library, to compare with the header's.
SYNCLINE_API const char* syncline_version(void);

// Opens a shared library with calculators, for good. Loading it again is no
// error.
SYNCLINE_API syncline_code syncline_load_plugin(const char* path);

// --- Packets: a value, which never changes, and a timestamp

// A packet of a value that is read from the bytes, which are not needed any
// more afterwards. NOT_FOUND: no such type; UNIMPLEMENTED: one that has no
// bytes; INVALID_ARGUMENT: not the bytes of such a value.
SYNCLINE_API syncline_code syncline_packet_create(const char* type,
                                                  const void* bytes,
                                                  size_t size,
                                                  int64_t timestamp,
                                                  syncline_packet* packet);
// Another handle of the same packet, as for an observer that keeps it.
SYNCLINE_API syncline_code syncline_packet_copy(syncline_packet packet,
                                                syncline_packet* copy);
SYNCLINE_API syncline_code syncline_packet_free(syncline_packet packet);

SYNCLINE_API syncline_code syncline_packet_timestamp(syncline_packet packet,
                                                     int64_t* timestamp);
// The name of the type, "" for a packet without a value. Good as long as the
// handle, like the bytes.
SYNCLINE_API syncline_code syncline_packet_type(syncline_packet packet,
                                                const char** type);
// The value, none for a packet without one. They are made at the first call and
// kept. UNIMPLEMENTED: a type that has no bytes.
SYNCLINE_API syncline_code syncline_packet_bytes(syncline_packet packet,
                                                 const void** bytes,
                                                 size_t* size);

// --- Graphs: made once, then any number of runs, one after the other

// From Protobuf text of `size` bytes, or SIZE_MAX for text that ends with a
// zero byte. `name` stands for the file in errors, and may be null.
SYNCLINE_API syncline_code syncline_graph_create_from_text(
    const char* text, size_t size, const char* name, syncline_graph* graph);
// From the bytes of a serialized CalculatorGraphConfig.
SYNCLINE_API syncline_code syncline_graph_create_from_binary(
    const void* bytes, size_t size, const char* name, syncline_graph* graph);
// From a file of either kind.
SYNCLINE_API syncline_code
syncline_graph_create_from_file(const char* path, syncline_graph* graph);
// Cancels a run, and waits until it and all calls for the graph are over.
// FAILED_PRECONDITION from an observer of the graph.
SYNCLINE_API syncline_code syncline_graph_free(syncline_graph graph);

// Before a run. Packets stay the caller's.

// For all runs that follow; null for `packet` takes it back.
SYNCLINE_API syncline_code syncline_graph_set_side_packet(
    syncline_graph graph, const char* name, syncline_packet packet);

// Gets the packets of a stream, one at a time and in order, on threads of the
// graph. The packet is the graph's and good during the call. Anything but
// SYNCLINE_OK ends the run with that code.
typedef syncline_code (*syncline_observer)(void* user_data,
                                           syncline_packet packet);
// For all runs that follow. `user_data` must live until the graph is freed.
SYNCLINE_API syncline_code syncline_graph_observe(syncline_graph graph,
                                                  const char* stream,
                                                  syncline_observer observer,
                                                  void* user_data);
// A queue of the stream's packets. While it holds `max_queue_size` of them, the
// sources behind it pause; -1 for no limit.
SYNCLINE_API syncline_code syncline_graph_add_poller(syncline_graph graph,
                                                     const char* stream,
                                                     int max_queue_size,
                                                     syncline_poller* poller);

SYNCLINE_API syncline_code syncline_graph_start(syncline_graph graph);

// During a run.

// Waits while the queues behind the input are full. A packet whose timestamp
// goes back ends the run, unless bad_timestamps of the graph's graph_input_info
// says otherwise.
SYNCLINE_API syncline_code syncline_graph_add_packet(syncline_graph graph,
                                                     const char* stream,
                                                     syncline_packet packet);
// The same for a value of bytes. Null for `type`: what the stream carries.
SYNCLINE_API syncline_code syncline_graph_add_bytes(
    syncline_graph graph, const char* stream, const char* type,
    const void* bytes, size_t size, int64_t timestamp);
// Promises that no packet below `timestamp` comes.
SYNCLINE_API syncline_code syncline_graph_set_timestamp_bound(
    syncline_graph graph, const char* stream, int64_t timestamp);
SYNCLINE_API syncline_code syncline_graph_close_input(syncline_graph graph,
                                                      const char* stream);
SYNCLINE_API syncline_code
syncline_graph_close_all_inputs(syncline_graph graph);

// Waits until what was added is processed; returns the errors so far.
SYNCLINE_API syncline_code syncline_graph_wait_until_idle(syncline_graph graph);
// Waits for the end of the run, and returns its status: sources have ended and
// inputs are closed, an error, or syncline_graph_cancel.
SYNCLINE_API syncline_code syncline_graph_wait_until_done(syncline_graph graph);
// Ends the run with SYNCLINE_CANCELLED, without waiting.
SYNCLINE_API syncline_code syncline_graph_cancel(syncline_graph graph);

// NOT_FOUND: no such side packet. UNAVAILABLE: not there yet.
SYNCLINE_API syncline_code syncline_graph_output_side_packet(
    syncline_graph graph, const char* name, syncline_packet* packet);
// Who waits for what, as a packet of type "string".
SYNCLINE_API syncline_code syncline_graph_explain(syncline_graph graph,
                                                  syncline_packet* text);

// --- Pollers

// The next packet, waited for at most so many microseconds; without an end if
// negative. DEADLINE_EXCEEDED: none came. OUT_OF_RANGE: the stream has ended,
// or the run has, or the graph was freed.
SYNCLINE_API syncline_code syncline_poller_next(syncline_poller poller,
                                                int64_t timeout_microseconds,
                                                syncline_packet* packet);
SYNCLINE_API syncline_code syncline_poller_free(syncline_poller poller);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SYNCLINE_FRAMEWORK_C_SYNCLINE_H_
