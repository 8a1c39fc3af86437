package io.kipimo.simulator.engine;

import java.util.Arrays;

/**
 * Virtual time and its queue of events. Events at one time run in the order in which they were scheduled, so a run
 * depends on its inputs alone. There are no wall clock and no threads.
 *
 * <p>The queue is an indexed 4-ary heap over primitive arrays: scheduling allocates nothing, and a timer can be moved
 * or cancelled in place, so no stale events accumulate.
 */
public final class Engine {
    /** Position of a timer that is not in the queue. */
    private static final int IDLE = -1;

    /** Position of a timer whose number is not in use. */
    private static final int FREE = -2;

    private static final int ARITY_BITS = 2;
    private static final int ARITY = 1 << ARITY_BITS;

    // The heap, in heap order.
    private long[] heapNanos = new long[1024];
    private long[] heapOrder = new long[1024];
    private int[] heapTimer = new int[1024];
    private int size;

    // Timers, by number.
    private int[] position = new int[1024];
    private boolean[] once = new boolean[1024];
    private Handler[] handlers = new Handler[1024];
    private long[] arguments = new long[1024];
    private int timers;
    private int[] free = new int[1024];
    private int frees;

    private long nowNanos;
    private long scheduled;
    private long fired;

    /** Time since the start of the simulation. */
    public long nowNanos() {
        return nowNanos;
    }

    /** Number of events so far. */
    public long events() {
        return fired;
    }

    /**
     * Schedules a handler once.
     *
     * @param atNanos not in the past
     * @return the timer, until it fires or is cancelled; then its number is reused
     */
    public int schedule(long atNanos, Handler handler, long argument) {
        int timer = allocate(handler, argument, true);
        insert(timer, atNanos);
        return timer;
    }

    /** Returns a timer that can be set repeatedly. It is not set yet. */
    public int timer(Handler handler, long argument) {
        return allocate(handler, argument, false);
    }

    /** Sets a timer, or moves it. */
    public void set(int timer, long atNanos) {
        int at = position[timer];
        if (at == IDLE) {
            insert(timer, atNanos);
            return;
        }
        check(timer, atNanos);
        long order = scheduled++;
        boolean earlier = atNanos < heapNanos[at];
        heapNanos[at] = atNanos;
        heapOrder[at] = order;
        if (earlier) {
            rise(at);
        } else {
            sink(at);
        }
    }

    /** Cancels a timer, and releases a one-time timer. A timer that is not set stays as it is. */
    public void cancel(int timer) {
        int at = position[timer];
        if (at < 0) {
            return;
        }
        remove(at);
        position[timer] = IDLE;
        if (once[timer]) {
            release(timer);
        }
    }

    /** Runs all events up to and at {@code untilNanos}, which is the current time afterwards. */
    public void run(long untilNanos) {
        while (size > 0 && heapNanos[0] <= untilNanos) {
            step();
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    /**
     * Runs the next event.
     *
     * @return whether there was one
     */
    public boolean step() {
        if (size == 0) {
            return false;
        }
        int timer = heapTimer[0];
        nowNanos = heapNanos[0];
        remove(0);
        position[timer] = IDLE;
        Handler handler = handlers[timer];
        long argument = arguments[timer];
        if (once[timer]) {
            release(timer);
        }
        fired++;
        handler.fire(argument);
        return true;
    }

    private int allocate(Handler handler, long argument, boolean isOnce) {
        int timer;
        if (frees > 0) {
            timer = free[--frees];
        } else {
            timer = timers++;
            if (timer == position.length) {
                int capacity = 2 * timer;
                position = Arrays.copyOf(position, capacity);
                once = Arrays.copyOf(once, capacity);
                handlers = Arrays.copyOf(handlers, capacity);
                arguments = Arrays.copyOf(arguments, capacity);
                free = Arrays.copyOf(free, capacity);
                heapNanos = Arrays.copyOf(heapNanos, capacity);
                heapOrder = Arrays.copyOf(heapOrder, capacity);
                heapTimer = Arrays.copyOf(heapTimer, capacity);
            }
        }
        position[timer] = IDLE;
        once[timer] = isOnce;
        handlers[timer] = handler;
        arguments[timer] = argument;
        return timer;
    }

    private void release(int timer) {
        position[timer] = FREE;
        handlers[timer] = null;
        free[frees++] = timer;
    }

    private void insert(int timer, long atNanos) {
        check(timer, atNanos);
        int at = size++;
        heapNanos[at] = atNanos;
        heapOrder[at] = scheduled++;
        heapTimer[at] = timer;
        position[timer] = at;
        rise(at);
    }

    private void check(int timer, long atNanos) {
        if (atNanos < nowNanos || position[timer] == FREE) {
            throw new IllegalArgumentException("timer %s%s is set to %s ns; allowed: at least now, %s ns"
                    .formatted(timer, position[timer] == FREE ? ", which is gone," : "", atNanos, nowNanos));
        }
    }

    private void remove(int at) {
        int last = --size;
        if (at == last) {
            return;
        }
        long lastNanos = heapNanos[last];
        boolean earlier = lastNanos < heapNanos[at];
        heapNanos[at] = lastNanos;
        heapOrder[at] = heapOrder[last];
        heapTimer[at] = heapTimer[last];
        position[heapTimer[at]] = at;
        if (earlier) {
            rise(at);
        } else {
            sink(at);
            rise(at);
        }
    }

    private void rise(int from) {
        long nanos = heapNanos[from];
        long order = heapOrder[from];
        int timer = heapTimer[from];
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >> ARITY_BITS;
            if (!isBefore(nanos, order, parent)) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        put(nanos, order, timer, at);
    }

    private void sink(int from) {
        long nanos = heapNanos[from];
        long order = heapOrder[from];
        int timer = heapTimer[from];
        int at = from;
        while (true) {
            int first = (at << ARITY_BITS) + 1;
            if (first >= size) {
                break;
            }
            int least = first;
            int end = Math.min(first + ARITY, size);
            for (int child = first + 1; child < end; child++) {
                if (isBefore(heapNanos[child], heapOrder[child], least)) {
                    least = child;
                }
            }
            if (isBefore(nanos, order, least)) {
                break;
            }
            move(least, at);
            at = least;
        }
        put(nanos, order, timer, at);
    }

    private boolean isBefore(long nanos, long order, int other) {
        long otherNanos = heapNanos[other];
        return nanos < otherNanos || (nanos == otherNanos && order < heapOrder[other]);
    }

    private void move(int from, int to) {
        put(heapNanos[from], heapOrder[from], heapTimer[from], to);
    }

    private void put(long nanos, long order, int timer, int at) {
        heapNanos[at] = nanos;
        heapOrder[at] = order;
        heapTimer[at] = timer;
        position[timer] = at;
    }
}
