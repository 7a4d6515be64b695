"""Which packets a node is called with: the input stream handler that it needs.

GXF ticks an entity when its terms say so, with whatever its receivers hold, and
without messages too where no term asks for any.  Here a node is called with an
input set, which its handler makes; conditions can only delay it.
"""
from typing import NamedTuple

from gxf import kinds, tables
from gxf.conditions import per_receiver
from gxf.kinds import as_list
from gxf.report import DIFFERS, NOT_MAPPED
from gxf.text_proto import quote


class Handler(NamedTuple):
    """A handler and the fields of its options, as text."""
    name: str
    options: dict


def input_handler(node, conditions, report):
    """The handler that a node needs to be called as in GXF; None for the usual one."""
    return _HandlerChoice(node, conditions, report).choose()


class _HandlerChoice:
    def __init__(self, node, conditions, report):
        self.node = node
        self.conditions = conditions
        self.report = report
        self.receivers = node.ends(tables.RECEIVERS)
        self.terms = conditions.terms(node)

    def choose(self):
        node = self.node
        if not self.receivers or node.calculator == tables.MERGE:
            return None
        if node.codelet.short == tables.SYNCHRONIZATION:
            return self._synchronization()
        if self.terms and not self._all_ticks_have_messages():
            return self._without_messages()
        if len(self.receivers) < 2:
            return None
        return self._with_some_messages()

    def _differs(self, text):
        self.report.add(self.node.codelet.place, DIFFERS, f'node "{self.node.name}" {text}')

    # --- messages of some inputs, or of all

    def _all_ticks_have_messages(self):
        """Some term asks for them by itself, or all members of a combiner do."""
        groups = self.conditions.groups(self.node)
        grouped = {term for group in groups for term in group}
        alone = [t for t in self.terms if t not in grouped]
        return (any(self._asks_for_messages(t) for t in alone)
                or any(all(self._asks_for_messages(t) for t in group) for group in groups))

    def _asks_for_messages(self, term):
        """There is no tick without a message while this term is there."""
        condition = tables.TERMS[term.short][0]
        if condition == "MultiMessageAvailableTimeoutCondition":
            return False  # its time is enough for a tick
        if condition in tables.SUM_CONDITIONS and per_receiver(term):
            return any(kinds.uint64(n) != "0" for n in as_list(term.parameters.get("min_sizes")))
        if condition in tables.SUM_CONDITIONS:
            numbers = [term.parameters.get(n) for n in ("min_size", "min_sum")]
            return next((kinds.uint64(n) for n in numbers if n is not None), None) != "0"
        if condition == "MessageAvailableCondition":
            return kinds.uint64(term.parameters.get("min_size")) != "0"
        return condition in tables.MESSAGE_CONDITIONS | tables.DEVICE_CONDITIONS

    def _with_some_messages(self):
        waits_for = set()
        sums = False
        for term in filter(self._asks_for_messages, self.terms):
            if tables.TERMS[term.short][0] in tables.SUM_CONDITIONS and not per_receiver(term):
                sums = True
            waits_for.update(self.conditions.ends(term, self.node)
                             if self.conditions.port_parameter(term) else self.receivers)
        if sums or (waits_for and waits_for != set(self.receivers)):
            self._differs("is called for messages of some of its inputs: an "
                          "ImmediateInputStreamHandler gives it those of one timestamp at a time.")
            return Handler("ImmediateInputStreamHandler", {})
        self._differs("gets messages of the same timestamp together, from all its inputs; GXF "
                      "gives it the oldest of each, whatever their times.")
        return None

    # --- no messages needed

    def _without_messages(self):
        """A time that a term names makes calls; without one there is nothing that could.

        Of several streams a time-out would drop what comes late, which GXF does not.
        """
        periods = [kinds.period_ns(term.parameters.get(name)) for term in self.terms
                   for name in ("recess_period", "execution_frequency")]
        period = max((p for p in periods if p is not None), default=None)
        if len(self.receivers) > 1:
            self._differs("is ticked without messages in GXF; here it is called for messages: an "
                          "ImmediateInputStreamHandler gives it those of one timestamp at a time.")
            return Handler("ImmediateInputStreamHandler", {})
        if period is None:
            self._differs("has no term that asks for messages: GXF ticks it without any; here it "
                          "is called for messages only. A TimeoutInputStreamHandler would call it "
                          "without them too, after a time.")
            return None
        self._differs(
            f"is ticked without messages in GXF; here a TimeoutInputStreamHandler calls it without "
            f"packets when there has been no call for {period} ns. Such a call has a timestamp "
            "that may come again, keeps no run from its end, and moves no simulated clock.")
        return Handler("TimeoutInputStreamHandler", {"timeout_ns": str(period)})

    # --- Synchronization

    def _synchronization(self):
        """What lies within sync_threshold of each other goes on together."""
        codelet = self.node.codelet
        threshold = codelet.take("sync_threshold")
        text = "0" if threshold is None else kinds.uint64(threshold)
        if text is None:
            self.report.add(codelet.place_of("sync_threshold"), NOT_MAPPED, f"{codelet}: its "
                            f'sync_threshold "{threshold}" means nothing here.')
            text = "0"
        self._differs("matches timestamps of packets, in microseconds, where GXF compares acqtime "
                      "in nanoseconds. The closest set is found, and goes on at one timestamp; "
                      "what matched nothing is counted.")
        return Handler("ApproximateTimeInputStreamHandler",
                       {"max_interval": str(int(text) // 1000)})


def write_handler(handler, out):
    with out.block("input_stream_handler"):
        out.field("input_stream_handler", quote(handler.name))
        if handler.options:
            with out.options(handler.name + "Options"):
                for name, value in handler.options.items():
                    out.field(name, value)
