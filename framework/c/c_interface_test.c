// The C interface, from C: graphs, packets of bytes, and every mistake that a
// caller can make.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "framework/c/syncline.h"

static int failures = 0;

static void Expect(int condition, const char* what, int line) {
  if (condition) return;
  fprintf(stderr, "%s:%d: failed: %s\n  last error: %s\n", __FILE__, line, what,
          syncline_error_message());
  ++failures;
}

#define EXPECT(condition) Expect(condition, #condition, __LINE__)
#define EXPECT_OK(call) EXPECT((call) == SYNCLINE_OK)
// Expects the code, and a part of the error message.
#define EXPECT_ERROR(call, code, text) \
  EXPECT((call) == (code) && strstr(syncline_error_message(), text) != NULL)

static const char kGraph[] =
    "input_stream: \"in\" input_stream: \"number\" "
    "output_stream: \"out\" output_stream: \"number_out\" "
    "input_side_packet: \"side\" "
    "graph_input_info { stream: \"in\" bad_timestamps: REJECT } "
    "node { calculator: \"PassThroughCalculator\" "
    "  input_stream: \"in\" output_stream: \"out\" "
    "  input_side_packet: \"side\" output_side_packet: \"side_out\" } "
    "node { calculator: \"PassThroughCalculator\" "
    "  input_stream: \"number\" output_stream: \"number_out\" }";

static syncline_graph NewGraph(void) {
  syncline_graph graph;
  syncline_packet side;
  EXPECT_OK(syncline_graph_create_from_text(kGraph, SIZE_MAX, "test", &graph));
  EXPECT_OK(syncline_packet_create("string", "side value", 10,
                                   SYNCLINE_TIMESTAMP_UNSET, &side));
  EXPECT_OK(syncline_graph_set_side_packet(graph, "side", side));
  EXPECT_OK(syncline_packet_free(side));
  return graph;
}

static int Holds(syncline_packet packet, const char* type, const void* bytes,
                 size_t size, int64_t timestamp) {
  const char* actual_type;
  const void* actual_bytes;
  size_t actual_size;
  int64_t actual_timestamp;
  return syncline_packet_type(packet, &actual_type) == SYNCLINE_OK &&
         syncline_packet_bytes(packet, &actual_bytes, &actual_size) ==
             SYNCLINE_OK &&
         syncline_packet_timestamp(packet, &actual_timestamp) == SYNCLINE_OK &&
         strcmp(actual_type, type) == 0 && actual_size == size &&
         memcmp(actual_bytes, bytes, size) == 0 &&
         actual_timestamp == timestamp;
}

// Packets go through a graph that was made of text.
static void PacketsOfBytesGoThroughAGraph(void) {
  syncline_graph graph = NewGraph();
  syncline_poller poller, numbers;
  syncline_packet packet;
  const int32_t seven = 7;
  EXPECT_OK(syncline_graph_add_poller(graph, "out", -1, &poller));
  EXPECT_OK(syncline_graph_add_poller(graph, "number_out", 10, &numbers));
  EXPECT_OK(syncline_graph_start(graph));
  EXPECT_OK(syncline_graph_add_bytes(graph, "in", "string", "a\0b", 3, 10));
  EXPECT_OK(syncline_packet_create("int", &seven, 4, 11, &packet));
  EXPECT_OK(syncline_graph_add_packet(graph, "number", packet));
  EXPECT_OK(syncline_packet_free(packet));

  EXPECT_OK(syncline_poller_next(poller, -1, &packet));
  EXPECT(Holds(packet, "string", "a\0b", 3, 10));
  EXPECT_OK(syncline_packet_free(packet));
  EXPECT_OK(syncline_poller_next(numbers, 10000000, &packet));
  EXPECT(Holds(packet, "int", &seven, 4, 11));
  EXPECT_OK(syncline_packet_free(packet));

  EXPECT_ERROR(syncline_poller_next(poller, 1000, &packet),
               SYNCLINE_DEADLINE_EXCEEDED, "1000 microseconds");
  EXPECT(packet == NULL);

  EXPECT_OK(syncline_graph_wait_until_idle(graph));
  EXPECT_OK(syncline_graph_set_timestamp_bound(graph, "in", 20));
  EXPECT_ERROR(syncline_graph_add_bytes(graph, "in", "string", "", 0, 15),
               SYNCLINE_INVALID_ARGUMENT, "15");
  EXPECT_OK(syncline_graph_close_input(graph, "in"));
  EXPECT_ERROR(syncline_poller_next(poller, -1, &packet), SYNCLINE_OUT_OF_RANGE,
               "ended");
  EXPECT_OK(syncline_graph_output_side_packet(graph, "side_out", &packet));
  EXPECT(Holds(packet, "string", "side value", 10, SYNCLINE_TIMESTAMP_UNSET));
  EXPECT_OK(syncline_packet_free(packet));
  EXPECT_OK(syncline_graph_close_all_inputs(graph));
  EXPECT_OK(syncline_graph_wait_until_done(graph));
  EXPECT_OK(syncline_poller_free(poller));
  EXPECT_OK(syncline_poller_free(numbers));
  EXPECT_OK(syncline_graph_free(graph));
}

struct Seen {
  syncline_graph graph;
  syncline_packet kept;
  int count;
  syncline_code answer;
};

static syncline_code Observe(void* user_data, syncline_packet packet) {
  struct Seen* seen = user_data;
  ++seen->count;
  if (seen->kept == NULL) EXPECT_OK(syncline_packet_copy(packet, &seen->kept));
  EXPECT_ERROR(syncline_graph_free(seen->graph), SYNCLINE_FAILED_PRECONDITION,
               "wait for itself");
  EXPECT_ERROR(syncline_graph_wait_until_done(seen->graph),
               SYNCLINE_FAILED_PRECONDITION, "");
  return seen->answer;
}

// An observer may keep packets, and may end the run.
static void ObserversSeePackets(void) {
  struct Seen seen = {NewGraph(), NULL, 0, SYNCLINE_OK};
  EXPECT_OK(syncline_graph_observe(seen.graph, "out", Observe, &seen));
  EXPECT_OK(syncline_graph_start(seen.graph));
  EXPECT_OK(syncline_graph_add_bytes(seen.graph, "in", "string", "x", 1, 1));
  EXPECT_OK(syncline_graph_add_bytes(seen.graph, "in", "string", "y", 1, 2));
  EXPECT_OK(syncline_graph_wait_until_idle(seen.graph));
  EXPECT(seen.count == 2);
  EXPECT(Holds(seen.kept, "string", "x", 1, 1));
  seen.answer = SYNCLINE_DATA_LOSS;
  EXPECT_OK(syncline_graph_add_bytes(seen.graph, "in", "string", "z", 1, 3));
  EXPECT_ERROR(syncline_graph_wait_until_done(seen.graph), SYNCLINE_DATA_LOSS,
               "\"out\" ended the run with DATA_LOSS");
  EXPECT_OK(syncline_graph_free(seen.graph));
  // The value of a packet outlives the graph.
  EXPECT(Holds(seen.kept, "string", "x", 1, 1));
  EXPECT_OK(syncline_packet_free(seen.kept));
}

// A graph can have several runs, one after the other.
static void RunsFollowEachOther(void) {
  syncline_graph graph = NewGraph();
  for (int run = 0; run < 3; ++run) {
    EXPECT_OK(syncline_graph_start(graph));
    EXPECT_ERROR(syncline_graph_start(graph), SYNCLINE_FAILED_PRECONDITION, "");
    EXPECT_OK(syncline_graph_add_bytes(graph, "in", "string", "x", 1, 1));
    EXPECT_OK(syncline_graph_cancel(graph));
    EXPECT(syncline_graph_wait_until_done(graph) == SYNCLINE_CANCELLED);
  }
  EXPECT_OK(syncline_graph_free(graph));
}

// A graph with a mistake is an error that gives the place of the mistake.
static void BadGraphsAreErrors(void) {
  syncline_graph graph;
  EXPECT_ERROR(
      syncline_graph_create_from_text("node {", SIZE_MAX, "bad.pbtxt", &graph),
      SYNCLINE_INVALID_ARGUMENT, "bad.pbtxt:1");
  EXPECT(graph == NULL);
  EXPECT_ERROR(
      syncline_graph_create_from_text(
          "node { calculator: \"NoSuchCalculator\" }", SIZE_MAX, NULL, &graph),
      SYNCLINE_NOT_FOUND, "NoSuchCalculator");
  EXPECT_ERROR(syncline_graph_create_from_binary("\xff\xff", 2, "b", &graph),
               SYNCLINE_INVALID_ARGUMENT, "b");
  EXPECT_ERROR(syncline_graph_create_from_file("/no/such.pbtxt", &graph),
               SYNCLINE_NOT_FOUND, "/no/such.pbtxt");
  EXPECT_ERROR(syncline_graph_create_from_text(NULL, 0, NULL, &graph),
               SYNCLINE_INVALID_ARGUMENT, "\"text\"");
  EXPECT_ERROR(syncline_graph_create_from_text("", 0, NULL, NULL),
               SYNCLINE_INVALID_ARGUMENT, "\"graph\"");
  EXPECT_OK(syncline_graph_create_from_binary(NULL, 0, NULL, &graph));
  EXPECT_OK(syncline_graph_free(graph));
}

// Bytes that are not a value are an error that says what is expected.
static void BadPacketsAreErrors(void) {
  syncline_packet packet;
  EXPECT_ERROR(syncline_packet_create("int", "abc", 3, 0, &packet),
               SYNCLINE_INVALID_ARGUMENT, "4 bytes, not 3");
  EXPECT(packet == NULL);
  EXPECT_ERROR(syncline_packet_create("NoSuchType", "", 0, 0, &packet),
               SYNCLINE_NOT_FOUND, "NoSuchType");
  EXPECT_ERROR(syncline_packet_create("string", NULL, 1, 0, &packet),
               SYNCLINE_INVALID_ARGUMENT, "null");
  EXPECT_ERROR(syncline_packet_create("string", "a", SIZE_MAX, 0, &packet),
               SYNCLINE_INVALID_ARGUMENT, "so many");
  EXPECT_ERROR(syncline_packet_create(NULL, "a", 1, 0, &packet),
               SYNCLINE_INVALID_ARGUMENT, "\"type\"");
  EXPECT_ERROR(syncline_packet_create("string", "a", 1, INT64_MAX, &packet),
               SYNCLINE_INVALID_ARGUMENT, "Done");
  EXPECT_OK(syncline_packet_create("string", NULL, 0, 0, &packet));
  EXPECT(Holds(packet, "string", "", 0, 0));
  EXPECT_OK(syncline_packet_free(packet));

  syncline_graph graph = NewGraph();
  EXPECT_OK(syncline_graph_start(graph));
  EXPECT_ERROR(syncline_graph_add_bytes(graph, "in", NULL, "a", 1, 0),
               SYNCLINE_INVALID_ARGUMENT, "name one");
  EXPECT_ERROR(syncline_graph_add_bytes(graph, "no", NULL, "a", 1, 0),
               SYNCLINE_NOT_FOUND, "\"no\"");
  EXPECT_ERROR(syncline_graph_add_bytes(graph, "no", "string", "a", 1, 0),
               SYNCLINE_NOT_FOUND, "\"no\"");
  EXPECT_OK(syncline_graph_free(graph));
}

// A handle that is not valid is an error. Freeing 0 does nothing.
static void BadHandlesAreErrors(void) {
  syncline_graph graph = NewGraph();
  syncline_poller poller;
  syncline_packet packet;
  const char* type;
  EXPECT_OK(syncline_graph_free(NULL));
  EXPECT_OK(syncline_poller_free(NULL));
  EXPECT_OK(syncline_packet_free(NULL));
  EXPECT_ERROR(syncline_graph_start(NULL), SYNCLINE_INVALID_ARGUMENT,
               "the graph is 0");

  EXPECT_OK(syncline_packet_create("string", "a", 1, 0, &packet));
  EXPECT_OK(syncline_packet_free(packet));
  EXPECT_ERROR(syncline_packet_free(packet), SYNCLINE_INVALID_ARGUMENT,
               "the packet was freed before");
  EXPECT_ERROR(syncline_packet_type(packet, &type), SYNCLINE_INVALID_ARGUMENT,
               "freed before");
  EXPECT_ERROR(syncline_graph_start((syncline_graph)packet),
               SYNCLINE_INVALID_ARGUMENT, "no graph");
  EXPECT_ERROR(syncline_packet_type((syncline_packet)graph, &type),
               SYNCLINE_INVALID_ARGUMENT, "no packet");
  EXPECT_ERROR(syncline_packet_type((syncline_packet)&graph, &type),
               SYNCLINE_INVALID_ARGUMENT, "no packet");

  EXPECT_ERROR(syncline_graph_add_poller(graph, "out", 0, &poller),
               SYNCLINE_INVALID_ARGUMENT, "at least 1");
  EXPECT_ERROR(syncline_graph_add_poller(graph, "none", -1, &poller),
               SYNCLINE_NOT_FOUND, "none");
  EXPECT_ERROR(syncline_graph_observe(graph, "out", NULL, NULL),
               SYNCLINE_INVALID_ARGUMENT, "observer");
  EXPECT_OK(syncline_graph_add_poller(graph, "out", -1, &poller));
  EXPECT_OK(syncline_graph_free(graph));
  EXPECT_ERROR(syncline_graph_free(graph), SYNCLINE_INVALID_ARGUMENT,
               "the graph was freed before");
  EXPECT_ERROR(syncline_poller_next(poller, -1, &packet), SYNCLINE_OUT_OF_RANGE,
               "");
  EXPECT_OK(syncline_poller_free(poller));
  EXPECT_ERROR(syncline_poller_next(poller, 0, &packet),
               SYNCLINE_INVALID_ARGUMENT, "freed before");
}

// A side packet that the graph cannot use is an error.
static void SidePacketsAreChecked(void) {
  syncline_graph graph = NewGraph();
  syncline_packet packet;
  EXPECT_OK(syncline_packet_create("string", "a", 1, 0, &packet));
  EXPECT_OK(syncline_graph_set_side_packet(graph, "side", NULL));
  EXPECT_ERROR(syncline_graph_start(graph), SYNCLINE_INVALID_ARGUMENT,
               "\"side\"");
  EXPECT_ERROR(syncline_graph_set_side_packet(graph, "side_out", packet),
               SYNCLINE_INVALID_ARGUMENT, "\"side_out\"");
  EXPECT_OK(syncline_graph_set_side_packet(graph, "side", packet));
  EXPECT_OK(syncline_packet_free(packet));
  EXPECT_OK(syncline_graph_start(graph));
  EXPECT_ERROR(syncline_graph_output_side_packet(graph, "none", &packet),
               SYNCLINE_NOT_FOUND, "none");
  EXPECT_OK(syncline_graph_explain(graph, &packet));
  EXPECT_OK(syncline_packet_free(packet));
  EXPECT_OK(syncline_graph_free(graph));
}

static void* WaitForTheEnd(void* graph) {
  // INVALID_ARGUMENT if the graph was freed before this call.
  const syncline_code code = syncline_graph_wait_until_done(graph);
  EXPECT(code == SYNCLINE_CANCELLED || code == SYNCLINE_INVALID_ARGUMENT);
  return NULL;
}

// Freeing a graph ends the calls of other threads that use it.
static void AGraphMayBeFreedWhileOthersWaitForIt(void) {
  for (int round = 0; round < 20; ++round) {
    syncline_graph graph = NewGraph();
    pthread_t threads[3];
    EXPECT_OK(syncline_graph_start(graph));
    for (int i = 0; i < 3; ++i) {
      pthread_create(&threads[i], NULL, WaitForTheEnd, graph);
    }
    EXPECT_OK(syncline_graph_add_bytes(graph, "in", "string", "x", 1, 1));
    EXPECT_OK(syncline_graph_free(graph));
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  }
}

static void TheLibrarySaysWhatItIs(void) {
  EXPECT(strcmp(syncline_version(), SYNCLINE_VERSION_STRING) == 0);
  EXPECT(strcmp(syncline_code_name(SYNCLINE_NOT_FOUND), "NOT_FOUND") == 0);
  EXPECT(strcmp(syncline_code_name((syncline_code)99), "UNKNOWN") == 0);
  EXPECT_ERROR(syncline_load_plugin("/no/such.so"), SYNCLINE_NOT_FOUND,
               "/no/such.so");
  EXPECT_ERROR(syncline_load_plugin(NULL), SYNCLINE_INVALID_ARGUMENT, "path");
}

int main(void) {
  EXPECT(strcmp(syncline_error_message(), "") == 0);
  PacketsOfBytesGoThroughAGraph();
  ObserversSeePackets();
  RunsFollowEachOther();
  BadGraphsAreErrors();
  BadPacketsAreErrors();
  BadHandlesAreErrors();
  SidePacketsAreChecked();
  AGraphMayBeFreedWhileOthersWaitForIt();
  TheLibrarySaysWhatItIs();
  printf("%d failed\n", failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
