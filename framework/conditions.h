// ConditionBase, for conditions of your own, and the conditions that there are,
// for calculators that ask or set one by cc->Condition<T>("name").
#ifndef SYNCLINE_FRAMEWORK_CONDITIONS_H_
#define SYNCLINE_FRAMEWORK_CONDITIONS_H_

#include "framework/condition/asynchronous_condition.h"
#include "framework/condition/behavior.h"
#include "framework/condition/behavior_condition.h"
#include "framework/condition/boolean_condition.h"
#include "framework/condition/condition.h"
#include "framework/condition/count_condition.h"
#include "framework/condition/downstream_message_affordable_condition.h"
#include "framework/condition/expiring_message_available_condition.h"
#include "framework/condition/memory_available_condition.h"
#include "framework/condition/message_available_condition.h"
#include "framework/condition/multi_message_available_condition.h"
#include "framework/condition/multi_message_available_timeout_condition.h"
#include "framework/condition/none_condition.h"
#include "framework/condition/period_text.h"
#include "framework/condition/periodic_condition.h"
#include "framework/condition/target_time_condition.h"

#endif  // SYNCLINE_FRAMEWORK_CONDITIONS_H_
