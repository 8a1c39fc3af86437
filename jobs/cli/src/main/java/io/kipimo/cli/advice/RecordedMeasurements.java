package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.topics.RecordedFile;
import io.kipimo.core.quality.window.GateEvidence;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Takes a gate's evidence from recorded measurements of one class. Each query counts once. */
final class RecordedMeasurements implements GateSource {
    private final List<Measurement> measurements;
    private final List<Observation> observations = new ArrayList<>();
    private final Measurement first;
    private final String metric;

    private RecordedMeasurements(List<Measurement> measurements, Optional<String> metric) {
        this.measurements = measurements;
        this.first = measurements.get(0);
        List<String> measured = measurements.stream()
                .filter(m -> m.completeness().hasQuality())
                .findFirst()
                .map(m -> m.scores().stream().map(Score::metric).toList())
                .orElse(List.of());
        // Without a measurable answer there is no metric, and the verdict gives the reason.
        this.metric = metric.or(() -> measured.stream().findFirst()).orElse("quality");
        InputException.throwIf(
                !measured.isEmpty() && !measured.contains(this.metric),
                "--metric is '" + this.metric + "'; allowed, as measured: " + String.join(", ", measured));
    }

    /** @throws InputException if a file cannot be read, or unless the filter selects exactly one class of it */
    static RecordedMeasurements of(
            ClassFilter filter, Optional<String> metric, String measurementFile, Optional<String> observationFile) {
        Map<ServiceClass, Map<String, Measurement>> byClass = new TreeMap<>();
        RecordedFile.read(measurementFile, Codecs.MEASUREMENT, m -> {
            if (m.completeness() != Completeness.ORPHAN && filter.matches(m.service(), m.queryClass())) {
                byClass.computeIfAbsent(m.serviceClass(), c -> new TreeMap<>()).put(m.queryId(), m);
            }
        });
        Map<String, Measurement> chosen = ClassFilter.only(byClass)
                .orElseThrow(() -> new InputException(measurementFile + ": it has no measurement of " + filter));
        RecordedMeasurements recorded = new RecordedMeasurements(List.copyOf(chosen.values()), metric);
        observationFile.ifPresent(file -> RecordedFile.read(file, Codecs.OBSERVATION, recorded.observations::add));
        return recorded;
    }

    @Override
    public OptionalDouble objective() {
        return OptionalDouble.empty();
    }

    @Override
    public GateInput evidence(TimeRange range, String variant) {
        GateEvidence evidence = GateEvidence.of(
                        first.service(), first.queryClass(), metric, range.fromMillis(), range.untilMillis())
                .ofVariant(variant);
        LossSums losses = new LossSums();
        for (Measurement measurement : measurements) {
            GateEvidence more = evidence.with(measurement);
            if (!more.equals(evidence)) {
                evidence = more;
                losses.add(measurement);
            }
        }
        for (Observation observation : observations) {
            evidence = evidence.with(observation);
        }
        return new GateInput(evidence, losses.shares());
    }
}
