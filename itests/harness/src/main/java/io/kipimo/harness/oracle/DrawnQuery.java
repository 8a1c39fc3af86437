package io.kipimo.harness.oracle;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The common part of all drawn queries. One answer in a hundred is late and one is lost. In both cases the query is an
 * orphan, which is a query without an answer.
 */
abstract class DrawnQuery {
    final OracleService service;
    final String queryId;
    final long startMillis;
    final RandomGenerator random;
    final List<Event> lateWithoutStart = new ArrayList<>();
    final List<Event> stragglers = new ArrayList<>();
    final List<Event> late = new ArrayList<>();

    DrawnQuery(OracleService service, String queryId, long startMillis, RandomGenerator random) {
        this.service = service;
        this.queryId = queryId;
        this.startMillis = startMillis;
        this.random = random;
    }

    /**
     * Begins the trace of the query.
     *
     * @param chance 0..99; 0: the answer is late, 1: it is lost
     */
    final QueryTraceBuilder trace(int chance, Answer answer) {
        if (chance == 0) {
            late.add(Event.of(answer));
        }
        return QueryTraceBuilder.builder()
                .policy(service.policy())
                .query(new QueryIdentity(service.serviceName(), queryId))
                .answer(chance <= 1 ? Optional.empty() : Optional.of(answer))
                .late(late)
                .lateWithoutStart(lateWithoutStart)
                .stragglers(stragglers);
    }

    final AnswerBuilder answerAfter(long millis) {
        return AnswerBuilder.builder()
                .service(service.serviceName())
                .queryId(queryId)
                .queryClass(OracleService.anyClass(random))
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(startMillis)
                .answeredAtMillis(startMillis + millis)
                .deadlineMillis(OracleService.DEADLINE_MILLIS)
                .topK(OracleService.anyTopK(random));
    }

    final Optional<Double> anyLoss() {
        return random.nextInt(4) == 0 ? Optional.empty() : Optional.of(random.nextInt(65) / 64.0);
    }
}
