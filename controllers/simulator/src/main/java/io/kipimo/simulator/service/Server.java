package io.kipimo.simulator.service;

import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Handler;
import io.kipimo.simulator.engine.Times;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * A server with cores.
 *
 * <p>All requests in service progress at the same speed, {@code min(1, cores / requests)}, so one clock of attained
 * service suffices. A request ends when that clock reaches its value at the request's start plus the request's work. A
 * heap gives the next request to end. The disciplines with a queue work in the same way, but have at most as many
 * requests in service as there are cores.
 */
final class Server implements Handler {
    private static final Comparator<Copy> BY_CLASS = Comparator.<Copy>comparingInt(
                    copy -> copy.request.call.query.classIndex())
            .thenComparingLong(copy -> copy.queueNumber);

    final SimulatedTier tier;
    final int index;
    private final Engine engine;
    private final int timer;
    private final int cores;
    private final int mostInService;
    private final int queueBound;
    private final Consumer<Copy> done;

    private Copy[] heap = new Copy[8];
    private int inService;
    private final Queue<Copy> queue;
    private long queued;
    private long begun;
    private double waitedSeconds;
    private double leastWaitedSeconds;

    private double attained;
    private long attainedAtNanos;
    private double busyCoreSeconds;
    private double presentSeconds;
    private double speed = 1;
    private boolean alive = true;

    Server(SimulatedTier tier, int index, int cores, Engine engine, Consumer<Copy> done) {
        this.tier = tier;
        this.index = index;
        this.engine = engine;
        this.timer = engine.timer(this, 0);
        this.cores = cores;
        this.queueBound = tier.spec.queueBound();
        Discipline discipline = tier.spec.discipline();
        this.mostInService = discipline == Discipline.PROCESSOR_SHARING ? Integer.MAX_VALUE : cores;
        this.queue = discipline == Discipline.CLASS_PRIORITY ? new PriorityQueue<>(BY_CLASS) : new ArrayDeque<>();
        this.done = done;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isFull() {
        return inService + queue.size() >= queueBound;
    }

    /** Core seconds spent so far. */
    double busyCoreSeconds() {
        advance();
        return busyCoreSeconds;
    }

    /** Time integral of the number of copies in service or waiting for a core. */
    double presentSeconds() {
        advance();
        return presentSeconds;
    }

    /** Returns how long the copies waited that were taken into service since the last call, and how many wait now. */
    QueueReading takeQueue() {
        QueueReading reading =
                new QueueReading(queue.size(), begun == 0 ? 0 : waitedSeconds / begun, leastWaitedSeconds);
        begun = 0;
        waitedSeconds = 0;
        leastWaitedSeconds = 0;
        return reading;
    }

    /** Adds work of a copy, which begins now or when its turn in the queue comes. */
    void add(Copy copy) {
        copy.addedNanos = engine.nowNanos();
        if (inService < mostInService) {
            advance();
            start(copy);
            plan();
        } else {
            advance();
            copy.heapIndex = Copy.QUEUED;
            copy.queueNumber = queued++;
            queue.add(copy);
        }
    }

    /** Removes a copy. */
    void remove(Copy copy) {
        if (copy.heapIndex == Copy.QUEUED) {
            advance();
            queue.remove(copy);
        } else if (copy.heapIndex >= 0) {
            advance();
            removeAt(copy.heapIndex);
            fill();
            plan();
        }
        copy.heapIndex = Copy.NOT_HERE;
    }

    /** @param newSpeed 0: no progress; 1: normal */
    void setSpeed(double newSpeed) {
        advance();
        speed = newSpeed;
        plan();
    }

    /** Loses all requests at the server and all that arrive, until the server is revived. */
    void kill() {
        advance();
        alive = false;
        for (int i = 0; i < inService; i++) {
            heap[i].heapIndex = Copy.NOT_HERE;
        }
        queue.forEach(copy -> copy.heapIndex = Copy.NOT_HERE);
        Arrays.fill(heap, null);
        queue.clear();
        inService = 0;
        plan();
    }

    void revive() {
        alive = true;
    }

    @Override
    public void fire(long argument) {
        advance();
        // The timer was rounded to nanoseconds: the copy for which it was set is done.
        attained = Math.max(attained, heap[0].finish);
        while (inService > 0 && heap[0].finish <= attained) {
            Copy copy = removeAt(0);
            copy.heapIndex = Copy.NOT_HERE;
            fill();
            done.accept(copy);
        }
        if (inService == 0) {
            // Resets the clock, which would lose precision over days of service.
            attained = 0;
        }
        plan();
    }

    private void fill() {
        while (inService < mostInService && !queue.isEmpty()) {
            start(queue.poll());
        }
    }

    private void start(Copy copy) {
        double waited = Times.seconds(engine.nowNanos() - copy.addedNanos);
        leastWaitedSeconds = begun == 0 ? waited : Math.min(leastWaitedSeconds, waited);
        waitedSeconds += waited;
        begun++;
        copy.finish = attained + copy.work;
        if (inService == heap.length) {
            heap = Arrays.copyOf(heap, 2 * inService);
        }
        rise(inService++, copy);
    }

    private double rate() {
        return inService <= cores ? speed : speed * cores / inService;
    }

    private void advance() {
        long now = engine.nowNanos();
        if (inService > 0 && now > attainedAtNanos) {
            double seconds = Times.seconds(now - attainedAtNanos);
            presentSeconds += seconds * (inService + queue.size());
            attained += seconds * rate();
            busyCoreSeconds += seconds * Math.min(cores, inService);
        }
        attainedAtNanos = now;
    }

    private void plan() {
        double rate = rate();
        if (inService == 0 || rate <= 0) {
            engine.cancel(timer);
            return;
        }
        double nanos = Math.max(0, heap[0].finish - attained) / rate * Times.SECOND;
        engine.set(timer, engine.nowNanos() + (long) Math.ceil(nanos));
    }

    private Copy removeAt(int at) {
        Copy removed = heap[at];
        Copy last = heap[--inService];
        heap[inService] = null;
        if (at < inService) {
            if (last.finish < removed.finish) {
                rise(at, last);
            } else {
                sink(at, last);
            }
        }
        return removed;
    }

    private void rise(int from, Copy copy) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >> 1;
            if (heap[parent].finish <= copy.finish) {
                break;
            }
            put(at, heap[parent]);
            at = parent;
        }
        put(at, copy);
    }

    private void sink(int from, Copy copy) {
        int at = from;
        while (2 * at + 1 < inService) {
            int child = 2 * at + 1;
            if (child + 1 < inService && heap[child + 1].finish < heap[child].finish) {
                child++;
            }
            if (copy.finish <= heap[child].finish) {
                break;
            }
            put(at, heap[child]);
            at = child;
        }
        put(at, copy);
    }

    private void put(int at, Copy copy) {
        heap[at] = copy;
        copy.heapIndex = at;
    }
}
