package io.kipimo.schemas.codec;

import static io.kipimo.schemas.tails.TailLevel.COMPONENT;
import static io.kipimo.schemas.tails.TailLevel.SERVER;
import static io.kipimo.schemas.tails.TailLevel.SERVICE;

import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.wire.ServerObservationProto;
import io.kipimo.schemas.wire.TailWindowProto;

/** Servers' observations and tail windows on the wire. */
final class TailsCodec {
    /** A paused server reports the whole pause in one observation. */
    private static final long LONGEST_SECOND_MICROS = 60_000_000;

    static final RecordMapping<ServerObservation, ServerObservationProto> OBSERVATION = RecordMapping.of(
                    ServerObservation.class, ServerObservationProto.getDefaultInstance())
            .check((path, observation, wire) -> checkSecond(observation.counts()));

    static final RecordMapping<TailWindow, TailWindowProto> WINDOW = RecordMapping.of(
                    TailWindow.class, TailWindowProto.getDefaultInstance())
            .check((path, window, wire) -> checkWindow(window));

    private TailsCodec() {}

    private static void checkSecond(TrafficCounts counts) throws InvalidRecordException {
        for (RecordField count : RecordFields.of(TrafficCounts.class).all()) {
            boolean isTime = count.component().equals("observedMicros");
            Checks.within(
                    "counts." + count.name(),
                    (Long) count.get(counts),
                    isTime ? 1 : 0,
                    isTime ? LONGEST_SECOND_MICROS : ServerObservation.MOST_IN_A_SECOND);
        }
    }

    private static void checkWindow(TailWindow window) throws InvalidRecordException {
        TailLevel level = window.level();
        checkNamed(level, "tier", window.tier(), level != SERVICE);
        checkNamed(level, "component", window.component(), level == COMPONENT || level == SERVER);
        checkNamed(level, "server", window.server(), level == SERVER);
        Checks.within("end_millis", window.endMillis(), window.startMillis() + 1, Checks.LATEST_MILLIS + 1);
    }

    private static void checkNamed(TailLevel level, String field, String value, boolean expected)
            throws InvalidRecordException {
        if (expected) {
            Checks.name(field, value);
        } else if (!value.isEmpty()) {
            throw Checks.inconsistent(
                    field + " is '" + Names.printable(value) + "' at level " + level + "; allowed: empty");
        }
    }
}
