package io.kipimo.labs.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Concurrent users that each send one request after the other. */
final class Crowd {
    private Crowd() {}

    /** Returns how many requests failed. */
    static long ask(Workload workload, int users, int requestsEach, long seed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(users);
        List<Future<Long>> all = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            int number = user;
            Callable<Long> asking = () -> {
                long failed = 0;
                try (Workload.Session session = workload.session(number, seed)) {
                    for (int i = 0; i < requestsEach; i++) {
                        RequestOutcome outcome =
                                session.request().toCompletableFuture().get();
                        failed += outcome.failed() ? 1 : 0;
                    }
                }
                return failed;
            };
            all.add(threads.submit(asking));
        }
        long failed = 0;
        for (Future<Long> one : all) {
            failed += one.get();
        }
        threads.shutdown();
        assertThat(workload.blocking()).isTrue();
        return failed;
    }
}
