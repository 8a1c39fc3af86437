package io.kipimo.cli.rating;

import io.kipimo.loadgen.workload.ForwardingWorkload;
import io.kipimo.loadgen.workload.Restoration;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.TargetService;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A target from a plug-in ({@link TargetService}). If a step of the plug-in hangs, throws or returns nothing, it throws
 * an {@link IllegalStateException} that names the plug-in.
 */
final class PlugInTarget implements Target {
    private final String scheme;
    private final long timeOutMillis;
    private final Target target;

    PlugInTarget(TargetService service, String url, long timeOutMillis) {
        this.scheme = service.scheme();
        this.timeOutMillis = timeOutMillis;
        this.target = step("open", () -> Objects.requireNonNull(service.open(url)));
    }

    private <T> T step(String name, Callable<T> call) {
        FutureTask<T> step = new FutureTask<>(call);
        Thread thread = new Thread(step, "plug-in-" + name);
        thread.setDaemon(true);
        thread.start();
        String where = "plug-in '" + scheme + "', " + name + ": ";
        try {
            return step.get(timeOutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            throw new IllegalStateException(where + "did not end within " + timeOutMillis + " ms", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            boolean isForUsers = cause instanceof IllegalArgumentException || cause instanceof IllegalStateException;
            throw new IllegalStateException(where + (isForUsers ? cause.getMessage() : cause), e);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(where + "was interrupted", e);
        }
    }

    private void step(String name, Runnable call) {
        var unused = step(name, () -> {
            call.run();
            return true;
        });
    }

    /**
     * Closes a part of the plug-in. Ignores problems, because they change no result and would hide the problem before
     * them.
     */
    private void end(Runnable close) {
        try {
            step("close", close);
        } catch (IllegalStateException ignored) {
            // See above.
        }
    }

    @Override
    public Restoration prepare() {
        return step("prepare", () -> Objects.requireNonNull(target.prepare()));
    }

    @Override
    public Workload open(Share share) {
        Workload workload = step("open", () -> Objects.requireNonNull(target.open(share)));
        return new ForwardingWorkload(workload) {
            @Override
            public ExperimentCounts findings() {
                return step("findings", () -> {
                    ExperimentCounts found = workload.findings();
                    RecordFields.check(found);
                    return found;
                });
            }

            @Override
            public void close() {
                end(workload::close);
            }
        };
    }

    @Override
    public void after(ExperimentCounts tally) {
        step("after", () -> target.after(tally));
    }

    @Override
    public void close() {
        end(target::close);
    }
}
