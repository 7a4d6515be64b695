"""Makes a graph of a GXF application.

An entity with a codelet becomes a node, a transmitter with its connections a
stream, a scheduling term a condition; the clock of the scheduler, the scheduler
and the allocators become the graph's.  Everything begins as not done: what is
not done at the end is reported, so nothing is lost without a word.
"""
from gxf import kinds, tables
from gxf.conditions import ConditionMapper
from gxf.handlers import input_handler, write_handler
from gxf.kinds import as_list
from gxf.nodes import ENDS, Nodes, port_text, stream_text
from gxf.parameters import CodeletParameters, Values, shown
from gxf.report import DIFFERS, NOT_MAPPED, NOTE, shown
from gxf.streams import connect
from gxf.text_proto import Writer, unique
from gxf.yaml_lines import Text


# Policy 2 ends in a message that is lost with a warning; here the sources wait.
POLICIES = {"0": "POP", "1": "REJECT"}


def import_application(application, calculators, report):
    """The graph as Protobuf text.

    `calculators` is {codelet type: calculator, or None to leave it out}.
    """
    return _Importer(application, calculators, report).run()


class _Importer:
    def __init__(self, application, calculators, report):
        self.application = application
        self.report = report
        self.nodes = Nodes(application, calculators, report)
        self.values = Values(application, report)
        self.conditions = ConditionMapper(self.values, report)
        self.parameters = CodeletParameters(self.values, self.conditions, report)
        self.out = Writer()
        self.in_nodes = set()  # findings that are comments in a node

    def run(self):
        connect(self.application, self.nodes, self.report)
        self._choose_clock()
        self._name_allocators()
        self._name_stream_pools()
        self.parameters.learn(self.nodes.top())
        self._write_queue_size()
        self._write_clock()
        self._write_scheduler()
        self._write_allocators()
        for node in self.nodes.top():
            self._write_node(node)
        self._check_trees()
        self.conditions.report_lost(n for n in self.nodes.top() if n.codelet is not None)
        self._report_rest()
        return self._comments() + self.out.text()

    def _not_mapped(self, component, text):
        self.report.add(component.place, NOT_MAPPED, f"{component}: {text}")

    # --- what belongs to the graph

    def _choose_clock(self):
        clocks = self.application.components(tables.CLOCKS)
        schedulers = self.application.components(tables.SCHEDULERS)
        chosen = None
        for scheduler in schedulers[:1]:
            chosen = self.application.lookup(scheduler.entity, scheduler.parameters.get("clock"))
        if chosen not in clocks:
            chosen = clocks[0] if len(clocks) == 1 else None
        self.values.clock = chosen
        for clock in clocks:
            clock.done = True
            if clock is not chosen:
                self._not_mapped(clock, "it is not the scheduler's, and a graph has one clock.")
        for i, scheduler in enumerate(schedulers):
            scheduler.done = True
            if i:
                self._not_mapped(scheduler, "it is not the first, and a graph has one scheduler.")

    def _write_clock(self):
        clock = self.values.clock
        if clock is not None:
            with self.out.block("clock"):
                self.out.string("type", clock.short)
                self.values.write(clock, tables.CLOCKS[clock.short], self.out)

    def _write_scheduler(self):
        schedulers = self.application.components(tables.SCHEDULERS)[:1]
        pools = self._thread_pools()
        names = set()
        for scheduler in schedulers:
            for wrong, right in tables.SPELLINGS.items():
                if wrong in scheduler.parameters and right not in scheduler.parameters:
                    scheduler.parameters[Text(right)] = scheduler.parameters.pop(wrong)
            with self.out.block("scheduler"):
                self.out.string("type", scheduler.short)
                self.values.write(scheduler, tables.SCHEDULERS[scheduler.short], self.out)
                for pool in pools:
                    self._write_thread_pool(*pool, names)
            self._check_threads(scheduler, pools)
        if not schedulers:
            for pool, _ in pools:
                self._not_mapped(pool, "there is no scheduler that it could belong to.")

    def _check_threads(self, scheduler, pools):
        if scheduler.short in tables.ONE_THREAD and pools:
            self.report.add(scheduler.place, DIFFERS, f"{scheduler} runs everything on one thread; "
                            "its thread pools are ignored, with a warning.")
        pooled = {node for _, nodes in pools for node in nodes}
        alone = [node.name for node in self.nodes.top() if node not in pooled]
        is_auto = kinds.boolean(scheduler.parameters.get("thread_pool_allocation_auto"))
        if is_auto == "false" and alone:
            self._not_mapped(scheduler, "with thread_pool_allocation_auto: false each node is in "
                             f'a thread pool, but "{alone[0]}" is not; the graph is refused.')

    def _thread_pools(self):
        """[(pool, its nodes)] of the EntityGroups."""
        pools = []
        grouped = set()
        for scope, group in self.application.groups:
            for key in group:
                if key not in ("name", "target"):
                    self.report.add(key.place, NOT_MAPPED, f'"{key}" of a group means nothing.')
            targets = []
            for target in as_list(group.get("target")):
                if isinstance(target, Text):
                    targets.append(scope.prefix + target)
                else:
                    self.report.add(group.place, NOT_MAPPED,
                                    f'a group has the target "{shown(target)}", which is no name.')
            entities = [self.application.entities.get(t) for t in targets]
            found = [c for e in entities if e for c in e.of({tables.THREAD_POOL})]
            members = self._members(group, entities, grouped)
            for target, entity in zip(targets, entities):
                if entity is None:
                    self.report.add(group.place, NOT_MAPPED, f'a group has the entity "{target}", '
                                    "which there is not.")
            if found:
                found[0].done = True
                pools.append((found[0], members))
            else:
                self.report.add(group.place, NOT_MAPPED, f'the group "{group.get("name")}" has no '
                                "thread pool that its nodes could run on.")
        return pools

    def _members(self, group, entities, grouped):
        """The nodes of a group that no group before it has; `grouped` are those."""
        members = []
        for node in self.nodes.top():
            if node.entity not in entities:
                continue
            if node in grouped:
                self.report.add(group.place, NOT_MAPPED, f'node "{node.name}" is in a group '
                                "already, and runs on one pool.")
            else:
                members.append(node)
        if any(e and e.of({tables.THREAD_POOL}) for e in entities):
            grouped.update(members)
        return members

    def _write_thread_pool(self, pool, members, names):
        has_shared = False
        with self.out.block("thread_pool"):
            self.out.string("name", unique(pool.name or pool.entity.name, names))
            self.values.write(pool, tables.THREAD_POOL_PARAMETERS, self.out)
            for node in members:
                with self.out.block("member"):
                    self.out.string("node", node.name)
                    is_pinned = any([self._is_pinned(thread)
                                     for thread in node.entity.of({tables.CPU_THREAD})])
                    if is_pinned:
                        self.out.field("pin", "true")
                    has_shared = has_shared or not is_pinned
        size = pool.parameters.get("initial_size")
        if has_shared and (size is None or kinds.int32(size) in ("0", None)):
            self._not_mapped(pool, "nodes that are not pinned need an initial_size; the graph is "
                             "refused without one.")

    def _is_pinned(self, thread):
        thread.done = True
        value = thread.take("pin_entity")
        if value is not None and kinds.boolean(value) is None:
            self._not_mapped(thread, f'its pin_entity "{shown(value)}" means nothing here.')
        return kinds.boolean(value) == "true"

    def _name_allocators(self):
        taken = set()
        for allocator in self.application.components(tables.ALLOCATORS):
            allocator.done = True
            self.values.allocators[allocator] = unique(allocator.name or allocator.short, taken)

    def _name_stream_pools(self):
        """Of the same name, so that the nodes of one pool share it."""
        taken = set()
        for pool in self.application.components({tables.STREAM_POOL}):
            self.values.stream_pools[pool] = unique(pool.name or pool.short, taken)

    def _write_allocators(self):
        for allocator, name in self.values.allocators.items():
            known = tables.ALLOCATORS[allocator.short]
            with self.out.block("allocator"):
                self.out.string("name", name)
                self.out.string("type", allocator.short)
                if allocator.take(tables.IGNORED_OF_ALLOCATORS) is not None:
                    self.report.add(allocator.place_of(tables.IGNORED_OF_ALLOCATORS), DIFFERS,
                                    f"{allocator}: its host memory is pinned in any case.")
                if not known:
                    self.values.write(allocator, known, self.out)
                    continue
                with self.out.options(allocator.short + "Options"):
                    if "storage_type" in known:
                        self._check_storage(allocator, known["storage_type"])
                    self._check_sizes(allocator)
                    self.values.write(allocator, known, self.out)
                    self.values.report_missing(allocator, allocator.short)

    def _check_storage(self, allocator, kind):
        value = allocator.parameters.get("storage_type")
        if value is None:
            self.out.field("storage_type", "HOST")  # what GXF means by saying nothing
        storage = "HOST" if value is None else kind(value)
        if storage not in (None, "SYSTEM"):
            self.report.add(allocator.place_of("storage_type"), NOTE, f"{allocator}: memory of "
                            f"storage_type {storage}{' (the default)' * (value is None)} is that "
                            "of the device that the program uses. run_graph has it; a program of "
                            "yours links //gpu:device_memory.")

    def _check_sizes(self, allocator):
        """Two names of one parameter; a graph with both is refused."""
        wrong, right = "device_max_memory_pool_size", "device_memory_max_size"
        if allocator.parameters.get(wrong) is not None and allocator.parameters.get(
                right) is not None:
            allocator.take(wrong)
            self._not_mapped(allocator, f"its {wrong} is another name of {right}, which it has, "
                             "too.")
            allocator.parameters.pop(wrong)

    def _write_queue_size(self):
        """What a receiver has that does not say; those that do have theirs in the node."""
        if self.application.components(tables.RECEIVERS):
            self.out.field("max_queue_size", 1)

    # --- nodes

    def _write_node(self, node):
        before = len(self.report.findings)
        with self.out.block("node"):
            start = len(self.out.lines)
            self.out.string("name", node.name)
            if not node.parts:
                self._write_calculator(node)
            for part in node.parts:
                with self.out.block("fused_node"):
                    self.out.string("name", part.name)
                    self._write_calculator(part)
                    self.parameters.write(part, self.out)
            for port, fields in _input_infos(node).items():
                with self.out.block("input_stream_info"):
                    self.out.string("tag_index", port)
                    for name, value in fields:
                        self.out.field(name, value)
            if node.codelet is not None:
                self._write_rest(node)
            found = [f for f in self.report.findings[before:] if f.kind == NOT_MAPPED]
            self.out.insert_comments(start, [_comment(finding) for finding in found])
            self.in_nodes.update(found)

    def _write_calculator(self, node):
        self.out.string("calculator", node.calculator)
        for tag, index, stream in node.inputs:
            self.out.string("input_stream", stream_text((tag, index), stream))
        for tag, index, stream in node.outputs:
            self.out.string("output_stream", stream_text((tag, index), stream))

    def _write_rest(self, node):
        self._look_after_ends(node)
        handler = input_handler(node, self.conditions, self.report)
        if handler:
            write_handler(handler, self.out)
        if node.codelet.short in tables.BEHAVIORS:
            self.parameters.write_behavior(node, self.out)
        if not node.parts:
            self.parameters.write(node, self.out)
        self.conditions.write(node, self.out)
        if not node.entity.of(tables.TERMS) and node.port:
            self.out.field("gxf_defaults", "true")
            self.report.add(node.codelet.place, DIFFERS, f'node "{node.name}" has no scheduling '
                            "term: GXF ticks it all the time; here it waits until each input has "
                            "a message and each output has room.")

    def _look_after_ends(self, node):
        for end in node.entity.of(ENDS):
            if end.done:
                continue
            end.done = True
            capacity, policy = end.take("capacity"), end.take("policy")
            if capacity is not None and (kinds.int32(capacity) or "0")[0] in "-0":
                self._not_mapped(end, f'its capacity "{shown(capacity)}" is no whole number from '
                                 "1 to 2147483647.")
            if end.short in tables.TRANSMITTERS:
                if (capacity, policy) != (None, None):
                    self.report.add(end.place, DIFFERS, f"{end}: outputs have no queue of their "
                                    "own, so no capacity and no policy.")
            elif policy is not None and str(policy) not in (*POLICIES, "2"):
                self._not_mapped(end, f'its policy "{shown(policy)}" is none of 0 (pop), '
                                 "1 (reject) and 2 (fault).")
            self.values.report_unused(end)

    def _check_trees(self):
        """A behaviour that is below itself; a graph with one is refused."""
        codelets = {c.entity: c for c in self.application.components(tables.BEHAVIORS)}
        left = {}  # entity: {entities of its children that have children of their own}
        parents = {entity: [] for entity in codelets}
        for entity, codelet in codelets.items():
            found = [self.application.lookup(entity, child)
                     for child in as_list(codelet.parameters.get("children"))]
            left[entity] = {t.entity for t in found if t is not None and t.entity in codelets}
            for child in left[entity]:
                parents[child].append(entity)
        # Who has no children left cannot be below itself, so its parents need not mind it.
        ends = [entity for entity in left if not left[entity]]
        while ends:
            end = ends.pop()
            del left[end]
            for parent in parents[end]:
                left[parent].discard(end)
                if not left[parent]:
                    ends.append(parent)
        for entity in left:
            self._not_mapped(codelets[entity], "it is below itself, or above one that is, in its "
                             "tree; the graph is refused with it.")

    # --- what is left

    def _report_rest(self):
        for entity in self.application.entities.values():
            if not entity.components:
                self.report.add(entity.place, NOTE, f'entity "{entity.name}" has no components, so '
                                "there is nothing of it in the graph.")
            for component in entity.components:
                if not component.done:
                    component.done = True
                    self._not_mapped(component, self._why(component))
                elif component.short in (tables.CONNECTION, tables.SUBGRAPH, tables.CPU_THREAD):
                    self.values.report_unused(component)

    def _why(self, component):
        if component.short in {*tables.TERMS, *tables.CONTROLLERS, *tables.COMBINERS, *ENDS}:
            return "its entity has no codelet that it could be of use to."
        reason = tables.reason(component.type)
        if reason is not None:
            return reason + "."
        if component.short in (tables.THREAD_POOL, tables.CPU_THREAD):
            return "no group of EntityGroups has it."
        return ("it is no codelet, but something that codelets share: make it a service or a side "
                "packet, or name its calculator with --types.")

    def _comments(self):
        """Above the graph: what is missing and belongs to no node."""
        out = Writer()
        for finding in self.report.sorted():
            if finding.kind == NOT_MAPPED and finding not in self.in_nodes:
                out.comment(_comment(finding))
        return out.text()


def _capacity(receiver):
    """How many messages it has room for; 1 where it says none that can be."""
    text = kinds.int32(receiver.parameters.get("capacity") or Text("1"))
    return max(1, int(text)) if text is not None else 1


def _input_infos(node):
    """{port: [(field, value)]} of its inputs of which there is more to say."""
    infos = {}
    for receiver in node.ends(tables.RECEIVERS):
        fields = []
        if receiver in node.merged:
            fields.append(("merge", "true"))
        policy = POLICIES.get(str(receiver.parameters.get("policy")))
        if policy or _capacity(receiver) != 1:
            fields.append(("max_queue_size", _capacity(receiver)))
        if policy:
            fields.append(("queue_policy", policy))
        if fields:
            infos[port_text(node.port[receiver])] = fields
    for port in _back_edges(node):
        infos.setdefault(port_text(port), []).insert(0, ("back_edge", "true"))
    return infos


def _back_edges(node):
    """Its ports that close loops; those of a fused node have the names of streams."""
    yield from node.back_edges
    for part in node.parts:
        for tag, index, stream in part.inputs:
            if (tag, index) in part.back_edges:
                yield stream.upper(), None


def _comment(finding):
    return shown(f"Not mapped: {finding.place}: {finding.text}")
