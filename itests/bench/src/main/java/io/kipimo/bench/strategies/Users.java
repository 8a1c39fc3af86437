package io.kipimo.bench.strategies;

import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A closed load without think time. */
final class Users {
    private Users() {}

    /** Number of requests, and how many of them failed. */
    record Asked(long requests, long failed) {}

    /** Runs users for a time; each sends one request after the other. */
    static Asked ask(Workload workload, int users, long millis, long seed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(users);
        try {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            List<Future<Asked>> all = new ArrayList<>();
            for (int user = 0; user < users; user++) {
                int number = user;
                all.add(threads.submit(() -> one(workload, number, seed, end)));
            }
            long requests = 0;
            long failed = 0;
            for (Future<Asked> one : all) {
                requests += one.get().requests();
                failed += one.get().failed();
            }
            return new Asked(requests, failed);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Asked one(Workload workload, int user, long seed, long end) throws Exception {
        long requests = 0;
        long failed = 0;
        try (Workload.Session session = workload.session(user, seed)) {
            while (System.nanoTime() < end) {
                RequestOutcome outcome = session.request().toCompletableFuture().get();
                requests++;
                failed += outcome.failed() ? 1 : 0;
            }
        }
        return new Asked(requests, failed);
    }
}
