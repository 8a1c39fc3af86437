package example;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Map;

/** Reports one query of service {@code shop}: one component answered in time, the other one late. */
public final class FirstQuery {
    private static final int DEADLINE_MILLIS = 50;

    private FirstQuery() {}

    public static void main(String[] args) {
        if (args.length != 1) {
            System.err.println("usage: FirstQuery BROKER:PORT");
            System.exit(2);
        }
        KipimoConfig config =
                KipimoConfig.builder(
                                "shop", "front-1", new KafkaSettings(args[0], "kipimo.", Map.of()))
                        .queryClass("all", ClassDefaults.ALL)
                        .initialSamplingRate(1)
                        .build();
        try (Kipimo kipimo = Kipimo.connect(config)) {
            String queryId = "4bf92f3577b34da6a3ce929d0e0e4736";
            long start = System.currentTimeMillis();
            long answered = start + DEADLINE_MILLIS;
            kipimo.meter().offered("all");
            List<Invocation> invocations =
                    List.of(
                            new Invocation("titles", Outcome.IN_TIME, 9_000),
                            new Invocation("texts", Outcome.TIMED_OUT, DEADLINE_MILLIS * 1_000));
            kipimo.meter().answered("all", invocations);
            Items titles = Items.ofTexts(new String[] {"a", "b"}, new float[] {2, 1});
            Items texts = Items.ofTexts(new String[] {"c"}, new float[] {3});
            kipimo.emitter()
                    .emit(
                            AnswerBuilder.builder().service("shop").queryId(queryId).queryClass("all").kind(AnswerKind.ONLINE).startedAtMillis(start).answeredAtMillis(answered).deadlineMillis(DEADLINE_MILLIS).topK(10).invocations(invocations).items(titles).build());
            kipimo.emitter()
                    .emit(
                            PartialResultBuilder.builder().service("shop").queryId(queryId).component("titles").server("").phase(Phase.ONLINE).completedAtMillis(start + 9).latencyMicros(9_000).items(titles).startedAtMillis(start).build());
            kipimo.emitter()
                    .emit(
                            PartialResultBuilder.builder().service("shop").queryId(queryId).component("texts").server("").phase(Phase.MATURE).completedAtMillis(start + 80).latencyMicros(80_000).items(texts).startedAtMillis(start).build());
        }
    }
}
