"""CUDA_PARTS: all that needs CUDA, so that an installation can have it apart."""

load("//third_party/system:cuda_library.bzl", "REQUIRES_CUDA")

# Empty where no toolkit is.
CUDA_PARTS = [] if REQUIRES_CUDA else [
    "//gpu/cuda:cuda_driver",
    "//gpu/cuda:cuda_status",
    "//gpu/cuda:cuda_support",
    "//gpu/cuda:green_contexts",
    "//gpu/cuda:host_calls",
    "//gpu/cuda:nvtx",
    "//gpu/cuda:query_devices",
    "//gpu/cuda:runtime_calls",
    "//gpu/kernels:color_kernels_cuda",
    "//gpu/kernels:image_kernels_cuda",
    "//gpu/kernels:tensor_kernels_cuda",
    "@local_cuda//:cuda_runtime",
]
