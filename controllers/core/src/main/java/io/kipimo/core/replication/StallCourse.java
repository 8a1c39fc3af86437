package io.kipimo.core.replication;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * The stalls of one server in the course of time, drawn as far as callers ask. The times that callers pass must not
 * decrease.
 */
final class StallCourse {
    private record Stall(double startMillis, double endMillis) {}

    /** One cause of stalls, which alternates between work and stalls. */
    private static final class StallCause {
        private final SplittableRandom random;
        private final double everyMillis;
        private final double lengthMillis;
        private Stall next = new Stall(0, 0);

        StallCause(SplittableRandom random, double everyMillis, double lengthMillis) {
            this.random = random;
            this.everyMillis = everyMillis;
            this.lengthMillis = lengthMillis;
            draw();
        }

        private void draw() {
            double start = next.endMillis() + SimulatedQueues.exponential(random, everyMillis);
            next = new Stall(start, start + SimulatedQueues.exponential(random, lengthMillis));
        }
    }

    private final StallCause own;
    private final StallCause shared;
    private final Deque<Stall> drawn = new ArrayDeque<>();

    /** @param shared random numbers for the stalls that all servers share; needs the same seed for all servers */
    StallCourse(Traffic.ServerStalls stalls, SplittableRandom own, SplittableRandom shared) {
        double every = stalls.everyMillis();
        this.own = new StallCause(own, every / (1 - stalls.shared()), stalls.lengthMillis());
        this.shared = new StallCause(shared, every / stalls.shared(), stalls.lengthMillis());
    }

    /** Milliseconds between two times in which the server works. */
    double working(double fromMillis, double toMillis) {
        drawUntil(fromMillis, toMillis);
        double working = Math.max(0, toMillis - fromMillis);
        double reached = fromMillis;
        for (Stall stall : drawn) {
            double end = Math.min(toMillis, stall.endMillis());
            working -= Math.max(0, end - Math.max(reached, stall.startMillis()));
            reached = Math.max(reached, end);
        }
        return working;
    }

    /** Time at which the server has worked for {@code workMillis} since {@code fromMillis}. */
    double finish(double fromMillis, double workMillis) {
        double now = fromMillis;
        double left = workMillis;
        while (true) {
            drawUntil(now, now + left);
            Stall stall = drawn.peek();
            if (stall == null || stall.startMillis() >= now + left) {
                return now + left;
            }
            left -= Math.max(0, stall.startMillis() - now);
            now = stall.endMillis();
        }
    }

    private void drawUntil(double fromMillis, double toMillis) {
        while (Math.min(own.next.startMillis(), shared.next.startMillis()) <= toMillis) {
            StallCause first = own.next.startMillis() <= shared.next.startMillis() ? own : shared;
            if (first.next.endMillis() > fromMillis) {
                drawn.add(first.next);
            }
            first.draw();
        }
        while (!drawn.isEmpty() && drawn.peek().endMillis() <= fromMillis) {
            drawn.remove();
        }
    }
}
