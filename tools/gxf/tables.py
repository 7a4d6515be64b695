"""What of GXF has a counterpart, and why the rest has none."""
import re

from gxf.kinds import (ALLOCATOR, CLOCK, INPUT, INPUTS, OUTPUT, boolean, choice, double, int32,
                       int64, not_negative, period, positive, repeated, size, string, threads,
                       uint32, uint64)

_NAMESPACES = ("nvidia::gxf::", "nvidia::holoscan::", "holoscan::")

_SAMPLING = {
    "receivers": INPUTS,
    "sampling_mode": choice(SumOfAll="SUM_OF_ALL", PerReceiver="PER_RECEIVER"),
    "min_sum": uint64, "min_sizes": repeated(uint64), "min_size": uint64,
}

# Scheduling term: the condition and its parameters.
_TERMS = {
    "MessageAvailableSchedulingTerm": ("MessageAvailableCondition", {
        "receiver": INPUT, "min_size": uint64, "front_stage_max_size": uint64}),
    "ExpiringMessageAvailableSchedulingTerm": ("ExpiringMessageAvailableCondition", {
        "receiver": INPUT, "max_batch_size": positive(int64),
        "max_delay_ns": not_negative(int64), "clock": CLOCK}),
    "MultiMessageAvailableSchedulingTerm": ("MultiMessageAvailableCondition", _SAMPLING),
    "MessageAvailableFrequencyThrottler": ("MultiMessageAvailableTimeoutCondition", {
        "execution_frequency": period, **_SAMPLING}),
    "DownstreamReceptiveSchedulingTerm": ("DownstreamMessageAffordableCondition", {
        "transmitter": OUTPUT, "min_size": uint64}),
    "CountSchedulingTerm": ("CountCondition", {"count": int64}),
    "BooleanSchedulingTerm": ("BooleanCondition", {"enable_tick": boolean}),
    "PeriodicSchedulingTerm": ("PeriodicCondition", {
        "recess_period": period,
        "policy": choice(CatchUpMissedTicks="CATCH_UP_MISSED_TICKS",
                         MinTimeBetweenTicks="MIN_TIME_BETWEEN_TICKS",
                         NoCatchUpMissedTicks="NO_CATCH_UP_MISSED_TICKS")}),
    "AsynchronousSchedulingTerm": ("AsynchronousCondition", {}),
    "TargetTimeSchedulingTerm": ("TargetTimeCondition", {"clock": CLOCK}),
    "MemoryAvailableSchedulingTerm": ("MemoryAvailableCondition", {
        "allocator": ALLOCATOR, "min_bytes": positive(uint64), "min_blocks": positive(uint64)}),
    "BTSchedulingTerm": ("BehaviorCondition", {"is_root": boolean}),
    "CudaStreamSchedulingTerm": ("CudaStreamCondition", {"receiver": INPUT}),
    "CudaEventSchedulingTerm": ("CudaEventCondition", {
        "receiver": INPUT, "event_name": string}),
    "CudaBufferAvailableSchedulingTerm": ("CudaBufferAvailableCondition", {"receiver": INPUT}),
}
# By GXF's names and by Holoscan's.
TERMS = {**_TERMS, **{condition: (condition, kinds) for condition, kinds in _TERMS.values()}}
# Those that have no options.
BARE_CONDITIONS = {"AsynchronousCondition", "TargetTimeCondition"}
MESSAGE_CONDITIONS = {"MessageAvailableCondition", "ExpiringMessageAvailableCondition"}
# Of work that a message waits for.
DEVICE_CONDITIONS = {"CudaStreamCondition", "CudaEventCondition", "CudaBufferAvailableCondition"}
SUM_CONDITIONS = {"MultiMessageAvailableCondition", "MultiMessageAvailableTimeoutCondition"}
# Of conditions: parameters of which one must be there, in each of the tuples.
REQUIRED = {
    "ExpiringMessageAvailableCondition": (("max_batch_size",), ("max_delay_ns",)),
    "MultiMessageAvailableTimeoutCondition": (("execution_frequency",),),
    "PeriodicCondition": (("recess_period",),),
    "MemoryAvailableCondition": (("allocator",), ("min_bytes", "min_blocks")),
    "BlockMemoryPool": (("block_size",), ("num_blocks",)),
    "TimerBehavior": (("delay",),),
}
# Of its terms one has to be ready.
COMBINERS = {"OrConditionCombiner", "OrSchedulingTermCombiner"}

# Behaviour: the calculator, and what it takes besides children and s_term.
_STATUS = choice(SUCCESS="SUCCESS", FAILURE="FAILURE")
BEHAVIORS = {
    "SequenceBehavior": {}, "SelectorBehavior": {},
    "ParallelBehavior": {"success_threshold": int64, "failure_threshold": int64},
    "RepeatBehavior": {"repeat_after_failure": boolean},
    "SwitchBehavior": {"desired_behavior": not_negative(int64)},
    "ConstantBehavior": {"constant_status": _STATUS},
    "TimerBehavior": {"delay": period, "switch_status": _STATUS, "clock": CLOCK},
}
# What becomes part of the BehaviorCondition of its entity.
CONTROLLERS = {
    "EntityCountFailureRepeatController": {
        "max_repeat_count": int64, "return_behavior_running_if_failure_repeat": boolean},
}

CLOCKS = {
    "RealtimeClock": {"initial_time_offset": double, "initial_time_scale": positive(double),
                      "use_time_since_epoch": boolean},
    "ManualClock": {"initial_timestamp": int64},
    "SyntheticClock": {"initial_timestamp": int64},
}

_ONE_THREAD = {"clock": CLOCK, "max_duration_ms": int64, "stop_on_deadlock": boolean,
               "stop_on_deadlock_timeout": int64,
               "check_recession_period_ms": not_negative(double)}
_POOL = {**_ONE_THREAD, "worker_thread_number": threads,
         "thread_pool_allocation_auto": boolean,
         "pin_cores": repeated(not_negative(int32))}
SCHEDULERS = {"GreedyScheduler": _ONE_THREAD, "MultiThreadScheduler": _POOL,
              "EventBasedScheduler": _POOL, "EpochScheduler": {"clock": CLOCK}}
ONE_THREAD = {"GreedyScheduler", "EpochScheduler"}
THREAD_POOL_PARAMETERS = {"initial_size": threads,
                          "priority": choice(low="0", medium="1", high="2")}
# Other spellings in GXF's documentation.
SPELLINGS = {"check_recess_period_ms": "check_recession_period_ms"}

_DEVICE_MEMORY = {"device_memory_initial_size": size, "device_memory_max_size": size,
                  "device_max_memory_pool_size": size}
ALLOCATORS = {
    "BlockMemoryPool": {
        "storage_type": choice(kHost="HOST", kDevice="DEVICE", kSystem="SYSTEM",
                               kManaged="MANAGED"),
        "block_size": positive(uint64), "num_blocks": positive(uint64),
        "dev_id": not_negative(int32)},
    "UnboundedAllocator": {},
    "StreamOrderedAllocator": {**_DEVICE_MEMORY, "release_threshold": size,
                               "dev_id": not_negative(int32)},
    "RMMAllocator": {**_DEVICE_MEMORY, "host_memory_initial_size": size,
                     "host_memory_max_size": size, "dev_id": not_negative(int32)},
}
# An old parameter that said how host memory is taken; it is pinned here.
IGNORED_OF_ALLOCATORS = "do_not_use_cuda_malloc_host"

# Which nodes have it is in their codelets' parameters.
STREAM_POOL = "CudaStreamPool"
STREAM_POOL_PARAMETERS = {
    "dev_id": not_negative(int32), "stream_flags": uint32, "stream_priority": int32,
    "reserved_size": uint32, "max_size": uint32, "nvtx_identifier": string}

RECEIVERS = {"DoubleBufferReceiver"}
TRANSMITTERS = {"DoubleBufferTransmitter"}
CONNECTION, SUBGRAPH = "Connection", "Subgraph"
THREAD_POOL, CPU_THREAD = "ThreadPool", "CPUThread"
BROADCAST, GATHER, SYNCHRONIZATION = "Broadcast", "Gather", "Synchronization"
TENSOR_COPIER = "TensorCopier"
# Codelets whose calculators have ports without tags, and options instead of
# parameters.
ROUTERS = {BROADCAST, GATHER, SYNCHRONIZATION, TENSOR_COPIER}
COPIER_MODES = choice(kCopyToDevice="DEVICE", kCopyToHost="HOST", kCopyToSystem="SYSTEM")
MERGE = "MergeInputsCalculator"

_DISTRIBUTED = "a graph runs in one process; streams that cross machines are the application's"
# By the name without namespace, of GXF's own types; of others, only where the
# name leaves no doubt that it is no codelet.
_NO_DOUBT = re.compile(r".*(SchedulingTerm|Allocator|Serializer|Clock|ConditionCombiner)")
_REASONS = (
    (r"CudaGreenContext(Pool)?",
     "parts of a GPU are in the options of nodes here: sm_partition of CudaStreamPoolOptions"),
    (r"GPUDevice", "the device is that of run_graph --device; dev_id of a stream pool or of an "
     "allocator names another"),
    (STREAM_POOL, "no codelet names it: a node without one has a pool of its own"),
    (r"Cuda.*", "a packet knows the work that it waits for by its payload"),
    (r"Ucx.*", _DISTRIBUTED),
    (r"GraphWorker|GraphDriver|Http.*|Grpc.*|.*IPC(Server|Client)|.*RemoteCallManager",
     _DISTRIBUTED),
    (r".*Controller", "a BehaviorCondition repeats what fails, up to its max_repeat_count"),
    (r"ClockSync.*", "clocks are not synchronised between processes"),
    (r"AsyncBuffer(Receiver|Transmitter)",
     "a PacketClonerCalculator in front of the node gives the latest value"),
    (r".*Receiver|.*Transmitter", "it is no DoubleBufferReceiver or DoubleBufferTransmitter; the "
     "node is without this port"),
    (r".*Combiner", "write any_of { condition { ... } } in the node"),
    (r".*SchedulingTerm|.*Condition",
     "write a condition of your own (framework/conditions.h), and a condition { } in the node"),
    (r".*Clock", "write a clock { } of another type"),
    (r".*Scheduler", "write a scheduler { } of another type"),
    (r".*Allocator|.*Pool",
     "write an allocator of your own (framework/allocator.h), and an allocator { } in the graph"),
    (r".*Serializer|.*Codec|SerializationBuffer", "packets are not serialised between nodes"),
    (r"JobStatistics|.*Monitor|Metric", "run_graph and the runtime snapshot measure every node"),
    (r".*(Router|Topic.*|NetworkContext|Context)", "streams need none"),
    (r"Subgraph", "its file is not there"),
)
# Codelets of GXF's own that are not here: the node stays, and says so.
CODELET_ADVICE = {
    "TimedThrottler": "a TargetTimeCondition paces a calculator of yours",
    "Vault": "an OutputStreamPoller or ObserveOutputStream gives packets to the application",
    "EndOfStream": "the end of a stream reaches every node by itself",
    "Forward": "a PassThroughCalculator does this: name it with --types",
}


def short_type(type_name):
    """X of a type `nvidia::gxf::X` or of Holoscan; None of others."""
    for prefix in _NAMESPACES:
        if type_name.startswith(prefix) and "::" not in type_name[len(prefix):]:
            return type_name[len(prefix):]
    return None


def reason(type_name):
    """Why a component that is no codelet has no counterpart; None of codelets."""
    name = type_name.rsplit("::", 1)[-1]
    foreign = not type_name.startswith(_NAMESPACES)
    if name in CODELET_ADVICE or (foreign and not _NO_DOUBT.fullmatch(name)):
        return None
    for pattern, text in _REASONS:
        if re.fullmatch(pattern, name):
            return text
    return None


def calculator_name(type_name):
    """`a::b::T` is `a.b.T`; GXF's and Holoscan's own namespaces fall away."""
    for prefix in _NAMESPACES:
        if type_name.startswith(prefix):
            type_name = type_name[len(prefix):]
            break
    parts = [re.sub(r"\W+", "_", part, flags=re.ASCII).strip("_") or "x"
             for part in type_name.split("::") if part]
    return ".".join("_" + p if p[0].isdigit() else p for p in parts) or "x"
