"""Writes compile_commands.json for editors and clang tools.

    ./bazelw run //tools:compdb [-- LABELS]      default: //...

Generated headers (.pb.h) are built first, so that the commands work.
"""
import json
import os
import subprocess
import sys

# g++'s own, which clang does not know.
GCC_ONLY = ("-fno-canonical-system-headers", "-fno-gnu-unique",
            "-Wno-free-nonheap-object", "--param=ggc-min-heapsize=1048576")


def bazelw(root, *args):
    """What it prints; what a broken target keeps it from is left out."""
    command, *rest = args
    done = subprocess.run(
        [os.path.join(root, "bazelw"), command,
         *(["--keep_going"] if command != "info" else []), *rest],
        cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        errors = [l for l in done.stderr.splitlines() if "ERROR" in l]
        print("\n".join(errors), file=sys.stderr)
        if not done.stdout and command != "build":
            sys.exit(f"bazelw {command} failed")
    return done.stdout


def without_precompiled_header(arguments):
    """The image of tools/build_rules is g++'s: clang refuses it."""
    if "-include" in arguments:
        at = arguments.index("-include")
        if "/tools/build_rules/" in arguments[at + 1]:
            return arguments[:at] + arguments[at + 2:]
    return arguments


def build_generated_headers(root, scope):
    protos = bazelw(root, "query", f'kind("cc_proto_library", {scope})').split()
    if protos:
        bazelw(root, "build", *protos)


def with_joined_tests(root, scope):
    """The scope, and its tests that run as part of their folder's program.

    Those have the tag "manual", so //... alone leaves them out.
    """
    joined = bazelw(root, "query", f'attr(tags, joined, {scope})').split()
    return f"{scope} + set({' '.join(joined)})" if joined else scope


def commands(root, scope="//..."):
    """The entries: one for each source of ours, as bazel compiles it."""
    # From the root, where bazel-out leads to generated headers; only external
    # repositories have to be named by their full paths.
    base = bazelw(root, "info", "output_base").strip()
    actions = json.loads(bazelw(
        root, "aquery", "--define=joined_sources=no",
        "--output=jsonproto", "--include_artifacts=false",
        f'mnemonic("CppCompile", {with_joined_tests(root, scope)})')).get("actions", [])
    entries = {}
    for action in actions:
        arguments = [f"{base}/{a}" if a.startswith("external/") else a
                     for a in action["arguments"] if a not in GCC_ONLY]
        source = arguments[arguments.index("-c") + 1]
        if not source.startswith(("bazel-out/", "external/")):
            entries.setdefault(source, {
                "directory": root,
                "file": os.path.join(root, source),
                "arguments": without_precompiled_header(arguments),
            })
    return list(entries.values())


def write(root, scope="//..."):
    build_generated_headers(root, scope)
    entries = commands(root, scope)
    path = os.path.join(root, "compile_commands.json")
    with open(path, "w") as f:
        json.dump(entries, f, indent=1)
    print(f"{path}: {len(entries)} files")
    return entries


if __name__ == "__main__":
    write(os.environ["SYNCLINE_ROOT"],
          "set(%s)" % " ".join(sys.argv[1:]) if sys.argv[1:] else "//...")
