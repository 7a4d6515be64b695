"""replay_test: a graph does what it did when it was recorded.

    load("//tools:replay_test.bzl", "replay_test")

    replay_test(
        name = "hello_graph_replay_test",
        graph = "hello_graph.pbtxt",
        program = ":hello_graph",
        recording = "testdata/hello_graph.syncline",
    )

The recording is made once, with the streams that are to stay as they are:

    bazel run :hello_graph -- --record=$PWD/testdata/hello_graph.syncline \\
        --record_streams='*'

The test shows the first packet that differs. When it is meant to, the recording
is made again from its own inputs, looked at, and replaces the old one:

    bazel run :hello_graph -- --replay=$PWD/testdata/hello_graph.syncline \\
        --graph=$PWD/hello_graph.pbtxt --record=/tmp/new --record_streams='*'
    bazel run //tools/recording -- diff $PWD/testdata/hello_graph.syncline /tmp/new
    mv /tmp/new testdata/hello_graph.syncline
"""

def replay_test(
        name,
        recording,
        graph = None,
        program = "//tools:run_graph",
        data = [],
        size = "small",
        **kwargs):
    """A test that plays a recording and compares.

    Args:
      name: of the test.
      recording: the file; with outputs of the graph in it.
      graph: the graph file; the recorded graph where it is left out, so that
        only calculators are tested.
      program: made by calculator_graph(), or any other with run_graph's main();
        it has the calculators of the graph.
      data: files that the graph reads when it runs.
      size: of the test.
      **kwargs: passed to the test.
    """
    args = ["$(location %s)" % program, "$(location %s)" % recording]
    files = [program, recording]
    if graph:
        args.append("$(location %s)" % graph)
        files.append(graph)
    native.sh_test(
        name = name,
        size = size,
        srcs = ["//tools:check_replay.sh"],
        args = args,
        data = files + data,
        **kwargs
    )
