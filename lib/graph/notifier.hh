// Notifiers: how a queue tells sources that it is full and pullers that it is empty, so that they
// stop being scheduled for nothing.
//
// A queue owns one for each; Router::signal() finds those that matter to a port, through any number
// of agnostic elements in between, and registers the task that is to be woken.
#pragma once

#include <cstdint>
#include <vector>

#include "headroom/graph/task.hh"

namespace headroom {

class Notifier {
 public:
  // What it tells: that packets can be pulled, or that there is room to push.
  enum class Kind : uint8_t { nonempty, nonfull };

  bool active() const { return active_; }
  void wake() {
    if (active_) return;
    active_ = true;
    for (Task* task : listeners_) task->schedule();
  }
  void sleep() { active_ = false; }
  void add_listener(Task& task) { listeners_.push_back(&task); }

 private:
  bool active_ = true;
  std::vector<Task*> listeners_;
};

// The notifiers that one port depends on. With none it is always active: who asks must poll.
class Signal {
 public:
  void add(const Notifier& notifier) { notifiers_.push_back(&notifier); }
  bool active() const {
    for (const Notifier* notifier : notifiers_)
      if (notifier->active()) return true;
    return notifiers_.empty();
  }

 private:
  std::vector<const Notifier*> notifiers_;
};

}  // namespace headroom
