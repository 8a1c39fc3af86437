package io.kipimo.console.model;

import io.kipimo.console.model.Places.Claim;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** State of one service. */
final class ServiceState {
    private static final int MAXIMUM_CLASSES = 32;
    private static final int MAXIMUM_NAMED_CLASSES = 16;

    final String name;
    final DecisionLog sampling = new DecisionLog();
    final TailFigures tails = new TailFigures();
    final ReplicationFigures replication = new ReplicationFigures();
    final CachingFigures caching = new CachingFigures();
    final RatingFigures ratings = new RatingFigures();

    /** The policy; null: none. */
    private Policy policy;

    /** The reason why the quality job cannot use the policy; empty: it can. */
    private Optional<String> policyProblem = Optional.empty();

    private final Places<ClassState> classes = new Places<>(MAXIMUM_CLASSES, MAXIMUM_NAMED_CLASSES, this::newClass);

    ServiceState(String name) {
        this.name = name;
    }

    /** State of a class, created if necessary; empty if there are too many classes already. */
    Optional<ClassState> queryClass(String className, Claim claim) {
        return classes.claim(className, claim);
    }

    private ClassState newClass(String className) {
        ClassState made = new ClassState(className);
        made.primaryMetric = policy == null ? null : policy.metrics().get(0);
        return made;
    }

    Collection<ClassState> classes() {
        return classes.all();
    }

    /** The classes that the policy names or that have queries, the most important first. */
    List<ClassState> shown() {
        return classes.all().stream()
                .filter(c -> c.isAlive() || policy(c).isPresent())
                .sorted(Comparator.comparingInt((ClassState c) ->
                                policy(c).map(ClassPolicy::priority).orElse(Integer.MAX_VALUE))
                        .thenComparing(c -> c.name))
                .toList();
    }

    Optional<Policy> policy() {
        return Optional.ofNullable(policy);
    }

    Optional<String> policyProblem() {
        return policyProblem;
    }

    Optional<ClassPolicy> policy(ClassState c) {
        return policy == null ? Optional.empty() : policy.classPolicy(c.name);
    }

    /** Sets the policy. Null removes it. */
    void setPolicy(Policy next) {
        classes.all().forEach(c -> classes.disclaim(c.name));
        policy = next;
        policyProblem = policy().flatMap(QualitySettings::problem);
        if (next != null) {
            next.classes().forEach(c -> queryClass(c.name(), Claim.POLICY));
        }
        classes.all()
                .forEach(c ->
                        c.primaryMetric = next == null ? null : next.metrics().get(0));
    }

    /** Measurable share of the service's answers in the recent windows of its classes, 0..1; NaN without answers. */
    double measurableShare(long nowMillis) {
        double answered = 0;
        double measurable = 0;
        for (ClassState c : shown()) {
            Optional<QualityWindow> window = c.evidence(this, 0).recentWindow(nowMillis);
            answered += window.map(QualityWindow::answered).orElse(0L);
            measurable += window.map(QualityWindow::measurable).orElse(0L);
        }
        return answered == 0 ? Double.NaN : measurable / answered;
    }

    /** The class whose admitted fraction changed last; empty if no fraction has changed. */
    Optional<ClassState> movedLast() {
        return shown().stream()
                .filter(c -> c.decisions.lastMove().isPresent())
                .max(Comparator.comparingLong(c ->
                        c.decisions.lastMove().map(Decision::issuedAtMillis).orElse(0L)));
    }

    /** The deadline in milliseconds, of the newest deadline curve; empty if there is no curve. */
    Optional<Double> deadlineMillis() {
        return classes.all().stream()
                .map(c -> c.curve)
                .filter(c -> c != null)
                .max(Comparator.comparingLong(c -> c.endMillis()))
                .map(c -> c.deadlineMillis());
    }
}
