#!/bin/bash
# run_graph_device_test.sh RUN_GRAPH HELLO_GRAPH GRAPH DEVICE_GRAPH GRAPH: how
# run_graph is told on which device the nodes of a graph work, and what a graph
# with device nodes needs beside it: nothing. HELLO_GRAPH is the program of a graph
# that uses no device, DEVICE_GRAPH that of one which does; nobody told either so.
set -uo pipefail
run_graph=$1
hello_graph=$2
hello_graph_file=$3
device_graph=$4
device_graph_file=$5
source "$(dirname "$0")/expect.sh"

run() {
  "$run_graph" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

# A program has devices where its graph can use one.
run_graph=$device_graph run --device=help
expect "a program of a graph with devices has them" says out "stand_in:0"
run_graph=$device_graph run --graph="$device_graph_file" --check
expect "and the conditions on their work" exits 0
run_graph=$hello_graph run --device=help
expect "a program of another graph has none" says out \
  "There are no devices for --device to name"
expect "which is no error to ask" exits 0
run_graph=$hello_graph run --graph="$hello_graph_file" --device=stand_in
expect "but to choose one is" exits 2
expect "that says what to add" says err "add //tools:run_graph_devices to its deps"
run_graph=$hello_graph run --version
expect "its version says that it has none" says out "devices: none, as"
run --version
expect "that of run_graph says what there is of CUDA" says out "CUDA device"

cat >"$dir/graph.pbtxt" <<'END'
input_stream: "in"
node { calculator: "PassThroughCalculator" input_stream: "in" output_stream: "out" }
END

run --device=help
expect "--device=help exits with 0" exits 0
expect "--device=help lists the stand-in" says out "stand_in:0"
expect "--device=help lists all of its devices" says out "stand_in:1"
expect "--device=help says nothing on standard error" silent err

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in:1
expect "a run on a device that there is exits with 0" exits 0
expect "the device is named" says err 'run_graph: Device stand_in:1 "'
expect "and why it is that one" says err ', as asked for.'

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in
expect "a kind means its first device" says err 'run_graph: Device stand_in:0 "'

run --graph="$dir/graph.pbtxt" --input=in=/dev/null
expect "a graph that uses no device says nothing of one" \
  test -z "$(grep Device "$dir/err")"

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=abacus
expect "a device that there is not is a usage error" exits 2
expect "its name is in the message" says err '--device: There is no device "abacus"'
expect "so are those that there are" says err 'stand_in:0, stand_in:1'

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in:9
expect "a number that there is not is a usage error" exits 2
run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in:x
expect "what is no number is a usage error" exits 2

# Memory of devices, conditions on their work, and the nodes between them: a
# sound of half a second becomes five pictures of its spectrum.
{
  printf 'RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0'
  printf '\x02\0\x10\0data\x40\x1f\0\0'
  seq 1000 9999 | head -c 8000
} >"$dir/sound.wav"
sound=--input_side_packets=path=$dir/sound.wav
# device_graph STORAGE BLOCK_SIZE CONDITION [PINNED_BLOCKS]
device_graph() {
  cat <<END
input_side_packet: "path"
output_stream: "frames_back"
allocator {
  name: "device"
  type: "BlockMemoryPool"
  options {
    [syncline.BlockMemoryPoolOptions.ext] {
      storage_type: $1 block_size_text: "$2" num_blocks: 3
    }
  }
}
allocator {
  name: "pinned"
  type: "BlockMemoryPool"
  options {
    [syncline.BlockMemoryPoolOptions.ext] {
      storage_type: HOST block_size_text: "64KB" num_blocks: ${4:-5}
    }
  }
}
node {
  calculator: "AudioDecoderCalculator"
  input_side_packet: "INPUT_FILE_PATH:path"
  output_stream: "AUDIO:audio"
}
node {
  calculator: "SpectrogramCalculator"
  input_stream: "audio"
  output_stream: "spectrogram"
  options {
    [syncline.SpectrogramCalculatorOptions.ext] {
      frame_duration_seconds: 0.064
      output_type: DECIBELS
    }
  }
}
node {
  calculator: "SpectrogramImageCalculator"
  input_stream: "spectrogram"
  output_stream: "frames"
  options {
    [syncline.SpectrogramImageCalculatorOptions.ext] {
      mode: SCROLLING width: 32 height: 16
    }
  }
}
node {
  calculator: "ImageFrameToGpuBufferCalculator"
  name: "upload"
  input_stream: "frames"
  output_stream: "images"
  options {
    [syncline.GpuMemoryOptions.ext] {
      allocator: "device" host_allocator: "pinned"
    }
  }
  condition {
    type: "MemoryAvailableCondition"
    options {
      [syncline.MemoryAvailableConditionOptions.ext] {
        allocator: "device" min_bytes: 1536
      }
    }
  }
}
node {
  calculator: "GpuEdgesCalculator"
  name: "edges"
  input_stream: "images"
  output_stream: "edges"
  options { [syncline.CudaStreamPoolOptions.ext] { } }
}
node {
  calculator: "GpuBufferToImageFrameCalculator"
  name: "download"
  input_stream: "edges"
  output_stream: "frames_back"
  condition { type: "$3" }
}
END
}

device_graph DEVICE 64KB CudaStreamCondition >"$dir/device.pbtxt"
for device in stand_in:0 stand_in:1; do
  run --graph="$dir/device.pbtxt" "$sound" --device=$device
  expect "a graph with memory and conditions of $device runs" exits 0
  expect "with all that it has to do" says err "6 nodes sent 29 packets"
done
run --graph="$dir/device.pbtxt" "$sound"
expect "so it does on the device that is there" exits 0
expect "which the log names" says err "Device "
for condition in CudaStreamSchedulingTerm CudaBufferAvailableCondition \
  CudaBufferAvailableSchedulingTerm; do
  device_graph DEVICE 64KB $condition >"$dir/device.pbtxt"
  run --graph="$dir/device.pbtxt" "$sound" --device=stand_in
  expect "a graph with $condition runs" exits 0
done

# Values of the device in a recording.
device_graph DEVICE 64KB CudaStreamCondition >"$dir/device.pbtxt"
rm -f "$dir/run.syncline"
run --graph="$dir/device.pbtxt" "$sound" \
  --device=stand_in --record="$dir/run.syncline" '--record_streams=*'
expect "a run with values on a device is recorded" exits 0
expect "the log tells how they come to the host" says err \
  'Values on stand_in:0 are copied to the host'
expect "once" test "$(grep -c 'are copied to the host' "$dir/err")" -eq 1
run --replay="$dir/run.syncline" --check --device=stand_in
expect "and has the same results in a replay" exits 0

device_graph DEVICE 1TB CudaStreamCondition >"$dir/device.pbtxt"
run --graph="$dir/device.pbtxt" "$sound" --device=stand_in:1
expect "memory that the device has not is an error" exits 1
expect "of the device that --device names" says err "stand_in:1"

device_graph DEVICE 64KB CudaEventCondition >"$dir/device.pbtxt"
run --graph="$dir/device.pbtxt" "$sound" --device=stand_in
expect "an event that no packet has is an error" exits 1
expect "that names the node" says err "download"

run --describe=CudaEventCondition
expect "conditions on devices are described" says out "event_name"
run --describe=RMMAllocator
expect "so are allocators of their memory" says out "host_memory_max_size"

# Many orders: of the device's work, too.
device_graph DEVICE 64KB CudaStreamCondition >"$dir/device.pbtxt"
for flag in --strict --device=stand_in; do
  run --graph="$dir/device.pbtxt" "$sound" --explore=40 $flag
  expect "a graph with device nodes is explored, with $flag" exits 0
  expect "as often as was asked for" says err \
    "40 schedules, all with the same outputs"
done
# No condition waits for pinned memory: with fewer blocks than pictures it runs
# out if the device is slow, which may happen in a run, and is found here.
device_graph DEVICE 64KB CudaStreamCondition 2 >"$dir/short.pbtxt"
run --graph="$dir/short.pbtxt" "$sound" --explore=500
expect "a pool that is too small for a slow device is found" exits 1
expect "with a seed" says err " and seed "
expect "and the pool" says err '"pinned" has no free block'
run --graph="$dir/device.pbtxt" "$sound" --explore=2 \
  --device=stand_in:1
expect "--explore has devices of its own" exits 2
expect "and says which" says err 'stand_in:0'
device_graph DEVICE 64KB CudaEventCondition >"$dir/device.pbtxt"
run --graph="$dir/device.pbtxt" "$sound" --explore=2
expect "an error in each order is an error" exits 1
expect "with the seed" says err "seed 0"
expect "and the reason" says err "download"

for check in true false; do
  run --graph="$dir/graph.pbtxt" --input=in=/dev/null \
    --check_device_access="$check"
  expect "--check_device_access=$check is a run as any other" exits 0
done
run --graph="$dir/graph.pbtxt" --input=in=/dev/null --check_device_access=maybe
expect "what is neither true nor false is a usage error" exits 2
expect "the flag is named" says err '--check_device_access cannot be "maybe"'
run --graph="$dir/graph.pbtxt" --check_device_access
expect "it needs a value" exits 2

finish_test
