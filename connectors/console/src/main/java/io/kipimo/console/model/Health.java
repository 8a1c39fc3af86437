package io.kipimo.console.model;

import io.kipimo.schemas.deadletter.DeadLetter;
import java.util.ArrayDeque;
import java.util.Deque;

/** Whether the console's data is current. */
final class Health {
    private static final int LAST_DEAD_LETTERS = 20;

    /** Newest first. */
    final Deque<DeadLetter> lastDeadLetters = new ArrayDeque<>();

    boolean connected;

    /** Time until which everything that was written is known; 0: not yet. */
    long readUntilMillis;

    /** Start of the current connection or outage; 0: never connected. */
    long brokerSinceMillis;

    /** Time stamp of the newest record read; 0: none. */
    long lastRecordMillis;

    long deadLetters;

    /** Records that the console could not read; those that jobs could not read are dead letters. */
    long unreadable;

    /** How events come to the join of the quality job, and why; empty: not known. */
    String joinPath = "";

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
}
