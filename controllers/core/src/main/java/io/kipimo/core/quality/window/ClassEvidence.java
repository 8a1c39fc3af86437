package io.kipimo.core.quality.window;

import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.Optional;

/**
 * The newest records of one class that a reader of the topics knows. Times are epoch milliseconds; 0: never.
 *
 * @param policy of the service
 * @param queryClass the class in the policy
 * @param window the newest sliding window by the policy's first metric
 * @param budget the newest error budget by this metric
 * @param control the newest decisions on the class
 * @param lastQueriesMillis end of the last second in which a front end counted queries
 * @param readUntilMillis time until which the reader knows all records that were written
 */
@WithBuilder
public record ClassEvidence(
        Optional<Policy> policy,
        Optional<ClassPolicy> queryClass,
        Optional<QualityWindow> window,
        Optional<ErrorBudget> budget,
        DecisionTrail control,
        long lastQueriesMillis,
        long readUntilMillis) {

    /** Delay of a record after the time that it describes, in addition to the delays that a policy names. */
    private static final long DELAY_MILLIS = 60_000;

    /** Number of windows in a row that a reader may miss, for example while a job restarts. */
    private static final int SLIDES = 3;

    /** Time between two published error budgets. */
    private static final long BUDGET_MILLIS = 60_000;

    /** A class is in use if its last query is no older than this. */
    private static final long IN_USE_MILLIS = 30_000;

    public double objective() {
        return queryClass
                .map(ClassPolicy::objective)
                .or(() -> window.map(QualityWindow::objective))
                .orElse(0.0);
    }

    /**
     * Greatest age of a window, by its end, that still tells the present state, milliseconds.
     *
     * @param policy of the service; empty: unknown
     */
    public static long patienceMillis(Optional<Policy> policy) {
        return DELAY_MILLIS
                + policy.map(p -> p.expirationWindowMillis() + SLIDES * p.slideMillis())
                        .orElse(0L);
    }

    /** The window; empty if it is older than {@link #patienceMillis}. */
    public Optional<QualityWindow> recentWindow(long nowMillis) {
        return window.filter(w -> nowMillis - w.endMillis() <= patienceMillis(policy));
    }

    /** The error budget; empty if it is older than {@link #patienceMillis} and a minute. */
    public Optional<ErrorBudget> recentBudget(long nowMillis) {
        return budget.filter(b -> nowMillis - b.endMillis() <= patienceMillis(policy) + BUDGET_MILLIS);
    }

    boolean isInUse(long nowMillis) {
        return nowMillis - lastQueriesMillis <= IN_USE_MILLIS;
    }

    /** Whether the reader has read everything that was written until half a minute ago. */
    boolean isRead(long nowMillis) {
        return nowMillis - readUntilMillis <= IN_USE_MILLIS;
    }

    boolean isControlled() {
        return policy.filter(p -> !p.killSwitch()).isPresent();
    }
}
