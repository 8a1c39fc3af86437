package io.kipimo.operators.ttl;

import io.kipimo.core.stale.KeyHash;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CachedKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Sends reads to the shards of the read records; reads of queries also go to the query's shard. */
final class ReadSplitFunction extends ProcessFunction<CacheRead, RecordEvent> {
    /** Side output of reads of queries, for the shards of the queries. */
    static final OutputTag<QueryChange> QUERIES = new OutputTag<>("queries", TtlFormats.QUERY_CHANGE.typeInfo());

    private final int comparedRecords;
    private transient Isolation isolation;

    ReadSplitFunction(int comparedRecords) {
        this.comparedRecords = comparedRecords;
    }

    @Override
    public void open(OpenContext context) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement(CacheRead read, Context ctx, Collector<RecordEvent> out) throws Exception {
        isolation.run(read.service(), () -> split(read, ctx, out));
    }

    private void split(CacheRead read, Context ctx, Collector<RecordEvent> out) {
        if (read.kind() == CachedKind.RECORD) {
            out.collect(event(RecordEvent.RecordEventKind.READ, read, "", List.of(read.key())));
            return;
        }
        Map<Integer, List<String>> shards = new TreeMap<>();
        // A record counts once, even if a join's result has it several times.
        for (String record : new LinkedHashSet<>(read.recordKeys())) {
            shards.computeIfAbsent(TtlShards.of(record), s -> new ArrayList<>()).add(record);
        }
        ctx.output(
                QUERIES,
                QueryChange.read(
                        read,
                        shards.size(),
                        read.recordKeys().stream()
                                .limit(comparedRecords)
                                .mapToLong(KeyHash::of)
                                .toArray()));
        shards.values()
                .forEach(records -> out.collect(event(RecordEvent.RecordEventKind.ASKED, read, read.key(), records)));
    }

    private static RecordEvent event(
            RecordEvent.RecordEventKind kind, CacheRead read, String query, List<String> records) {
        return new RecordEvent(kind, read.service(), read.table(), read.readMillis(), query, records);
    }
}
