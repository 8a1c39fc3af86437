package io.kipimo.bench.quality;

import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Map;

/** A side, its process and what its repetitions took. */
final class MeasuredSubject implements AutoCloseable {
    private final String name;
    private final boolean measures;
    private final SubjectProcess process;
    private final Map<String, String> settings;
    private final KafkaSettings kafka;
    private final RecordedWorkload recorded;
    private final Repetitions repetitions = new Repetitions();
    private Checksum checksum = Checksum.NONE;
    private boolean agrees = true;

    /**
     * @param measures writes measurements; others only read
     * @param settings of the engine
     * @param kafka where its log is
     * @param recorded what its log holds
     */
    MeasuredSubject(
            String name,
            boolean measures,
            SubjectProcess process,
            Map<String, String> settings,
            KafkaSettings kafka,
            RecordedWorkload recorded) {
        this.name = name;
        this.measures = measures;
        this.process = process;
        this.settings = settings;
        this.kafka = kafka;
        this.recorded = recorded;
    }

    /** Does the work once, and compares what came out with the truth. */
    SubjectRun run(int repetition) throws Exception {
        SubjectRun run =
                process.run(
                        new SideRequest(
                                kafka.bootstrapServers(),
                                kafka.topicPrefix(),
                                repetition,
                                recorded.events(),
                                recorded.measurements(),
                                settings));
        if (measures) {
            checksum = Checksum.take(kafka);
            agrees &= checksum.agreesWith(recorded.measurements(), recorded.qualitySum());
        }
        return run;
    }

    /** The same, and remembers what it took. */
    SubjectRun compete(int repetition) throws Exception {
        SubjectRun run = run(repetition);
        repetitions.add(run);
        return run;
    }

    String name() {
        return name;
    }

    Repetitions repetitions() {
        return repetitions;
    }

    boolean measures() {
        return measures;
    }

    /** Whether every repetition gave the true measurements. */
    boolean agrees() {
        return agrees;
    }

    /** Of the last repetition. */
    Checksum checksum() {
        return checksum;
    }

    @Override
    public void close() {
        process.close();
    }
}
