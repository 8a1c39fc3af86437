package io.kipimo.console.model;

import io.kipimo.schemas.deadletter.DeadLetter;
import java.util.ArrayDeque;
import java.util.Deque;

/** Whether what the console shows can be trusted to be of now. */
final class Health {
    private static final int LAST_DEAD_LETTERS = 20;

    /** Newest first. */
    final Deque<DeadLetter> lastDeadLetters = new ArrayDeque<>();

    boolean connected;
    boolean caughtUp;

    /** Since when it is connected, or not; 0: it never was. */
    long brokerSinceMillis;

    /** Time stamp of the newest record read; 0: none. */
    long lastRecordMillis;

    long deadLetters;

    /** Records that could not be read here; the jobs' own are dead letters. */
    long unreadable;

    void add(DeadLetter letter) {
        deadLetters++;
        lastDeadLetters.addFirst(letter);
        if (lastDeadLetters.size() > LAST_DEAD_LETTERS) {
            lastDeadLetters.removeLast();
        }
    }

    void connected(boolean yes, long nowMillis) {
        if (connected != yes || brokerSinceMillis == 0) {
            connected = yes;
            brokerSinceMillis = nowMillis;
        }
    }

    /** The time that everything shown is of: while the broker is away nothing gets older. */
    long asOfMillis(long nowMillis) {
        return connected ? nowMillis : Math.min(nowMillis, brokerSinceMillis);
    }
}
