// What one worker runs: tasks in turn, timers when they are due, and the inbox of batches that took
// a back edge of the graph.
//
// A push goes depth first, so an element could come to be twice on the stack where the graph has a
// cycle. Such edges end in the inbox instead, which is emptied after the chain has unwound.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "headroom/base/clock.hh"
#include "headroom/graph/cell.hh"
#include "headroom/graph/task.hh"
#include "headroom/packet/packet_batch.hh"

namespace headroom {

class Inlet;
class Rcu;
class Router;
class SignalListener;

class Scheduler {
 public:
  // While a thread runs it, it is reader number `reader` of `rcu`, unless that is null.
  explicit Scheduler(Clock& clock, Rcu* rcu = nullptr, uint32_t reader = 0)
      : clock_(clock), rcu_(rcu), reader_(reader) {}
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  Clock& clock() { return clock_; }

  // One round: every scheduled task once, each followed by the inbox; then posted work and timers
  // that are due. Returns whether any task found work, or anything else ran.
  bool run_round();
  // Rounds until nothing is left to do now or at a timer (simulated clocks jump), `stop()` was
  // called, or `max_rounds` have passed. For tests and for routers whose sources end.
  void run_until_idle(uint64_t max_rounds = UINT64_MAX);
  // A simulated clock with nothing to do jumps to the next timer; returns whether it did.
  bool jump_to_next_timer();

  bool has_scheduled_tasks() const { return scheduled_ != 0; }
  std::optional<int64_t> next_timer() const;
  // From any thread: how many rounds have begun, and whose task or timer is at work, or null.
  uint64_t rounds() const { return rounds_.get(); }
  const Element* at_work() const { return at_work_.load(std::memory_order_relaxed); }
  // From any thread: the processor time that the worker's thread has used, in nanoseconds; nothing
  // if there is no such thread now.
  std::optional<int64_t> thread_time() const;

  // From any thread: runs `work` on this worker, between batches.
  void post(std::function<void()> work);
  // From any thread: like post(), and waits until it is done. On the worker's own thread it is done
  // at once.
  void call(const std::function<void()>& work);
  // The thread that calls this is the worker's own, until it calls release_thread().
  void adopt_thread();
  void release_thread();

  // Tasks and timers of a router that is about to run here.
  void add(Task& task);
  void add(Timer& timer);
  // The router itself, so that either may end first. When the router does, what is on its way to
  // its elements is freed.
  void add(Router& router);
  void remove(Router& router);
  // Rings from other workers, which are emptied in every round.
  void add(Inlet& inlet) { inlets_.push_back(&inlet); }
  void remove(Inlet& inlet) { std::erase(inlets_, &inlet); }
  bool run_inlets();
  // Who is told, between two rounds, of signals of the process.
  void add(SignalListener& listener) { listeners_.push_back(&listener); }
  void remove(SignalListener& listener) { std::erase(listeners_, &listener); }

  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // The inbox. park() takes the packets of a batch for `to`; in_transit() counts them.
  void park(Element& to, uint32_t port, PacketBatch& batch);
  bool run_inbox();
  uint64_t in_transit() const { return in_transit_.get(); }

 private:
  friend class Task;
  friend class Timer;
  struct Parked {
    Element* to = nullptr;
    uint32_t port = 0;
    PacketBatch batch;
  };
  struct Earlier {
    bool operator()(const Timer* a, const Timer* b) const {
      return a->expiry_ != b->expiry_ ? a->expiry_ < b->expiry_ : a->order_ < b->order_;
    }
  };

  bool run_posted();
  bool run_listeners();
  bool run_timers();
  void remove(Task& task);

  Clock& clock_;
  Rcu* rcu_;
  uint32_t reader_;
  std::vector<Router*> routers_;
  std::vector<Inlet*> inlets_;
  std::vector<SignalListener*> listeners_;
  std::vector<Task*> tasks_;
  std::size_t scheduled_ = 0;
  std::set<Timer*, Earlier> timers_;
  uint64_t timer_order_ = 0;
  Cell rounds_;
  std::atomic<const Element*> at_work_{nullptr};
  std::deque<std::unique_ptr<Parked>> inbox_;
  std::vector<std::unique_ptr<Parked>> spare_;
  Cell in_transit_;
  std::atomic<bool> stopped_{false};

  std::mutex posted_mutex_;
  std::vector<std::function<void()>> posted_;
  std::atomic<bool> has_posted_{false};
  std::atomic<uint64_t> thread_{0};
  std::atomic<clockid_t> thread_clock_{0};
};

}  // namespace headroom
