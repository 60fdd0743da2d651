#include "headroom/graph/scheduler.hh"

#include <pthread.h>

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <thread>

#include "headroom/graph/element.hh"
#include "headroom/graph/hand_off.hh"
#include "headroom/graph/rcu.hh"
#include "headroom/graph/router.hh"
#include "headroom/graph/signals.hh"

namespace headroom {
namespace {

// How often the inbox is gone through before other tasks get their turn: a packet that circles for
// ever must not stop the worker.
constexpr int kInboxPasses = 16;

uint64_t this_thread() { return std::hash<std::thread::id>{}(std::this_thread::get_id()) | 1; }

}  // namespace

Task::Task(Element& owner) : owner_(owner) { owner.tasks_.push_back(this); }

Task::~Task() {
  if (scheduler_ != nullptr) scheduler_->remove(*this);
}

void Task::schedule() {
  if (scheduled_) return;
  scheduled_ = true;
  if (scheduler_ != nullptr) ++scheduler_->scheduled_;
}

void Task::unschedule() {
  if (!scheduled_) return;
  scheduled_ = false;
  if (scheduler_ != nullptr) --scheduler_->scheduled_;
}

Timer::Timer(Element& owner) : owner_(owner) { owner.timers_.push_back(this); }

Timer::~Timer() { unschedule(); }

void Timer::schedule_at(int64_t time) {
  assert(scheduler_ != nullptr && "timers can be scheduled from initialize() on");
  unschedule();
  expiry_ = time;
  order_ = scheduler_->timer_order_++;
  scheduled_ = true;
  scheduler_->timers_.insert(this);
}

void Timer::schedule_after(int64_t delay) {
  int64_t time;
  if (__builtin_add_overflow(scheduler_->clock().now(), delay, &time))
    time = INT64_MAX;  // as good as never
  schedule_at(time);
}

void Timer::unschedule() {
  if (!scheduled_) return;
  scheduled_ = false;
  scheduler_->timers_.erase(this);
}

Scheduler::~Scheduler() {
  for (auto& parked : inbox_) parked->batch.kill();
  for (Router* router : routers_) router->scheduler_ = nullptr;
  for (Task* task : tasks_) task->scheduler_ = nullptr;
  for (Timer* timer : timers_) timer->scheduled_ = false;
}

void Scheduler::add(Task& task) {
  task.scheduler_ = this;
  tasks_.push_back(&task);
  if (task.scheduled_) ++scheduled_;
}

void Scheduler::add(Timer& timer) { timer.scheduler_ = this; }

void Scheduler::remove(Task& task) {
  task.unschedule();
  // From the end: a router's elements end in reverse order, and there may be many.
  const auto found = std::find(tasks_.rbegin(), tasks_.rend(), &task);
  if (found != tasks_.rend()) tasks_.erase(std::next(found).base());
  task.scheduler_ = nullptr;
}

void Scheduler::add(Router& router) { routers_.push_back(&router); }

void Scheduler::remove(Router& router) {
  std::erase(routers_, &router);
  std::erase_if(inbox_, [&](const std::unique_ptr<Parked>& parked) {
    if (&parked->to->router() != &router) return false;
    in_transit_.subtract(parked->batch.size());
    parked->batch.kill();
    return true;
  });
}

bool Scheduler::run_round() {
  rounds_.add(1);
  bool worked = false;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    Task& task = *tasks_[i];
    if (!task.scheduled_) continue;
    uint32_t turns = task.take_turns();
    worked |= turns == 0;  // it waits for its turn, not for packets
    for (; turns > 0 && task.scheduled_; --turns) {
      at_work_.store(&task.owner_, std::memory_order_relaxed);
      worked |= task.owner_.run_task(task);
      if (!inbox_.empty()) [[unlikely]]
        worked |= run_inbox();
    }
  }
  at_work_.store(nullptr, std::memory_order_relaxed);
  if (!inlets_.empty()) worked |= run_inlets();
  if (!inbox_.empty()) worked |= run_inbox();
  if (has_posted_.load(std::memory_order_relaxed)) worked |= run_posted();
  if (!listeners_.empty()) [[unlikely]]
    worked |= run_listeners();
  if (!timers_.empty()) worked |= run_timers();
  if (rcu_ != nullptr) rcu_->quiescent(reader_);
  return worked;
}

void Scheduler::run_until_idle(uint64_t max_rounds) {
  for (uint64_t round = 0; round < max_rounds && !stopped(); ++round) {
    const bool worked = run_round();
    if (!inbox_.empty() || has_posted_.load(std::memory_order_relaxed) ||
        (worked && scheduled_ != 0))
      continue;
    if (jump_to_next_timer()) continue;
    if (scheduled_ == 0 && timers_.empty()) break;
  }
}

bool Scheduler::jump_to_next_timer() {
  if (!clock_.simulated() || timers_.empty()) return false;
  clock_.jump_to((*timers_.begin())->expiry_);
  return true;
}

std::optional<int64_t> Scheduler::next_timer() const {
  if (timers_.empty()) return std::nullopt;
  return (*timers_.begin())->expiry_;
}

bool Scheduler::run_inlets() {
  bool ran = false;
  for (Inlet* inlet : inlets_) {
    ran |= inlet->deliver();
    if (!inbox_.empty()) [[unlikely]]
      run_inbox();
  }
  return ran;
}

bool Scheduler::run_listeners() {
  bool ran = false;
  for (std::size_t i = 0; i < listeners_.size();) {
    SignalListener* const listener = listeners_[i];
    ran |= listener->deliver();
    // One that has ended meanwhile has left its place to the next.
    if (i < listeners_.size() && listeners_[i] == listener) ++i;
  }
  return ran;
}

bool Scheduler::run_timers() {
  const int64_t now = clock_.now();
  bool ran = false;
  // A timer that schedules itself for now runs again in the next round, not in this one.
  const uint64_t newest = timer_order_;
  while (true) {
    // Those that were scheduled meanwhile may be first, and must not keep others from their turn.
    const auto next = std::find_if(timers_.begin(), timers_.end(), [&](const Timer* timer) {
      return timer->expiry_ > now || timer->order_ < newest;
    });
    if (next == timers_.end() || (*next)->expiry_ > now) break;
    Timer* timer = *next;
    timer->unschedule();
    at_work_.store(&timer->owner_, std::memory_order_relaxed);
    timer->owner_.run_timer(*timer);
    at_work_.store(nullptr, std::memory_order_relaxed);
    if (!inbox_.empty()) run_inbox();
    ran = true;
  }
  return ran;
}

void Scheduler::post(std::function<void()> work) {
  std::lock_guard lock(posted_mutex_);
  posted_.push_back(std::move(work));
  has_posted_.store(true, std::memory_order_release);
}

void Scheduler::call(const std::function<void()>& work) {
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  {
    // Under the lock, so that a thread that leaves just now either sees the work or is seen to have
    // left.
    std::unique_lock posted(posted_mutex_);
    const uint64_t owner = thread_.load(std::memory_order_relaxed);
    if (owner == 0 || owner == this_thread()) {
      posted.unlock();
      return work();
    }
    posted_.push_back([&] {
      work();
      std::lock_guard lock(mutex);
      done = true;
      finished.notify_one();
    });
    has_posted_.store(true, std::memory_order_release);
  }
  std::unique_lock lock(mutex);
  finished.wait(lock, [&] { return done; });
}

void Scheduler::adopt_thread() {
  if (rcu_ != nullptr) rcu_->online(reader_);
  clockid_t clock = 0;
  if (pthread_getcpuclockid(pthread_self(), &clock) == 0)
    thread_clock_.store(clock, std::memory_order_relaxed);
  std::lock_guard lock(posted_mutex_);
  thread_.store(this_thread(), std::memory_order_relaxed);
}

std::optional<int64_t> Scheduler::thread_time() const {
  timespec time{};
  if (thread_.load(std::memory_order_relaxed) == 0 ||
      clock_gettime(thread_clock_.load(std::memory_order_relaxed), &time) != 0)
    return std::nullopt;
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void Scheduler::release_thread() {
  {
    std::lock_guard lock(posted_mutex_);
    thread_.store(0, std::memory_order_relaxed);
  }
  run_posted();
  if (rcu_ != nullptr) rcu_->offline(reader_);
}

bool Scheduler::run_posted() {
  std::vector<std::function<void()>> work;
  {
    std::lock_guard lock(posted_mutex_);
    work.swap(posted_);
    has_posted_.store(false, std::memory_order_relaxed);
  }
  for (auto& one : work) one();
  return !work.empty();
}

void Scheduler::park(Element& to, uint32_t port, PacketBatch& batch) {
  in_transit_.add(batch.size());
  to.parked_.add(batch.size());
  if (!inbox_.empty()) {
    Parked& newest = *inbox_.back();
    if (newest.to == &to && newest.port == port && newest.batch.room() >= batch.size())
      return newest.batch.append(batch);
  }
  std::unique_ptr<Parked> parked;
  if (spare_.empty()) {
    parked = std::make_unique<Parked>();
  } else {
    parked = std::move(spare_.back());
    spare_.pop_back();
  }
  parked->to = &to;
  parked->port = port;
  parked->batch.append(batch);
  inbox_.push_back(std::move(parked));
}

bool Scheduler::run_inbox() {
  bool ran = false;
  for (int pass = 0; pass < kInboxPasses && !inbox_.empty(); ++pass) {
    for (std::size_t left = inbox_.size(); left > 0; --left) {
      std::unique_ptr<Parked> parked = std::move(inbox_.front());
      inbox_.pop_front();
      in_transit_.subtract(parked->batch.size());
      parked->to->parked_.subtract(parked->batch.size());
      OutputPort::deliver(*parked->to, parked->port, parked->batch);
      spare_.push_back(std::move(parked));
      ran = true;
    }
  }
  return ran;
}

}  // namespace headroom
