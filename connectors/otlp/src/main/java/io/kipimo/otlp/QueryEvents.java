package io.kipimo.otlp;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.sdk.internal.control.Control;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Emits the queries of one service. For one thread at a time. */
final class QueryEvents {
    /** Greatest number of queries for which one query stands. */
    private static final double MOST_WEIGHT = 10_000;

    private final Control control;

    /** Fractions of queries that are not counted yet, by class. */
    private final Map<String, Double> rest = new HashMap<>();

    QueryEvents(Control control) {
        this.control = control;
    }

    /**
     * Counts a query as often as its head sampling demands, and emits it if Kipimo samples it. If both samplings depend
     * on the trace id, tracers kept every query that Kipimo samples at a lower rate. If they are independent, Kipimo's
     * rate rises to make up for the tracers' rate. Either way, all queries are measured at Kipimo's rate, as long as
     * tracers keep a greater share than that.
     */
    void emit(ObservedQuery query) {
        Answer seen = query.answer();
        Answer answer = AnswerBuilder.builder(seen)
                .variant(control.variant(seen.variant()))
                .build();
        double weight =
                Math.min(MOST_WEIGHT, 1 / query.sampling().probability()) + rest.getOrDefault(answer.queryClass(), 0.0);
        long whole = (long) weight;
        rest.put(answer.queryClass(), weight - whole);
        for (long i = 0; i < whole; i++) {
            control.offered(answer.queryClass(), 0);
            control.answered(
                    answer.queryClass(),
                    answer.variant(),
                    answer.invocations(),
                    answer.whyUnmeasurable(),
                    0,
                    Optional.empty());
            query.listed().ifPresent(items -> control.listed(answer.queryClass(), answer.variant(), items));
        }
        double known = query.sampling().byTraceId() ? 1 : query.sampling().probability();
        if (!control.isSampled(answer.queryId(), answer.startedAtMillis(), known)) {
            return;
        }
        control.emit(answer);
        if (answer.whyUnmeasurable().isPresent()) {
            return;
        }
        if (control.wantsPartials(answer)) {
            query.online().forEach(control::emit);
        }
        query.late().forEach(control::emit);
    }

    void close() {
        control.close();
    }
}
