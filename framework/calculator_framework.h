// All that the author of a calculator includes.
//
// The calculator's base class, its contract and context, packets, timestamps,
// options, services, registration and the status macros. It does not bring what
// runs graphs.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_FRAMEWORK_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_FRAMEWORK_H_

#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/counter.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/register_calculator.h"
#include "framework/calculator/service.h"
#include "framework/calculator/side_packets.h"
#include "framework/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/port.h"
#include "framework/port/ret_check.h"
#include "framework/port/status.h"
#include "framework/port/status_macros.h"
#include "framework/port/statusor.h"
#include "framework/timestamp.h"
#include "framework/tool/status_util.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_FRAMEWORK_H_
