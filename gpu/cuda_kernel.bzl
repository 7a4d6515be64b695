"""syncline_cuda_kernel: kernels of .cu files, for the host and for CUDA.

    load("@syncline//gpu:cuda_kernel.bzl", "syncline_cuda_kernel")

    syncline_cuda_kernel(
        name = "scale_kernel",
        srcs = ["scale_kernel.cu"],
        hdrs = ["scale_kernel.h"],
    )

Each .cu file is compiled by the C++ compiler, which makes the kernels and their
forms for the host, and by nvcc, where a CUDA toolkit is found, which makes
their forms for CUDA (gpu/element_kernel.h). The target works as a cc_library.
"""

load("@local_cuda//:defs.bzl", "CUDA_AVAILABLE")
load("//third_party/system:cuda_library.bzl", "cuda_library")

# So that an arithmetic expression has one result on all devices.
_UNFUSED_CPP = ["-ffp-contract=off"]
_UNFUSED_CUDA = ["-fmad=false", "-Xcompiler", "-ffp-contract=off"]

# Constants of the standard library, such as std::numeric_limits, on the device.
_CUDA_OPTIONS = _UNFUSED_CUDA + ["--expt-relaxed-constexpr"]

def syncline_cuda_kernel(
        name,
        srcs,
        hdrs = [],
        deps = [],
        copts = [],
        cuda_copts = [],
        cuda_apart = False,
        testonly = False,
        visibility = None,
        **kwargs):
    """A cc_library of the kernels in .cu files.

    Args:
      name: of the library.
      srcs: the .cu files.
      hdrs: headers with the parameters and the declarations of the kernels.
      deps: what the .cu files and the headers include besides gpu/. It is read
        by nvcc, too: headers of the framework or of Abseil cost seconds there.
      copts: for the C++ compiler.
      cuda_copts: for nvcc; ["-fmad=true"] is faster, and gives other results
        than the host.
      cuda_apart: the forms for CUDA can be linked into another library than the
        rest, which then has no need of CUDA (gpu/kernel_forms.h). They are
        visible as NAME_cuda to those who see the kernels.
      testonly: as usual.
      visibility: as usual.
      **kwargs: passed to the cc_library.
    """
    deps = deps + [
        str(Label("//gpu:" + header))
        for header in ["element_kernel", "kernel", "reduction_kernel"]
    ]
    wrapped = []
    for src in srcs:
        # The C++ rules take no .cu files.
        file = src.split(":")[-1]
        wrapper = "%s_as_cpp/%s.cc" % (name, file)
        native.genrule(
            name = "%s_%s_as_cpp" % (name, file.replace(".", "_").replace("/", "_")),
            srcs = [src],
            outs = [wrapper],
            cmd = "echo '#include \"$(execpath %s)\"' >$@" % src,
            testonly = testonly,
            visibility = ["//visibility:private"],
        )
        wrapped.append(wrapper)
    if CUDA_AVAILABLE:
        cuda_library(
            name = name + "_cuda",
            srcs = srcs,
            hdrs = hdrs,
            copts = _CUDA_OPTIONS + cuda_copts,
            defines = ["SYNCLINE_KERNELS_HAVE_CUDA_APART=%d" % (1 if cuda_apart else 0)],
            alwayslink = cuda_apart,
            testonly = testonly,
            visibility = visibility if cuda_apart else ["//visibility:private"],
            deps = deps,
        )
    refers_to_cuda = CUDA_AVAILABLE and not cuda_apart
    native.cc_library(
        name = name,
        srcs = wrapped,
        hdrs = hdrs,
        textual_hdrs = srcs,
        copts = _UNFUSED_CPP + copts,
        local_defines = ["SYNCLINE_KERNELS_HAVE_CUDA=%d" % (1 if refers_to_cuda else 0)],
        # The forms for CUDA refer to them.
        alwayslink = cuda_apart,
        testonly = testonly,
        visibility = visibility,
        deps = deps + ([":%s_cuda" % name] if CUDA_AVAILABLE else []),
        **kwargs
    )
