package io.kipimo.bench.quality;

import io.kipimo.bench.peer.PeerQuery;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResult;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** Measures a query from its pairs when its session ends. */
final class MeasureSession
        extends ProcessWindowFunction<Tuple2<Answer, PartialResult>, Measurement, String, TimeWindow> {
    private static final long serialVersionUID = 1L;

    @Override
    public void process(
            String queryId, Context ctx, Iterable<Tuple2<Answer, PartialResult>> pairs, Collector<Measurement> out) {
        Answer answer = null;
        List<PartialResult> partials = new ArrayList<>();
        for (Tuple2<Answer, PartialResult> pair : pairs) {
            answer = pair.f0;
            partials.add(pair.f1);
        }
        out.collect(new PeerQuery(answer, partials).measure(ctx.window().maxTimestamp()));
    }
}
