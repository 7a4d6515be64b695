"""What a port cannot do, and what to do then: by include path and by name.

Each table says what to look for in the user's file and what to tell them.  An
entry speaks only where the checkout really lacks the thing.
"""
import re

GPU = ("there is no OpenGL, Metal or WebGPU here; keep the calculator on the CPU (an ImageFrame "
        "in place of a GpuBuffer), or write it for CUDA as those in //calculators/gpu are")
MODELS = ("Syncline runs no models: wrap your inference library in a calculator of your own, "
       "with std::vector<float> or Matrix on its ports")
_HANDLER = ('handlers are InputPolicy classes here; rewrite the rule as one, see "Add an '
            'input stream handler" in CONTRIBUTING.md')
_PLAN = ("Compile(config) of framework/plan/compile.h gives "
         "the checked graph as a value, with every name resolved")
INSIDE = ("this is an inside of MediaPipe's engine; Syncline's engine is built differently: use "
           "the public face (CalculatorGraph, CalculatorRunner, OutputStreamPoller)")
_API3 = ("write the node with framework/api2/node.h and "
         "the graph with framework/api2/builder.h")
_BINDING = "Syncline has no bindings for this language; its C interface is framework/c"

# A missing include that begins so -> what to do.  The first match counts.
INCLUDE_ADVICE = (
    (r"gpu/", GPU),
    (r"framework/formats/(tensor|frame_buffer|hardware_buffer|yuv)", MODELS),
    (r"framework/api3/", _API3),
    (r"framework/(stream_handler/.*|input_stream_handler|output_stream_handler)\.h", _HANDLER),
    (r"framework/validated_graph_config\.h", _PLAN),
    (r"framework/(calculator_node|calculator_state|calculator_context_manager|"
     r"graph_output_stream|input_stream_manager|input_side_packet_handler|output_stream_manager|"
     r"output_side_packet_impl|packet_generator_graph|scheduler|scheduler_queue|scheduler_shared|"
     r"app_text_data)\.h", INSIDE),
    (r"framework/(mediapipe_profiling|syncline_profiling|platform_specific_profiling)\.h",
     "leave the profiling macros out: runtime_info times every call"),
    (r"framework/(vlog_utils|vlog_overrides)\.h", "glog's --v and --vmodule do this"),
    (r"framework/profiler/", "runtime_info times every call: read the times with CalculatorGraph::GetGraphRuntimeInfo()"),
    (r"calculators/(tensor|tflite|tensorflow)/", MODELS),
    (r"(util/tflite|tasks|modules|model_maker)/", MODELS),
    (r"(objc|java|python|web)/", _BINDING),
    (r"tensorflow/|tflite/", MODELS),
    (r"re2/", "install it: ./setup --re2"),
    (r"absl/log/", "Syncline logs with glog: do the same with glog/logging.h"),
    (r"absl/", "Debian's Abseil (20220623) has no such header: do without it, or bring your own"),
)

# A name in code -> (the header that offers it in MediaPipe, what to do).  None:
# told in any case, since no header offers it here.
NAME_ADVICE = {
    "REGISTER_INPUT_STREAM_HANDLER": (None, _HANDLER),
    "InputStreamHandler": (None, _HANDLER),
    "REGISTER_OUTPUT_STREAM_HANDLER": (
        "framework/output_stream_handler.h",
        "Syncline has no output stream handlers: packets leave in the order of timestamps"),
    "OutputStreamHandler": (
        "framework/output_stream_handler.h",
        "Syncline has no output stream handlers: packets leave in the order of timestamps"),
    "ValidatedGraphConfig": ("framework/validated_graph_config.h", _PLAN),
    "GlCalculatorHelper": ("gpu/gl_calculator_helper.h", GPU),
    "GlSimpleCalculator": ("gpu/gl_simple_calculator.h", GPU),
    "GlContext": ("gpu/gl_context.h", GPU),
    "GpuBuffer": ("gpu/gpu_buffer.h", GPU),
    "MPPMetalHelper": ("gpu/MPPMetalHelper.h", GPU),
    "CalculatorNode": ("framework/calculator_node.h", INSIDE),
    "InputStreamManager": ("framework/input_stream_manager.h", INSIDE),
    "OutputStreamManager": ("framework/output_stream_manager.h", INSIDE),
    "PacketGeneratorGraph": ("framework/packet_generator_graph.h", INSIDE),
    "TfLiteTensor": ("tensorflow/lite/c/common.h", MODELS),
    "tflite": ("tensorflow/lite/interpreter.h", MODELS),
    "api3": ("framework/api3/node.h", _API3),
}

# A load or dep of these repositories cannot be met.
REPOSITORY_ADVICE = {
    "org_tensorflow": MODELS, "litert": MODELS, "XNNPACK": MODELS, "halide": MODELS,
    "com_google_sentencepiece": MODELS, "pybind11": _BINDING, "pybind11_bazel": _BINDING,
    "build_bazel_rules_apple": _BINDING, "build_bazel_rules_android": _BINDING,
    "npm": _BINDING, "rules_python": _BINDING, "rules_jvm_external": _BINDING,
    "libyuv": "Syncline links no libyuv: use OpenCV, //third_party says how it is found",
}

# Rules that Bazel has itself -> what to tell of their targets.
_RULES = (
    (r"(objc|apple|ios|macos|tvos|watchos|swift|android|aar|java|kt)_", _BINDING),
)

# Files of other languages, by suffix.
LANGUAGES = {
    ".java": "Java", ".kt": "Kotlin", ".mm": "Objective-C", ".m": "Objective-C",
    ".swift": "Swift", ".ts": "TypeScript", ".js": "JavaScript", ".metal": "Metal",
}
LANGUAGE_ADVICE = _BINDING


def rule_advice(rule):
    for pattern, advice in _RULES:
        if re.match(pattern, rule):
            return advice
    return None


def include_advice(path):
    for pattern, advice in INCLUDE_ADVICE:
        if re.match(pattern, path):
            return advice
    return None
