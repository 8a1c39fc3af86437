package io.kipimo.console.model;

import io.kipimo.schemas.deadletter.DeadLetter;
import java.util.ArrayDeque;
import java.util.Deque;

/** The state of the console's connection and data, by which a reader sees whether they are current. */
final class Health {
    private static final int LAST_DEAD_LETTERS = 20;

    /** The last dead letters, newest first. */
    final Deque<DeadLetter> lastDeadLetters = new ArrayDeque<>();

    boolean connected;

    /** Time before which the console has read everything that was written, epoch milliseconds; 0: not yet. */
    long readUntilMillis;

    /** Start of the current connection or outage, epoch milliseconds; 0: there was no connection yet. */
    long brokerSinceMillis;

    /** Time stamp of the newest record read; 0: none. */
    long lastRecordMillis;

    long deadLetters;

    /** Number of records that the console could not read. Records that jobs could not read are dead letters instead. */
    long unreadable;

    /** The path by which events reach the join of the quality job, and the reason for it; empty: not known. */
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
