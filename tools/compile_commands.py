"""Writes compile_commands.json for editors and clang tools.

    ./bazelw run //tools:compdb [-- LABELS]      default: //...

Generated headers (.pb.h) are built first, so that the commands work.
"""
import json
import os
import subprocess
import sys

# g++'s own, which clang does not know.
GCC_ONLY = ("-fno-canonical-system-headers", "-Wno-free-nonheap-object")


def bazelw(root, *args):
    return subprocess.run([os.path.join(root, "bazelw"), *args], cwd=root,
                          check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def build_generated_headers(root, scope):
    protos = bazelw(root, "query", f'kind("cc_proto_library", {scope})').split()
    if protos:
        bazelw(root, "build", *protos)


def commands(root, scope="//..."):
    """The entries: one for each source of ours, as bazel compiles it."""
    execution_root = bazelw(root, "info", "execution_root").strip()
    actions = json.loads(bazelw(
        root, "aquery", "--output=jsonproto", "--include_artifacts=false",
        f'mnemonic("CppCompile", {scope})')).get("actions", [])
    entries = {}
    for action in actions:
        arguments = [a for a in action["arguments"] if a not in GCC_ONLY]
        source = arguments[arguments.index("-c") + 1]
        if not source.startswith(("bazel-out/", "external/")):
            entries.setdefault(source, {
                "directory": execution_root,
                "file": os.path.join(root, source),
                "arguments": arguments,
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
