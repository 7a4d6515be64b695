"""What each part of an application becomes; whole ones are in golden_test."""
import os
import tempfile
import unittest

from gxf.application import Application
from gxf.importer import import_application
from gxf.report import DIFFERS, NOT_MAPPED, NOTE, Report
from gxf.yaml_lines import FileError

GXF = "nvidia::gxf::"


def component(type_name, name=None, **parameters):
    """A line of YAML."""
    fields = [f"type: {type_name}"]
    if name:
        fields.append(f"name: {name}")
    if parameters:
        fields.append(f"parameters: {{{', '.join(f'{k}: {v}' for k, v in parameters.items())}}}")
    return f"- {{{', '.join(fields)}}}\n"


def entity(name, *components):
    return f"---\nname: {name}\ncomponents:\n" + "".join(components)


def receiver(name, **parameters):
    return component(GXF + "DoubleBufferReceiver", name, **parameters)


def transmitter(name, **parameters):
    return component(GXF + "DoubleBufferTransmitter", name, **parameters)


def connection(source, target):
    return component(GXF + "Connection", source=source, target=target)


def term(kind, name=None, **parameters):
    return component(GXF + kind, name, **parameters)


CODELET = component("a::C")


class ImporterCase(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def graph(self, *texts, types=None, folders=()):
        """The graph of files with these texts; self.report says what was found."""
        self.report = Report()
        application = Application(self.report, folders)
        for i, text in enumerate(texts):
            application.load(self.write(f"app{i}.yaml", text))
        return import_application(application, types or {}, self.report)

    def found(self, kind):
        return [finding.text for finding in self.report.findings if finding.kind == kind]

    def assert_found(self, kind, text):
        self.assertTrue(any(text in found for found in self.found(kind)),
                        f"{text!r} is not in {self.report.findings}")

    def assert_all_mapped(self):
        self.assertEqual(self.found(NOT_MAPPED), [])

    def assert_has(self, graph, text):
        """Without regard to space."""
        self.assertIn(" ".join(text.split()), " ".join(graph.split()))


class NodesTest(ImporterCase):

    def test_types_become_calculators(self):
        for type_name, calculator in (
                ("a::b::T", "a.b.T"), ("T", "T"), (GXF + "T", "T"), (GXF + "test::T", "test.T"),
                ("nvidia::holoscan::T", "T"), ("a::T<int>", "a.T_int"), ("a::3D", "a._3D"),
                ("nvidia::isaac::T", "nvidia.isaac.T")):
            graph = self.graph(entity("e", component(f'"{type_name}"')))
            self.assertIn(f'calculator: "{calculator}"\n', graph)
            self.assert_all_mapped()
            self.assert_found(NOTE, f'is the calculator "{calculator}"')

    def test_a_table_names_calculators_or_leaves_codelets_out(self):
        text = entity("e", CODELET) + entity("f", component("a::D"))
        graph = self.graph(text, types={"a::C": "My.Calculator", "a::D": None})
        self.assertIn('calculator: "My.Calculator"', graph)
        self.assertNotIn('"f"', graph)
        self.assertEqual(len(self.found(NOTE)), 1)
        self.assert_found(NOTE, "left out, as asked for")

    def test_a_codelet_type_is_noted_once(self):
        self.graph(entity("e", CODELET) + entity("f", CODELET))
        self.assertEqual(len(self.found(NOTE)), 1)

    def test_what_others_refer_to_is_no_codelet(self):
        graph = self.graph(entity("e", component("a::Shared", "s"), component("a::C", shared="s")))
        self.assertEqual(graph.count("node {"), 1)
        self.assert_found(NOT_MAPPED, '"s" (a::Shared) of entity "e": it is no codelet')
        self.assert_found(NOT_MAPPED, 'its parameter "shared" with the value "s"')

    def test_names_are_unique_and_fit_for_a_graph(self):
        graph = self.graph(entity('"3 Cameras"', transmitter('"out put"'), CODELET)
                           + entity('"3-cameras"', transmitter("out_put"), CODELET))
        self.assertIn('name: "3 Cameras"', graph)
        self.assertIn('output_stream: "OUT_PUT:_3_cameras_out_put"', graph)
        self.assertIn('output_stream: "OUT_PUT:_3_cameras_out_put_2"', graph)

    def test_several_codelets_are_fused_in_their_order(self):
        graph = self.graph(entity("e", component("a::C", "one"), component("a::D"),
                                  term("CountSchedulingTerm", count=2)))
        self.assertEqual(graph.count("fused_node {"), 2)
        self.assertLess(graph.index('name: "one"'), graph.index('name: "2"'))
        self.assertEqual(graph.count("CountCondition\""), 1)
        self.assert_found(DIFFERS, '2 codelets, which are fused in the node "e"')
        self.assert_all_mapped()

    def test_terms_and_parameters_of_fused_codelets_name_the_ports_of_the_node(self):
        graph = self.graph(
            entity("s", transmitter("o"), component("a::S", o="o")),
            entity("e", receiver("i"), transmitter("m"), receiver("n"), transmitter("o"),
                   component("a::C", "one", **{"in": "i", "out": "m", "when": "ready"}),
                   component("a::D", "two", **{"in": "n", "out": "o"}),
                   term("MessageAvailableSchedulingTerm", "ready", receiver="i")),
            entity("f", component("a::F", when="e/ready"), component("a::G", "g")),
            entity("c", connection("s/o", "e/i"), connection("e/m", "e/n")))
        self.assert_has(graph, """
            fused_node { name: "one" calculator: "a.C" input_stream: "IN:s_o"
                         output_stream: "OUT:e_m" """)
        self.assert_has(graph, """
            fused_node { name: "two" calculator: "a.D" input_stream: "IN:e_m"
                         output_stream: "OUT:e_o" } condition { name: "ready" """)
        self.assertIn('receiver: "S_O"', graph)
        self.assertIn('key: "when" string_value: "ready"', graph)
        self.assertIn('key: "when" string_value: "e/ready"', graph)
        self.assert_all_mapped()

    def test_codelets_that_cannot_be_fused_are_nodes_with_the_reason(self):
        ends = receiver("i") + transmitter("o")
        graph = self.graph(
            entity("e", ends, component("a::C", "one", **{"in": "i"}),
                   component("a::D", "two", out="o")),
            entity("c", connection("e/o", "e/i")))
        self.assertNotIn("fused_node", graph)
        self.assertLess(graph.index('name: "e_one"'), graph.index('name: "e_two"'))
        self.assert_found(DIFFERS, "has messages of one that comes later")
        self.graph(entity("e", transmitter("o"), component("a::C", "one", out="o"),
                          component("a::D", "two", out="o")))
        self.assert_found(DIFFERS, "belongs to several of them")

    def test_ports_are_called_as_the_parameters_that_name_them(self):
        graph = self.graph(entity(
            "e", transmitter("a"), transmitter("b"), transmitter("c"), transmitter("d"),
            component("a::C", **{"out-puts": "[b, a]", "signal": "c"})))
        for port in ("OUT_PUTS:1:e_a", "OUT_PUTS:0:e_b", "SIGNAL:e_c", "D:e_d"):
            self.assertIn(f'output_stream: "{port}"', graph)
        self.assertNotIn("Parameters", graph)

    def test_an_entity_without_terms_has_the_defaults(self):
        graph = self.graph(entity("e", transmitter("a"), CODELET))
        self.assertIn("gxf_defaults: true", graph)
        self.assert_found(DIFFERS, "has no scheduling term")
        self.assertNotIn("gxf_defaults", self.graph(entity("e", CODELET)))
        self.assertNotIn("gxf_defaults", self.graph(
            entity("e", transmitter("a"), CODELET, term("CountSchedulingTerm"))))


class StreamsTest(ImporterCase):

    def test_a_stream_has_any_number_of_readers(self):
        graph = self.graph(entity("tx", transmitter("a"), CODELET),
                           entity("r1", receiver("x"), CODELET),
                           entity("r2", receiver("y"), CODELET),
                           entity("c", connection("tx/a", "r1/x"), connection("tx/a", "r2/y")))
        for port in ("X:tx_a", "Y:tx_a"):
            self.assertIn(f'input_stream: "{port}"', graph)
        self.assert_all_mapped()

    def test_several_transmitters_are_merged_in_the_order_of_connections(self):
        graph = self.graph(entity("b", transmitter("a"), CODELET),
                           entity("a", transmitter("a"), CODELET),
                           entity("r", receiver("x"), CODELET),
                           entity("c", connection("a/a", "r/x"), connection("b/a", "r/x"),
                                  connection("a/a", "r/x")))
        self.assert_has(graph, 'input_stream: "X:0:a_a" input_stream: "X:1:b_a" '
                        'input_stream_info { tag_index: "X" merge: true }')
        self.assert_found(DIFFERS, "has 2 transmitters")

    def test_one_of_several_inputs_with_a_tag_is_merged_by_a_node(self):
        graph = self.graph(entity("a", transmitter("a"), transmitter("b"), CODELET),
                           entity("r", receiver("x"), receiver("y"),
                                  component("a::D", inputs="[x, y]")),
                           entity("c", connection("a/a", "r/x"), connection("a/b", "r/x"),
                                  connection("a/b", "r/y")))
        self.assert_has(graph, 'node { name: "r_x_merge" calculator: "MergeInputsCalculator" '
                        'input_stream: "a_a" input_stream: "a_b" output_stream: "r_x" }')
        self.assertIn('input_stream: "INPUTS:0:r_x"', graph)

    def test_a_loop_is_marked_once_at_the_reader_that_comes_first(self):
        def node(name):
            return entity(name, receiver("i"), transmitter("o"), CODELET)
        graph = self.graph(node("a"), node("b"), node("c"), entity("s", transmitter("o"), CODELET),
                           entity("x", connection("s/o", "b/i"), connection("b/o", "c/i"),
                                  connection("c/o", "a/i"), connection("a/o", "b/i")))
        self.assertEqual(graph.count("back_edge: true"), 1)
        self.assert_has(graph, 'input_stream: "I:0:s_o" input_stream: "I:1:a_o"')
        self.assert_has(graph, 'input_stream_info { tag_index: "I" merge: true } '
                        'input_stream_info { tag_index: "I:1" back_edge: true }')

    def test_long_chains_and_wide_fans_are_no_trouble(self):
        count = 3000
        text = entity("n0", transmitter("o"), CODELET) + "".join(
            entity(f"n{i}", receiver("i"), transmitter("o"), CODELET) for i in range(1, count))
        text += entity("c", *(connection(f"n{i}/o", f"n{i + 1}/i") for i in range(count - 1)))
        self.assertEqual(self.graph(text).count("node {"), count)

    def test_wrong_connections_are_listed(self):
        for source, target, why in (("x/y", "r/x", 'its source "x/y"'),
                                    ("t/a", "r/z", 'its target "r/z"'),
                                    ("r/x", "r/x", 'its source "r/x"'),
                                    ("t/a, color: 1", "r/x", '"color"'),
                                    ("[t/a]", "r/x", "its source")):
            self.graph(entity("t", transmitter("a"), CODELET), entity("r", receiver("x"), CODELET),
                       entity("c", connection(source, target)))
            self.assert_found(NOT_MAPPED, why)
            if "color" not in source:
                self.assert_found(NOT_MAPPED, "nothing feeds it")

    def test_queues_have_the_capacity_and_the_policy_of_their_receiver(self):
        graph = self.graph(entity("t", transmitter("a"), CODELET),
                           entity("r", receiver("x", capacity=3, policy=2), receiver("y"), CODELET),
                           entity("c", connection("t/a", "r/x"), connection("t/a", "r/y")))
        self.assertIn("max_queue_size: 1\n", graph)
        self.assert_has(graph, 'input_stream_info { tag_index: "X" max_queue_size: 3 }')
        self.assertEqual(graph.count("input_stream_info"), 1)
        self.assert_all_mapped()
        for policy, name in ((0, "POP"), (1, "REJECT")):
            graph = self.graph(entity("t", transmitter("a"), CODELET),
                               entity("r", receiver("x", policy=policy), CODELET),
                               entity("c", connection("t/a", "r/x")))
            self.assert_has(graph, 'input_stream_info { tag_index: "X" max_queue_size: 1 '
                            f"queue_policy: {name} }}")
            self.assert_all_mapped()

    def test_wrong_policies_and_capacities_are_listed(self):
        for parameters, why in (({"policy": 7}, 'its policy "7"'),
                                ({"policy": "[1, 2]"}, "its policy \"['1', '2']\""),
                                ({"capacity": 0}, 'its capacity "0"'), ({"capacity": "x"}, '"x"'),
                                ({"color": 1}, 'its parameter "color"')):
            self.graph(entity("r", receiver("x", **parameters), CODELET))
            self.assert_found(NOT_MAPPED, why)

    def test_broadcast_and_gather_are_calculators_that_there_are(self):
        text = (entity("t", transmitter("a"), CODELET),
                entity("b", receiver("s"), transmitter("x"), transmitter("y"),
                       component(GXF + "Broadcast", source="s", mode="RoundRobin")),
                entity("g", receiver("x"), receiver("y"), transmitter("s"),
                       component(GXF + "Gather", sink="s", tick_source_limit=1)),
                entity("c", connection("t/a", "b/s"), connection("b/x", "g/x"),
                       connection("b/y", "g/y")))
        graph = self.graph(*text)
        self.assert_has(graph, 'calculator: "RoundRobinDemuxCalculator" input_stream: "t_a" '
                        'output_stream: "OUTPUT:0:b_x" output_stream: "OUTPUT:1:b_y"')
        self.assert_has(graph, 'calculator: "MergeInputsCalculator" input_stream: "b_x" '
                        'input_stream: "b_y" output_stream: "g_s"')
        self.assert_found(NOT_MAPPED, '"tick_source_limit"')


    def test_numbers_of_ports_that_a_router_cannot_have_are_listed(self):
        def routed(kind, receivers, transmitters, fed):
            self.graph(entity("t", transmitter("a"), CODELET),
                       entity("r", *(receiver(f"x{i}") for i in range(receivers)),
                              *(transmitter(f"y{i}") for i in range(transmitters)),
                              component(GXF + kind)),
                       entity("c", *(connection("t/a", f"r/x{i}") for i in range(fed))))
            return any("the graph is refused with it" in line for line in self.found(NOT_MAPPED))
        for kind, good, bad in (
                ("Broadcast", [(1, 1), (1, 3)], [(2, 1), (1, 0), (0, 1)]),
                ("Gather", [(1, 1), (3, 1)], [(1, 2), (1, 0), (0, 1)]),
                ("Synchronization", [(1, 1), (2, 2)], [(2, 1), (1, 2), (0, 0)])):
            for receivers, transmitters in good:
                self.assertFalse(routed(kind, receivers, transmitters, receivers))
                self.assertEqual(routed(kind, receivers, transmitters, receivers - 1),
                                 kind != "Gather" or receivers == 1)
            for receivers, transmitters in bad:
                self.assertTrue(routed(kind, receivers, transmitters, receivers))

    def test_indexes_have_no_gap_where_nothing_feeds_an_input(self):
        graph = self.graph(
            entity("t", transmitter("a"), CODELET),
            entity("g", receiver("x"), receiver("y", capacity=3), transmitter("s"),
                   component(GXF + "Gather"),
                   term("MessageAvailableSchedulingTerm", receiver="y")),
            entity("r", receiver("x"), receiver("y", capacity=3), receiver("z"),
                   component("a::C", **{"in": "[z, x, y]"})),
            entity("c", connection("t/a", "g/y"), connection("t/a", "r/z"),
                   connection("t/a", "r/y")))
        self.assert_has(graph, 'input_stream: "t_a" output_stream: "g_s" '
                        'input_stream_info { tag_index: ":0" max_queue_size: 3 }')
        self.assertIn('receiver: ":0"', graph)
        self.assert_has(graph, 'input_stream: "IN:0:t_a"')
        self.assert_has(graph, 'input_stream: "IN:1:t_a"')
        self.assert_has(graph, 'input_stream_info { tag_index: "IN:1" max_queue_size: 3 }')

    def test_a_mode_of_a_broadcast_that_there_is_not_is_listed(self):
        self.graph(entity("b", receiver("s"), transmitter("x"),
                          component(GXF + "Broadcast", source="s", mode="Sideways")))
        self.assert_found(NOT_MAPPED, 'its mode "Sideways"')

    def test_synchronization_matches_times_that_are_close(self):
        def synchronized(**parameters):
            return self.graph(
                entity("t", transmitter("a"), transmitter("b"), CODELET),
                entity("s", receiver("y"), receiver("x"), transmitter("u"), transmitter("v"),
                       component(GXF + "Synchronization", inputs="[x, y]", outputs="[u, v]",
                                 **parameters),
                       term("MessageAvailableSchedulingTerm", receiver="x")),
                entity("c", connection("t/a", "s/x"), connection("t/b", "s/y")))
        graph = synchronized(sync_threshold=5000000)
        self.assert_has(graph, """
            calculator: "SynchronizationCalculator" input_stream: "t_a" input_stream: "t_b"
            output_stream: "s_u" output_stream: "s_v" """)
        self.assert_has(graph, """
            input_stream_handler: "ApproximateTimeInputStreamHandler" options {
              [syncline.ApproximateTimeInputStreamHandlerOptions.ext] { max_interval: 5000 } }""")
        self.assert_found(DIFFERS, 'node "s" matches timestamps of packets')
        self.assert_all_mapped()
        self.assertIn("max_interval: 0\n", synchronized())
        self.assertIn("max_interval: 0\n", synchronized(sync_threshold=-1))
        self.assert_found(NOT_MAPPED, 'its sync_threshold "-1"')


class ConditionsTest(ImporterCase):

    def conditions(self, *terms, ports=1):
        """The graph of a node with these terms and `ports` inputs i0, i1, ..."""
        names = [f"i{i}" for i in range(ports)]
        return self.graph(
            entity("t", transmitter("o"), CODELET, term("CountSchedulingTerm")),
            entity("e", *(receiver(n) for n in names), component("a::D"), *terms),
            entity("c", *(connection("t/o", f"e/{n}") for n in names)))

    def test_options_are_those_of_the_terms(self):
        for kind, parameters, text in (
                ("CountSchedulingTerm", {"count": -1}, "count: -1"),
                ("BooleanSchedulingTerm", {"enable_tick": "No"}, "enable_tick: false"),
                ("PeriodicSchedulingTerm", {"recess_period": 50000000},
                 'recess_period: "50000000"'),
                ("PeriodicSchedulingTerm",
                 {"recess_period": "1.5 kHz", "policy": "MinTimeBetweenTicks"},
                 'recess_period: "1.5 kHz" policy: MIN_TIME_BETWEEN_TICKS'),
                ("MessageAvailableSchedulingTerm", {"receiver": "i0", "min_size": 1},
                 'receiver: "I0" min_size: 1'),
                ("MessageAvailableSchedulingTerm", {"receiver": "e/i0"}, 'receiver: "I0"'),
                ("ExpiringMessageAvailableSchedulingTerm",
                 {"receiver": "i0", "max_batch_size": 5, "max_delay_ns": 100},
                 'receiver: "I0" max_batch_size: 5 max_delay_ns: 100'),
                ("MultiMessageAvailableSchedulingTerm",
                 {"receivers": "[i0]", "sampling_mode": "PerReceiver", "min_sizes": "[3]"},
                 'receivers: "I0" sampling_mode: PER_RECEIVER min_sizes: 3'),
                ("MessageAvailableFrequencyThrottler",
                 {"receivers": "[i0]", "execution_frequency": "100Hz", "min_sum": 1},
                 'execution_frequency: "100Hz" receivers: "I0" min_sum: 1')):
            with self.subTest(kind):
                graph = self.conditions(term(kind, **parameters))
                self.assert_has(graph, text)
                self.assert_all_mapped()

    def test_parameters_without_a_value_are_as_if_they_were_not_there(self):
        graph = self.conditions(term("CountSchedulingTerm", count="~"))
        self.assert_has(graph, "[syncline.CountConditionOptions.ext] {}")
        self.assert_all_mapped()

    def test_terms_have_holoscans_names_as_well(self):
        graph = self.graph(entity("e", CODELET, component("holoscan::CountCondition", count=3)))
        self.assert_has(graph, 'type: "CountCondition" options { '
                        "[syncline.CountConditionOptions.ext] { count: 3 } }")

    def test_names_are_unique_in_their_node(self):
        graph = self.graph(entity("e", CODELET, *[term("CountSchedulingTerm")] * 2,
                                  term("BooleanSchedulingTerm", "CountCondition_2")))
        self.assertEqual(graph.count('name: "CountCondition_2"'), 1)
        self.assertEqual(graph.count('name: "CountCondition_2_2"'), 1)

    def test_a_parameter_that_means_nothing_is_listed_and_left_out(self):
        for kind, parameters in (
                ("CountSchedulingTerm", {"count": "x"}), ("CountSchedulingTerm", {"count": 2**63}),
                ("CountSchedulingTerm", {"count": "[1]"}),
                ("BooleanSchedulingTerm", {"enable_tick": 2}),
                ("PeriodicSchedulingTerm", {"recess_period": "-1ms"}),
                ("PeriodicSchedulingTerm", {"recess_period": "3 parsec"}),
                ("PeriodicSchedulingTerm", {"recess_period": 0}),
                ("PeriodicSchedulingTerm", {"recess_period": "1e10 GHz"}),
                ("PeriodicSchedulingTerm", {"recess_period": "300000000000 h"}),
                ("PeriodicSchedulingTerm", {"recess_period": "1ms", "policy": 3}),
                ("PeriodicSchedulingTerm", {"recess_period": "1ms", "policy": "{a: 1}"}),
                ("ExpiringMessageAvailableSchedulingTerm",
                 {"max_delay_ns": 5, "max_batch_size": 0}),
                ("ExpiringMessageAvailableSchedulingTerm",
                 {"max_batch_size": 5, "max_delay_ns": -1}),
                ("MessageAvailableSchedulingTerm", {"receiver": "i0", "min_size": -1}),
                ("MemoryAvailableSchedulingTerm", {"min_bytes": 1, "allocator": "nothing"})):
            with self.subTest(str(parameters)):
                graph = self.conditions(term(kind, **parameters))
                self.assertEqual(len(self.found(NOT_MAPPED)), 1)
                key, value = list(parameters.items())[-1]
                self.assertNotIn(f"{key}: {value}", "".join(
                    line for line in graph.splitlines() if "#" not in line))

    def test_parameters_that_have_to_be_there_are_asked_for(self):
        for kind, parameters, why in (
                ("PeriodicSchedulingTerm", {}, "has no recess_period"),
                ("MessageAvailableFrequencyThrottler", {"min_sum": 1}, "no execution_frequency"),
                ("ExpiringMessageAvailableSchedulingTerm", {"max_delay_ns": 5},
                 "has no max_batch_size"),
                ("MultiMessageAvailableSchedulingTerm", {}, "has no min_sum"),
                ("MultiMessageAvailableSchedulingTerm", {"sampling_mode": "PerReceiver"},
                 "has no min_sizes"),
                ("MemoryAvailableSchedulingTerm", {"min_bytes": 1}, "has no allocator"),
                ("MemoryAvailableSchedulingTerm", {"allocator": "x"},
                 "has no min_bytes and no min_blocks")):
            with self.subTest(kind + str(parameters)):
                self.conditions(term(kind, **parameters))
                self.assert_found(NOT_MAPPED, why)

    def test_ports_that_a_term_has_to_name_are_asked_for(self):
        for kind, parameters, ports, why in (
                ("MessageAvailableSchedulingTerm", {}, 0, "has no receiver, and its node has none"),
                ("MessageAvailableSchedulingTerm", {}, 2, "has no receiver, and its node has 2"),
                ("MultiMessageAvailableSchedulingTerm", {"min_sum": 1}, 0, "has no receivers"),
                ("DownstreamReceptiveSchedulingTerm", {}, 1, "has no transmitter"),
                ("MultiMessageAvailableSchedulingTerm",
                 {"min_sum": 1, "receivers": "[i0, i0]"}, 1, "names one twice")):
            with self.subTest(why):
                self.conditions(term(kind, **parameters), ports=ports)
                self.assert_found(NOT_MAPPED, why)
        for kind, parameters, ports in (
                ("MessageAvailableSchedulingTerm", {}, 1),
                ("MultiMessageAvailableSchedulingTerm", {"min_sum": 1}, 2)):
            self.conditions(term(kind, **parameters), ports=ports)
            self.assert_all_mapped()

    def test_numbers_of_the_other_sampling_mode_are_listed_and_left_out(self):
        graph = self.conditions(term("MultiMessageAvailableSchedulingTerm", min_sum=7,
                                     sampling_mode="PerReceiver", min_sizes="[3]"))
        self.assertNotIn("min_sum: 7", graph)
        self.assert_found(NOT_MAPPED, "its min_sum means nothing")
        graph = self.conditions(term("MultiMessageAvailableSchedulingTerm", min_sum=7,
                                     min_sizes="[3]"))
        self.assertIn("min_sum: 7", graph)
        self.assertNotIn("min_sizes: 3", graph)
        self.assert_found(NOT_MAPPED, "its min_sizes means nothing")

    def test_terms_of_a_combiner_are_a_group(self):
        for kind in ("OrConditionCombiner", "OrSchedulingTermCombiner"):
            graph = self.conditions(
                term("CountSchedulingTerm", "n", count=7), term("PeriodicSchedulingTerm", "t",
                                                                recess_period="1s"),
                term("MessageAvailableSchedulingTerm", "m", receiver="i0"),
                term(kind, "either", terms="[t, m]"))
            self.assert_has(graph, """
                condition { name: "n" type: "CountCondition"
                  options { [syncline.CountConditionOptions.ext] { count: 7 } } }
                any_of {
                  condition { name: "t" type: "PeriodicCondition"
                    options { [syncline.PeriodicConditionOptions.ext] { recess_period: "1s" } } }
                  condition { name: "m" type: "MessageAvailableCondition" """)
            self.assertEqual(graph.count("condition {"), 4)
            self.assert_found(DIFFERS, "is an any_of")
            self.assert_all_mapped()

    def test_terms_that_a_combiner_cannot_have_are_listed(self):
        self.conditions(term("CountSchedulingTerm", "n"), term("CountSchedulingTerm", "o"),
                        term("OrConditionCombiner", "a", terms="[n, t/x, o]"),
                        term("OrConditionCombiner", "b", terms="[n]", color=1),
                        term("OrConditionCombiner", "c"))
        for why in ('its term "t/x" is no condition of the node "e"',
                    'its term "n" is in another combiner', '"b" (nvidia::gxf::OrCondition'
                    'Combiner) of entity "e" combines nothing', 'its parameter "color"',
                    '"c" (nvidia::gxf::OrConditionCombiner) of entity "e" combines nothing'):
            self.assert_found(NOT_MAPPED, why)

    def test_an_entity_that_is_ticked_without_messages_is_called_without_them(self):
        timeout = 'input_stream_handler: "TimeoutInputStreamHandler"'
        periodic = term("PeriodicSchedulingTerm", "p", recess_period="20ms")
        message = term("MessageAvailableSchedulingTerm", "m", receiver="i0")
        for terms, nanoseconds in (
                ([periodic], 20_000_000),
                ([term("PeriodicSchedulingTerm", recess_period="1kHz")], 1_000_000),
                ([periodic, term("BooleanSchedulingTerm")], 20_000_000),
                ([term("MessageAvailableFrequencyThrottler", min_sum=1,
                       execution_frequency="50Hz")], 20_000_000),
                ([periodic, term("MessageAvailableSchedulingTerm", receiver="i0", min_size=0)],
                 20_000_000),
                ([periodic, message, term("OrConditionCombiner", terms="[p, m]")], 20_000_000),
                ([periodic, message], None), ([], None), ([message], None)):
            graph = self.conditions(*terms)
            self.assertEqual(timeout in graph, nanoseconds is not None, terms)
            if nanoseconds:
                self.assertIn(f"timeout_ns: {nanoseconds}\n", graph)
                self.assert_found(DIFFERS, 'node "e" is ticked without messages in GXF')
            self.assert_all_mapped()
        # Without a time, nothing calls it; of several inputs a time-out would drop packets.
        for kind in ("BooleanSchedulingTerm", "CountSchedulingTerm"):
            self.assertNotIn("input_stream_handler", self.conditions(term(kind)))
            self.assert_found(DIFFERS, 'node "e" has no term that asks for messages')
        self.assertIn("ImmediateInputStreamHandler", self.conditions(periodic, ports=2))
        self.assert_found(DIFFERS, 'node "e" is ticked without messages in GXF; here it is called '
                          "for messages")

    def test_terms_on_ports_that_there_are_not_are_listed(self):
        for reference in ("i7", "t/o", "e/x", "[i0, i1]"):
            self.conditions(term("MessageAvailableSchedulingTerm", receiver=reference))
            self.assert_found(NOT_MAPPED, "receiver")

    def test_sizes_of_receivers_that_are_gone_go_too(self):
        graph = self.graph(
            entity("t", transmitter("o"), CODELET),
            entity("e", receiver("a"), receiver("b"), component("a::D"),
                   term("MultiMessageAvailableSchedulingTerm", receivers="[a, b]",
                        sampling_mode="PerReceiver", min_sizes="[3, 4]")),
            entity("c", connection("t/o", "e/b")))
        self.assert_has(graph, 'receivers: "B" sampling_mode: PER_RECEIVER min_sizes: 4 }')

    def test_parameters_that_exclude_each_other_are_settled_as_in_gxf(self):
        graph = self.conditions(term("MultiMessageAvailableSchedulingTerm", receivers="[i0]",
                                     min_size=2, min_sum=5))
        self.assertIn("min_size: 2\n", graph)
        self.assertNotIn("min_sum: 5", graph)
        self.assert_found(NOT_MAPPED, "its min_sum is hidden by min_size")

    def test_who_waits_for_some_inputs_only_does_not_wait_for_equal_timestamps(self):
        immediate = 'input_stream_handler: "ImmediateInputStreamHandler"'
        one, two = (term("MessageAvailableSchedulingTerm", receiver=r) for r in ("i0", "i1"))
        total = term("MultiMessageAvailableSchedulingTerm", receivers="[i0, i1]", min_sum=1)
        each = term("MultiMessageAvailableSchedulingTerm", receivers="[i0, i1]",
                    sampling_mode="PerReceiver", min_sizes="[1, 1]")
        for terms, is_immediate in (([one], True), ([total], True), ([one, two], False),
                                    ([each], False), ([], False)):
            self.assertEqual(immediate in self.conditions(*terms, ports=2), is_immediate)
            self.assert_found(DIFFERS, 'node "e"')
        self.conditions(one)
        self.assertEqual([f for f in self.found(DIFFERS) if 'node "e"' in f], [])

    def test_several_messages_for_a_tick_are_told_of(self):
        for parameters in ({"min_size": 4}, {"min_size": 2, "front_stage_max_size": 3}):
            self.conditions(term("MessageAvailableSchedulingTerm", receiver="i0", **parameters))
            self.assert_found(DIFFERS, "batch { max_size:")

    def test_a_clock_that_is_not_the_graphs_is_listed(self):
        clocks = component(GXF + "RealtimeClock", "a") + component(GXF + "ManualClock", "b")
        scheduler = component(GXF + "GreedyScheduler", clock="a")
        self.graph(entity("e", CODELET, term("TargetTimeSchedulingTerm", clock="m/c")))
        self.assert_found(NOT_MAPPED, 'its clock "m/c" is not the clock')
        for clock, count in (("m/a", 0), ("m/b", 1), ("m/c", 1)):
            self.graph(entity("m", clocks, scheduler),
                       entity("e", CODELET, term("TargetTimeSchedulingTerm", clock=clock)))
            self.assertEqual(sum("is not the clock" in f for f in self.found(NOT_MAPPED)), count)

    def test_behaviours_have_the_conditions_of_their_children(self):
        graph = self.graph(
            entity("root", component(GXF + "SequenceBehavior", children="[kid/st, kid/lost]",
                                     s_term="st", controller="again"),
                   term("BTSchedulingTerm", "st", is_root="true"),
                   term("EntityCountFailureRepeatController", "again", max_repeat_count=2)),
            entity("kid", CODELET, term("BTSchedulingTerm", "st")))
        self.assert_has(graph, 'children: "kid/st" s_term: "st" }')
        self.assert_has(graph, "is_root: true max_repeat_count: 2")
        self.assertEqual(len(self.found(NOT_MAPPED)), 1)
        self.assert_found(NOT_MAPPED, 'its child "kid/lost"')


class ParametersTest(ImporterCase):

    def parameter(self, value):
        """The text of parameter p with this value in YAML; None if there is none."""
        graph = self.graph(entity("e", f"- type: a::C\n  parameters:\n    p: {value}\n"))
        lines = [line.strip() for line in graph.splitlines() if "parameter {" in line]
        return lines[0].removeprefix('parameter { key: "p" ').removesuffix(" }") if lines else None

    def test_values_have_the_kind_that_they_look_like(self):
        for value, text in (
                ("3", "int_value: 3"), ("-3", "int_value: -3"), ("+3", "int_value: 3"),
                ("0x10", "int_value: 16"), ("'3'", 'string_value: "3"'), ("010", "int_value: 10"),
                ("1.5e3", "double_value: 1.5e3"), ("-.inf", "double_value: -inf"),
                ("true", "bool_value: true"), ("FALSE", "bool_value: false"),
                ("on", 'string_value: "on"'), ("20ms", 'string_value: "20ms"'),
                ("18446744073709551615", "uint_value: 18446744073709551615"),
                ('"a\\"\\n\\u00e4"', 'string_value: "a\\"\\012\\303\\244"'),
                ("[1, 2]", "list { int_value: [ 1, 2 ] }"), ("[]", "list {}"),
                ("[1, 2.5]", "list { double_value: [ 1, 2.5 ] }"),
                ("[true, 1]", 'list { string_value: [ "true", "1" ] }'),
                ("[a, 'b']", 'list { string_value: [ "a", "b" ] }')):
            with self.subTest(value):
                self.assertEqual(self.parameter(value), text)
                self.assert_all_mapped()

    def test_what_parameters_cannot_be_is_listed(self):
        for value in ("{a: 1}", "[[1]]", "[{a: 1}]", "[~]"):
            self.assertIsNone(self.parameter(value))
            self.assert_found(NOT_MAPPED, 'its parameter "p"')
        self.assertIsNone(self.parameter("~"))
        self.assert_all_mapped()

    def test_references_are_names_in_the_graph(self):
        graph = self.graph(
            entity("e", component("a::C", pool="m/pool", mine="st", other="f/st", clock="m/clock",
                                  pools="[m/pool, m/heap]"),
                   term("BooleanSchedulingTerm", "st")),
            entity("f", component("a::D"), term("BooleanSchedulingTerm", "st")),
            entity("m", component(GXF + "BlockMemoryPool", "pool", block_size=1, num_blocks=2,
                                  storage_type=2),
                   component(GXF + "UnboundedAllocator", "heap"),
                   component(GXF + "ManualClock", "clock")))
        for key, value in (("pool", 'string_value: "pool"'), ("mine", 'string_value: "st"'),
                           ("other", 'string_value: "f/st"'),
                           ("pools", 'list { string_value: [ "pool", "heap" ] }')):
            self.assertIn(f'parameter {{ key: "{key}" {value} }}', graph)
        self.assertNotIn('key: "clock"', graph)
        self.assert_found(DIFFERS, "cc->Clock()")
        self.assert_all_mapped()

    def test_texts_that_are_meant_to_be_components_and_are_none_are_listed(self):
        for parameter in ({"pool2": "m/nope"}, {"several": "[m/heap, m/nope]"},
                          {"cuda_stream_pool": "nope"}, {"allocator": "other/nope"}):
            with self.subTest(parameter):
                graph = self.graph(
                    entity("e", component("a::C", **parameter)),
                    entity("m", component(GXF + "UnboundedAllocator", "heap")))
                self.assertIn("nope", graph)
                self.assert_found(NOT_MAPPED, 'nope", which is no component')
        # Texts with a "/", and names that are no pool's, may be anything.
        self.graph(entity("e", component("a::C", file="clips/nope", pooling="max")))
        self.assert_all_mapped()


class GraphTest(ImporterCase):

    def test_a_pool_that_says_nothing_has_host_memory_as_in_gxf(self):
        pool = GXF + "BlockMemoryPool"
        graph = self.graph(entity(
            "m", component(pool, "p", block_size=1, num_blocks=2),
            component(pool, "p2", storage_type=1, block_size=1, num_blocks=2)))
        self.assert_has(graph, "storage_type: HOST block_size: 1")
        self.assert_has(graph, "storage_type: DEVICE block_size: 1")
        self.assert_found(NOTE, "of storage_type HOST (the default) is that of the device")
        self.assert_found(NOTE, "of storage_type DEVICE is that of the device")
        self.assertEqual(self.found(NOT_MAPPED), [])

    def test_allocators_of_devices_keep_their_parameters(self):
        graph = self.graph(entity(
            "m", component(GXF + "StreamOrderedAllocator", "s", device_memory_initial_size="8MB",
                           device_memory_max_size="' 1.5 gb '", release_threshold="4MB", dev_id=1),
            component(GXF + "RMMAllocator", "r", device_max_memory_pool_size="64MB",
                      host_memory_initial_size="16MB", host_memory_max_size="100"),
            component(GXF + "BlockMemoryPool", "p", storage_type=3, block_size=1, num_blocks=2,
                      dev_id=1, do_not_use_cuda_malloc_host="true")))
        self.assert_has(graph, 'device_memory_initial_size: "8MB" device_memory_max_size: "1.5 gb" '
                        'release_threshold: "4MB" dev_id: 1')
        self.assert_has(graph, 'device_max_memory_pool_size: "64MB" '
                        'host_memory_initial_size: "16MB" host_memory_max_size: "100"')
        self.assert_has(graph, "storage_type: MANAGED block_size: 1 num_blocks: 2 dev_id: 1")
        self.assert_found(DIFFERS, "pinned in any case")
        self.assertEqual(self.found(NOT_MAPPED), [])

    def test_sizes_that_an_allocator_would_be_refused_with_are_listed(self):
        for value in ("many", "-1MB", "4 boats", "99999999999999999999TB", "1.MB", "[]"):
            with self.subTest(value):
                graph = self.graph(entity("m", component(
                    GXF + "RMMAllocator", "r", device_memory_max_size=value)))
                self.assertNotIn("device_memory_max_size:", graph)
                self.assertEqual(len(self.found(NOT_MAPPED)), 1)
        self.graph(entity("m", component(GXF + "RMMAllocator", "r", device_memory_max_size="1MB",
                                         device_max_memory_pool_size="1MB")))
        self.assert_found(NOT_MAPPED, "is another name of device_memory_max_size")

    def test_what_a_graph_would_be_refused_with_is_listed(self):
        pool = GXF + "BlockMemoryPool"
        for parameters, why in (({"block_size": 0, "num_blocks": 2}, 'its block_size "0"'),
                                ({"num_blocks": 2}, "has no block_size"),
                                ({"block_size": 1}, "has no num_blocks")):
            self.graph(entity("m", component(pool, "p", storage_type="kSystem", **parameters)))
            self.assertEqual(len(self.found(NOT_MAPPED)), 1)
            self.assert_found(NOT_MAPPED, why)
        for kind, parameters, why in (
                ("RealtimeClock", {"initial_time_scale": 0}, 'its initial_time_scale "0"'),
                ("MultiThreadScheduler", {"worker_thread_number": -1}, "worker_thread_number"),
                ("EventBasedScheduler", {"worker_thread_number": 4097}, "worker_thread_number"),
                ("GreedyScheduler", {"check_recession_period_ms": "-0.5"}, "check_recession"),
                ("EventBasedScheduler", {"thread_pool_allocation_auto": "false"},
                 'in a thread pool, but "e" is not')):
            self.graph(entity("e", CODELET), entity("m", component(GXF + kind, **parameters)))
            self.assertEqual(len(self.found(NOT_MAPPED)), 1)
            self.assert_found(NOT_MAPPED, why)
        for kind, parameters, why in (
                ("ParallelBehavior", {"success_threshold": 3}, "does not fit 1 children"),
                ("ParallelBehavior", {"failure_threshold": -2}, "does not fit 1 children"),
                ("SwitchBehavior", {"desired_behavior": 1}, "does not fit 1 children"),
                ("RepeatBehavior", {"children": "[]"}, "has 0 children"),
                ("TimerBehavior", {"children": "[]"}, "has no delay"),
                ("SequenceBehavior", {"controller": "nobody"}, 'its controller "nobody"')):
            self.graph(entity("root", component(GXF + kind, **{"children": "[kid/st]",
                                                               **parameters}),
                              term("BTSchedulingTerm", is_root="true")),
                       entity("kid", CODELET, term("BTSchedulingTerm", "st")))
            self.assertEqual(len(self.found(NOT_MAPPED)), 1, kind)
            self.assert_found(NOT_MAPPED, why)
        self.graph(entity("root", component(GXF + "SequenceBehavior"),
                          term("BTSchedulingTerm", is_root="true"),
                          term("EntityCountFailureRepeatController",
                               return_behavior_running_if_failure_repeat="true")))
        self.assert_found(NOT_MAPPED, "needs a max_repeat_count")

    def test_room_that_no_receiver_has_is_listed(self):
        for capacity, is_listed in (({}, True), ({"capacity": 2}, True), ({"capacity": 3}, False)):
            self.graph(entity("t", transmitter("o"), CODELET,
                              term("DownstreamReceptiveSchedulingTerm", transmitter="o",
                                   min_size=3)),
                       entity("r", receiver("i", **capacity), CODELET),
                       entity("c", connection("t/o", "r/i")))
            self.assertEqual(len(self.found(NOT_MAPPED)), is_listed)
            if is_listed:
                self.assert_found(NOT_MAPPED, "its min_size 3 is more than the capacity")
        # Of several transmitters each has a queue of its own, before they meet.
        self.graph(entity("t", transmitter("o"), CODELET,
                          term("DownstreamReceptiveSchedulingTerm", transmitter="o", min_size=3)),
                   entity("u", transmitter("o"), CODELET),
                   entity("r", receiver("i", capacity=3), CODELET),
                   entity("c", connection("t/o", "r/i"), connection("u/o", "r/i")))
        self.assert_found(NOT_MAPPED, "its min_size 3 is more than the capacity 1 of the queue")

    def test_messages_that_no_receiver_keeps_are_listed(self):
        multi = "MultiMessageAvailableSchedulingTerm"
        for name, parameters, is_listed in (
                ("MessageAvailableSchedulingTerm", {"receiver": "i", "min_size": 3}, True),
                ("MessageAvailableSchedulingTerm", {"min_size": 2}, False),
                (multi, {"sampling_mode": "PerReceiver", "min_sizes": "[2, 1]"}, False),
                (multi, {"sampling_mode": "PerReceiver", "min_sizes": "[2, 2]"}, True),
                (multi, {"sampling_mode": "PerReceiver", "min_sizes": "[2, 1, 1]"}, True),
                (multi, {"receivers": "[j, i]", "sampling_mode": "PerReceiver",
                         "min_sizes": "[1, 2]"}, False),
                (multi, {"receivers": "[i, j]", "min_sum": 3}, False),
                (multi, {"receivers": "[i, j]", "min_sum": 4}, True)):
            for policy in (0, 1, 2):
                second = [receiver("j", policy=policy)] if name == multi else []
                self.graph(entity("t", transmitter("o"), CODELET),
                           entity("r", receiver("i", capacity=2, policy=policy), *second, CODELET,
                                  term(name, **parameters)),
                           entity("c", connection("t/o", "r/i"),
                                  *([connection("t/o", "r/j")] if second else [])))
                self.assertEqual(
                    any("the graph is refused with" in line for line in self.found(NOT_MAPPED)),
                    is_listed and (policy < 2 or "[2, 1, 1]" in parameters.values()),
                    (name, parameters, policy))

    def test_a_tree_that_is_a_circle_is_listed(self):
        def behavior(name, child):
            return entity(name, component(GXF + "SequenceBehavior", children=f"[{child}/st]"),
                          term("BTSchedulingTerm", "st"))
        self.graph(behavior("a", "b"), behavior("b", "a"), behavior("c", "d"), behavior("d", "e"),
                   entity("e", CODELET, term("BTSchedulingTerm", "st")))
        self.assertEqual(len(self.found(NOT_MAPPED)), 2)
        self.assert_found(NOT_MAPPED, 'of entity "a": it is below itself')
        self.assert_found(NOT_MAPPED, 'of entity "b": it is below itself')
        self.graph(behavior("f", "f"))
        self.assert_found(NOT_MAPPED, 'of entity "f": it is below itself')

    def test_threads_that_cannot_be_are_listed(self):
        scheduler = entity("s", component(GXF + "EventBasedScheduler"))
        group = "---\nEntityGroups:\n- {name: g, target: [e, p]}\n"

        def found(pool, *components, scheduler=scheduler, group=group):
            self.graph(entity("e", CODELET, *components), entity("p", pool), scheduler, group)
            return self.found(NOT_MAPPED) + self.found(DIFFERS)
        one = component(GXF + "ThreadPool", "t", initial_size=1)
        pinned = component(GXF + "CPUThread", pin_entity="true")
        self.assertEqual(found(one), [])
        self.assertEqual(found(component(GXF + "ThreadPool", "t"), pinned), [])
        for pool, components, why in (
                (component(GXF + "ThreadPool", "t"), (), "need an initial_size"),
                (component(GXF + "ThreadPool", "t", initial_size=1, priority=3), (),
                 'its priority "3"'),
                (one, (component(GXF + "CPUThread", pin_entity="perhaps"),), '"perhaps"')):
            self.assertEqual(len(found(pool, *components)), 1)
            self.assert_found(NOT_MAPPED, why)
        found(one, scheduler=entity("s", component(GXF + "GreedyScheduler")))
        self.assert_found(DIFFERS, "its thread pools are ignored")
        found(one, group=group + "- {name: h, target: [e, p]}\n")
        self.assert_found(NOT_MAPPED, 'node "e" is in a group already')
        found(one, group="---\nEntityGroups:\n- {name: g, target: [e, p, [x]]}\n")
        self.assert_found(NOT_MAPPED, "which is no name")

    def test_an_entity_without_components_is_told(self):
        self.graph("name: nothing\n")
        self.assert_found(NOTE, 'entity "nothing" has no components')

    def test_allocators_of_one_name_in_two_entities_get_two_names(self):
        pool = component(GXF + "UnboundedAllocator", "p")
        wait = term("MemoryAvailableSchedulingTerm", allocator="p", min_bytes=1)
        graph = self.graph(entity("a", pool, CODELET, wait), entity("b", pool, CODELET, wait))
        self.assertIn('allocator: "p"\n', graph)
        self.assertIn('allocator: "p_2"\n', graph)
        self.assert_all_mapped()

    def test_a_second_scheduler_and_clock_are_listed(self):
        self.graph(entity("m", component(GXF + "RealtimeClock", "a"),
                          component(GXF + "ManualClock", "b"),
                          component(GXF + "GreedyScheduler"), component(GXF + "EpochScheduler")))
        self.assert_found(NOT_MAPPED, '"a" (nvidia::gxf::RealtimeClock)')
        self.assert_found(NOT_MAPPED, '"b" (nvidia::gxf::ManualClock)')
        self.assert_found(NOT_MAPPED, "a graph has one scheduler")

    def test_groups_of_threads_belong_to_the_scheduler(self):
        text = (entity("e", CODELET)
                + entity("p", component(GXF + "ThreadPool", "t", initial_size=2)))
        group = "---\nEntityGroups:\n- {name: g, target: [e, p, lost]}\n- {name: h, target: [e]}\n"
        graph = self.graph(text, entity("s", component(GXF + "EventBasedScheduler")), group)
        self.assert_has(graph, 'thread_pool { name: "t" initial_size: 2 member { node: "e" } }')
        self.assert_found(NOT_MAPPED, 'the entity "lost"')
        self.assert_found(NOT_MAPPED, 'the group "h"')
        self.graph(text, group)
        self.assert_found(NOT_MAPPED, "there is no scheduler")

    def test_thread_pools_of_one_name_get_two_names(self):
        pool = component(GXF + "ThreadPool", "t", initial_size=1)
        graph = self.graph(entity("p", pool), entity("q", pool),
                           entity("s", component(GXF + "MultiThreadScheduler")),
                           "EntityGroups: [{name: g, target: [p]}, {name: h, target: [q]}]\n")
        self.assertIn('name: "t"\n', graph)
        self.assertIn('name: "t_2"\n', graph)

    def test_groups_have_a_name_and_targets_only(self):
        self.graph("EntityGroups: {name: g, target: [], color: 1}\n")
        self.assert_found(NOT_MAPPED, '"color" of a group')

    def test_everything_without_counterpart_is_listed_with_a_reason(self):
        for kind, why in (("CudaStreamPool", "no codelet names it"),
                          ("CudaEventSchedulingTerm", "no codelet"), ("CudaStream", "payload"),
                          ("CudaGreenContextPool", "parts of a GPU"),
                          ("UcxReceiver", "one process"), ("GraphWorker", "one process"),
                          ("HttpServer", "one process"), ("EntityMonitor", "measure"),
                          ("JobStatistics", "measure"), ("StdEntitySerializer", "serialised"),
                          ("OrConditionCombiner", "no codelet"), ("XorCombiner", "any_of"),
                          ("SomeSchedulingTerm", "of your own"),
                          ("PriorityScheduler", "another type"), ("GPUDevice", "--device")):
            with self.subTest(kind):
                self.graph(entity("e", component(GXF + kind)))
                self.assertEqual(len(self.found(NOT_MAPPED)), 1)
                self.assert_found(NOT_MAPPED, why)
        self.graph(entity("e", component("acme::NorConditionCombiner")))
        self.assert_found(NOT_MAPPED, "any_of")
        self.graph(entity("e", component(GXF + "TimedThrottler")))
        self.assert_found(NOT_MAPPED, "TargetTimeCondition")
        self.graph("name: e\ncolor: 1\n---\nextensions: [a.so]\n")
        self.assert_found(NOT_MAPPED, '"color"')
        self.assert_found(DIFFERS, "--plugin=FILE")


class DevicesTest(ImporterCase):

    POOL = entity("s", component(GXF + "CudaStreamPool", "pool", dev_id=1, stream_flags=1,
                                 stream_priority=-2, reserved_size=3, max_size=4))
    OPTIONS = ('options { [syncline.CudaStreamPoolOptions.ext] { name: "pool" dev_id: 1 '
               "stream_flags: 1 stream_priority: -2 reserved_size: 3 max_size: 4 } }")

    def test_nodes_whose_codelets_name_a_stream_pool_share_it(self):
        graph = self.graph(self.POOL, entity("a", component("a::C", stream_pool="s/pool")),
                           entity("b", component("a::D", cuda_stream_pool="s/pool", size=1)),
                           entity("c", component("a::E")))
        self.assertEqual(" ".join(graph.split()).count(self.OPTIONS), 2)
        self.assertNotIn('key: "stream_pool"', graph)
        self.assertNotIn('key: "cuda_stream_pool"', graph)
        self.assertIn('key: "size"', graph)
        self.assert_all_mapped()

    def test_stream_pools_of_one_name_get_two_names(self):
        pool = component(GXF + "CudaStreamPool", "pool")
        graph = self.graph(entity("a", pool, component("a::C", pool="pool")),
                           entity("b", pool, component("a::D", pool="pool")))
        self.assert_has(graph, '[syncline.CudaStreamPoolOptions.ext] { name: "pool" }')
        self.assert_has(graph, '[syncline.CudaStreamPoolOptions.ext] { name: "pool_2" }')

    def test_what_a_stream_pool_cannot_have_is_listed(self):
        self.graph(entity("e", component(GXF + "CudaStreamPool", "p", max_size=-1, color="red",
                                         cuda_green_context="g"),
                          component(GXF + "CudaStreamPool", "q"),
                          component("a::C", one="p", two="q")))
        for why in ('its max_size "-1"', '"color"', '"cuda_green_context"', "one stream pool"):
            self.assert_found(NOT_MAPPED, why)

    def test_a_fused_codelet_has_its_stream_pool(self):
        graph = self.graph(self.POOL, entity("e", component("a::C", "c", pool="s/pool"),
                                             component("a::D", "d")))
        self.assert_has(graph, 'fused_node { name: "c" calculator: "a.C" ' + self.OPTIONS)

    def test_terms_of_devices_become_conditions(self):
        for kind, condition, parameters, options in (
                ("CudaStreamSchedulingTerm", "CudaStreamCondition", {}, ""),
                ("CudaBufferAvailableSchedulingTerm", "CudaBufferAvailableCondition", {}, ""),
                ("CudaEventSchedulingTerm", "CudaEventCondition", {"event_name": "done"},
                 ' event_name: "done"'),
                ("CudaStreamCondition", "CudaStreamCondition", {}, "")):
            with self.subTest(kind):
                graph = self.graph(
                    entity("a", transmitter("out"), component("a::C", output="out")),
                    entity("b", receiver("in"), component("a::D", input="in"),
                           term(kind, receiver="in", **parameters)),
                    entity("c", connection("a/out", "b/in")))
                self.assert_has(graph, f'condition {{ type: "{condition}" options {{ '
                                f"[syncline.{condition}Options.ext] {{ "
                                f'receiver: "INPUT"{options} }} }} }}')
                # It is for a message: nothing else is needed to be called with one.
                self.assertNotIn("InputStreamHandler", graph)
                self.assertEqual(self.found(NOT_MAPPED), [])

    def copier(self, **parameters):
        return self.graph(
            entity("m", component(GXF + "UnboundedAllocator", "heap")), self.POOL,
            entity("a", transmitter("out"), component("a::C", output="out")),
            entity("b", receiver("in"), transmitter("out"),
                   component(GXF + "TensorCopier", receiver="in", transmitter="out", **parameters)),
            entity("c", connection("a/out", "b/in")))

    def test_a_tensor_copier_has_ports_without_tags_and_its_mode(self):
        for mode, text in ((0, "DEVICE"), ("kCopyToHost", "HOST"), (2, "SYSTEM")):
            graph = self.copier(mode=mode)
            self.assert_has(graph, 'calculator: "TensorCopierCalculator" input_stream: "a_out" '
                            'output_stream: "b_out"')
            self.assert_has(graph, "options { [syncline.TensorCopierCalculatorOptions.ext] { mode: "
                            + text + " } }")
            self.assertNotIn("Parameters", graph.split("TensorCopierCalculator", 1)[1])

    def test_the_allocator_of_a_tensor_copier_is_for_where_it_copies_to(self):
        self.assert_has(self.copier(mode=0, allocator="m/heap", stream_pool="s/pool"),
                        '[syncline.GpuMemoryOptions.ext] { allocator: "heap" } '
                        + self.OPTIONS[len("options { "):])
        self.assert_has(self.copier(mode=1, allocator="m/heap"),
                        '[syncline.GpuMemoryOptions.ext] { host_allocator: "heap" }')
        self.assertNotIn("GpuMemoryOptions", self.copier(mode=2, allocator="m/heap"))
        self.assert_found(DIFFERS, "allocator is not used")

    def test_what_a_tensor_copier_cannot_be_told_is_listed(self):
        for parameters, why in (({}, "its mode is missing"), ({"mode": 3}, 'its mode "3"'),
                                ({"mode": 0, "allocator": "m/none"}, 'its allocator "m/none"'),
                                ({"mode": 0, "color": "red"}, '"color"')):
            self.copier(**parameters)
            self.assert_found(NOT_MAPPED, why)


class FilesTest(ImporterCase):

    def test_later_files_change_parameters(self):
        graph = self.graph(entity("e", CODELET, term("CountSchedulingTerm", "n", count=1)),
                           "name: e\ncomponents:\n- name: n\n  parameters: {count: 7}\n")
        self.assertIn("count: 7", graph)
        self.assertNotIn("count: 1", graph)

    def test_references_may_go_to_later_files(self):
        graph = self.graph(entity("c", connection("a/o", "b/i")),
                           entity("b", receiver("i"), CODELET),
                           entity("a", transmitter("o"), CODELET))
        self.assertIn('input_stream: "I:a_o"', graph)

    def test_subgraphs_are_looked_for_beside_the_file_and_in_folders(self):
        inner = entity("n", transmitter("o"), CODELET)
        self.write("lib/inner.yaml", inner)
        outer = entity("s", component(GXF + "Subgraph", location="lib/inner.yaml"))
        self.assertIn('name: "s__n"', self.graph(outer))
        outer = entity("s", component(GXF + "Subgraph", location="inner.yaml"))
        self.assertIn('name: "s__n"', self.graph(
            outer, folders=[os.path.join(self.folder, "lib")]))
        self.graph(outer)
        self.assert_found(NOT_MAPPED, "--folder=DIR")

    def test_a_subgraph_in_itself_is_an_error(self):
        with self.assertRaisesRegex(FileError, "part of itself"):
            self.graph(entity("s", component(GXF + "Subgraph", location="app0.yaml")))

    def test_interfaces_that_lead_in_a_circle_lead_nowhere(self):
        self.graph("interfaces: [{name: a/b, target: c/d}, {name: c/d, target: a/b}]\n",
                   entity("c", connection("a/b", "c/d")))
        self.assert_found(NOT_MAPPED, 'its source "a/b"')

    def test_documents_that_are_no_application_are_errors(self):
        for text in ("- 1", "just text", "name: [a]", "components: [1]", "components: [{name: a}]",
                     "components: 3", "components: [{type: {a: b}}]", "[[a]]",
                     "components: [{type: t, parameters: 5}]", "interfaces: [1]",
                     "EntityGroups: [1]", "interfaces: [{name: a}]", "name: e\ncomponents: [{name: a, parameters: {}}]"):
            with self.subTest(text), self.assertRaisesRegex(FileError, r"app0.yaml:1|app0.yaml:2"):
                self.graph(text)


if __name__ == "__main__":
    unittest.main()
