package io.kipimo.operators.types;

import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.quality.deadline.DeadlinePane;
import io.kipimo.core.quality.deadline.DeadlineProgress;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.fanout.model.FanOutSample;
import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.merge.CompletenessState;
import io.kipimo.core.quality.window.BudgetState;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.rating.DriftState;
import io.kipimo.core.rating.ServiceFact;
import io.kipimo.core.replication.ReplicationState;
import io.kipimo.core.sampling.SamplingMemory;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.codec.Codecs;
import java.util.List;

/**
 * Formats of state classes of {@code io.kipimo.core}. All are derived from the fields of the classes, except that of a
 * latency sketch.
 */
public final class StateFormats implements FormatCatalogue {
    public static final Format<AdmissionState> ADMISSION = Format.derived("admission-state", AdmissionState.class);
    public static final Format<SamplingMemory> SAMPLING = Format.derived("sampling-memory", SamplingMemory.class);
    public static final Format<MoverTurn> MOVER_TURN = Format.derived("mover-turn", MoverTurn.class);
    public static final Format<ClassPane> CLASS_PANE = Format.derived("class-pane", ClassPane.class);
    public static final Format<ClassWindows> CLASS_WINDOWS = Format.derived("class-windows", ClassWindows.class);

    /**
     * Kept only to read savepoints from the time when each subtask learned from its own queries; the values are not
     * used.
     */
    private static final Format<ContributionBounds> CONTRIBUTION_BOUNDS =
            Format.derived("contribution-bounds", ContributionBounds.class);

    public static final Format<BudgetState> BUDGET = Format.derived("error-budget", BudgetState.class);
    public static final Format<CompletenessState> COMPLETENESS =
            Format.derived("completeness-state", CompletenessState.class);
    public static final Format<QueryProfile> QUERY_PROFILE = Format.derived("query-profile", QueryProfile.class);
    public static final Format<DeadlinePane> DEADLINE_PANE = Format.derived("deadline-pane", DeadlinePane.class);
    public static final Format<DeadlineProgress> DEADLINE_PROGRESS =
            Format.derived("deadline-progress", DeadlineProgress.class);
    public static final Format<FanOutSample> FAN_OUT_SAMPLE = Format.derived("fan-out-sample", FanOutSample.class);
    public static final Format<DriftState> DRIFT = Format.derived("drift-state", DriftState.class);
    public static final Format<ServiceFact> SERVICE_FACT = Format.derived("service-fact", ServiceFact.class);

    /** Writes a sketch as the bytes that it has in messages. */
    private static final Format<LatencySketch> LATENCY_SKETCH = Format.of(
            "latency-sketch",
            1,
            LatencySketch.class,
            (sketch, out) -> Format.writeBytes(sketch.toBytes(), out),
            (in, version) -> LatencySketch.fromBytes(Format.readBytes(in)),
            LatencySketch::copy);

    public static final Format<ReplicationState> REPLICATION = Format.derived(
            "replication-state", ReplicationState.class, LATENCY_SKETCH, Format.ofMessage(Codecs.TAIL_WINDOW));

    @Override
    public List<Format<?>> formats() {
        return List.of(
                ADMISSION,
                SAMPLING,
                MOVER_TURN,
                CLASS_PANE,
                CLASS_WINDOWS,
                CONTRIBUTION_BOUNDS,
                BUDGET,
                COMPLETENESS,
                QUERY_PROFILE,
                DEADLINE_PANE,
                DEADLINE_PROGRESS,
                FAN_OUT_SAMPLE,
                DRIFT,
                SERVICE_FACT,
                LATENCY_SKETCH,
                REPLICATION);
    }
}
