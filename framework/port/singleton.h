// Singleton<T>: one T for the process, made at the first Get and never
// destroyed.
//
// Thread rule: Get on any thread. T itself decides who may call it.
// Tested by singleton_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_
#define SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_

namespace syncline {

template <typename T>
class Singleton {
 public:
  static T* get() {
    static T* const instance = new T();
    return instance;
  }

  Singleton() = delete;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_
