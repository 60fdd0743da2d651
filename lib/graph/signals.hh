// Signals of the process that run something on a worker, between two rounds.
//
//   SignalListener listener([this](int number) { ... });
//   listener.listen(scheduler, {SIGHUP});     // once there is a worker
//   listener.stop();                          // SIGHUP means again what it meant before
//
// What came several times before it could be told is told once. All who listen to a signal are
// told.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace headroom {

class Scheduler;

class SignalListener {
 public:
  explicit SignalListener(std::function<void(int number)> run) : run_(std::move(run)) {}
  ~SignalListener() { stop(); }
  SignalListener(const SignalListener&) = delete;
  SignalListener& operator=(const SignalListener&) = delete;

  // Whether a signal can be listened to: not those that end or stop the process at once, tell of a
  // fault in it, or are the program's own.
  static bool can_listen(int number);

  // On the worker, as are the others, or before it runs.
  void listen(Scheduler& scheduler, const std::vector<int>& numbers);
  void stop();
  bool listens() const { return scheduler_ != nullptr; }

 private:
  friend class Scheduler;
  struct Taken {
    int number;
    uint32_t seen;  // of its arrivals
  };

  // Tells of what has arrived; returns whether anything had.
  bool deliver();

  std::function<void(int)> run_;
  Scheduler* scheduler_ = nullptr;
  std::vector<Taken> taken_;
};

}  // namespace headroom
