package io.kipimo.bench.foreseen;

import io.kipimo.bench.report.Context;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.component.QueueOrder;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.sdk.ServerReporter;
import java.util.List;

/** The example search service: four partitions, each with a queue of its own. */
record SearchSubject(PartitionedIndex index) implements Subject {
    private static final int QUEUE_CAPACITY = 64;

    @Override
    public String name() {
        return "example";
    }

    @Override
    public List<Recording> record(Context context) throws InterruptedException {
        LiveRecorder recorder = new LiveRecorder();
        try (SearchService service = SearchService.start(
                        index,
                        LiveRecorder.settings(),
                        SearchService.Ports.FREE,
                        QUEUE_CAPACITY,
                        QueueOrder.ARRIVAL,
                        false,
                        recorder,
                        ServerReporter::silent);
                LoadGenerator generator = new LoadGenerator()) {
            return recorder.record(
                    context, name(), service.ports().high(), new QueryWriter(index.vocabulary()), generator);
        }
    }
}
