package io.kipimo.schemas.codec;

import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.wire.ObservationProto;
import java.util.List;
import java.util.Map;

/** Observations on the wire. */
final class ObservationCodec {
    static final RecordMapping<Observation, ObservationProto> OBSERVATION = RecordMapping.of(
                    Observation.class, ObservationProto.getDefaultInstance())
            .check((path, observation, wire) -> check(observation));

    private ObservationCodec() {}

    private static void check(Observation observation) throws InvalidRecordException {
        checkUnmeasurable(observation.unmeasurable(), observation.answered());
        checkMissing("missing", observation.missing(), observation.timedOut());
        checkMissing("not_asked_components", observation.notAskedComponents(), observation.notAsked());
        for (CostCount cost : observation.costs()) {
            Checks.within("costs.offered", cost.offered(), 0, observation.offered());
            Checks.within("costs.answered", cost.answered(), 0, observation.answered());
        }
    }

    private static void checkMissing(String field, List<MissingCount> missing, long most)
            throws InvalidRecordException {
        for (MissingCount count : missing) {
            Checks.within(field + ".answers", count.answers(), 0, most);
        }
    }

    /** All reasons together are given for no more answers than there are. */
    static void checkUnmeasurable(Map<Unmeasurable, Long> counts, long answered) throws InvalidRecordException {
        long left = answered;
        for (long count : counts.values()) {
            left -= Checks.within("unmeasurable.answers", count, 0, left);
        }
    }
}
