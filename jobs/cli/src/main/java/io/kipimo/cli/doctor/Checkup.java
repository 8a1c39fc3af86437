package io.kipimo.cli.doctor;

import io.kipimo.cli.advice.FigureText;
import io.kipimo.cli.doctor.Facts.Adapter;
import io.kipimo.cli.doctor.Facts.CopyCount;
import io.kipimo.cli.doctor.Facts.Execution;
import io.kipimo.cli.doctor.Facts.Front;
import io.kipimo.cli.doctor.Facts.Job;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.window.ClassEvidence;
import io.kipimo.core.quality.window.DecisionTrail;
import io.kipimo.core.quality.window.Judgement;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.BoundedOption;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.kafka.WriterPlaces;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.kafka.OpenTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds problems of a running system from facts about it. */
final class Checkup {
    /** Greatest tolerated lead of a front end's clock over the broker's, in milliseconds. */
    private static final long AHEAD_MILLIS = 2_000;

    private static final double MANY_MEASURABLE = 0.95;

    private static final double ROUNDING = 1e-9;

    /** Share of queries that may appear unseen, because the two counters were read at different moments. */
    private static final double UNSEEN_SHARE = 0.01;

    /**
     * Number of copies from which a verdict is possible: if none of 100 won, fewer than 3 % would win (95 %
     * confidence).
     */
    private static final long MANY_COPIES = 100;

    private final Facts facts;
    private final List<Finding> findings = new ArrayList<>();

    private Checkup(Facts facts) {
        this.facts = facts;
    }

    /** Returns all findings, in the order in which a person would look for problems. */
    static List<Finding> of(Facts facts) {
        Checkup checkup = new Checkup(facts);
        checkup.brokers();
        checkup.topics();
        checkup.transactions();
        checkup.policies();
        checkup.emitters();
        checkup.late();
        checkup.clocks();
        checkup.jobs();
        checkup.join();
        checkup.measuring();
        checkup.decisions();
        checkup.adapters();
        checkup.deadLetters();
        return checkup.findings;
    }

    /** Returns the findings on jobs and adapters, which are known even if no broker answers. */
    static List<Finding> withoutKafka(Facts facts) {
        Checkup checkup = new Checkup(facts);
        if (facts.jobs().isPresent()) {
            checkup.jobs();
        }
        checkup.adapters();
        checkup.findings.add(Finding.note(
                "others",
                "not known without Kafka: topics, policies, emitters, clocks, %smeasuring, decisions, dead letters"
                        .formatted(facts.jobs().isPresent() ? "" : "jobs, "),
                facts.jobs().isPresent() ? "" : "--rest http://JOBMANAGER:8081 looks at Flink"));
        return checkup.findings;
    }

    private void brokers() {
        findings.add(Finding.ok("brokers", facts.brokers() + " in the cluster"));
    }

    private void topics() {
        if (!facts.missingTopics().isEmpty()) {
            findings.add(Finding.wrong(
                    "topics", "missing: " + String.join(", ", facts.missingTopics()), "kipimo topics --create"));
        }
        if (!facts.writersTimes().isEmpty()) {
            findings.add(Finding.note(
                    "topics",
                    "without append times: " + String.join(", ", facts.writersTimes()),
                    "set message.timestamp.type=LogAppendTime"));
        }
        if (facts.missingTopics().isEmpty() && facts.writersTimes().isEmpty()) {
            findings.add(Finding.ok("topics", "all exist"));
        }
    }

    /**
     * Reports open transactions. A reader of committed records stops before an open transaction, and so does event
     * time.
     */
    private void transactions() {
        for (OpenTransaction open : facts.transactions()) {
            findings.add(
                    open.hangs()
                            ? Finding.wrong(
                                    "transactions",
                                    open + ". Nothing is measured meanwhile",
                                    "end this producer, or: kafka-transactions.sh abort --topic %s --partition %d"
                                            .formatted(open.topic(), open.partition()))
                            : Finding.note("transactions", open.toString(), "look again in a minute"));
        }
    }

    private void policies() {
        if (facts.policies().isEmpty()) {
            findings.add(Finding.wrong(
                    "policies",
                    "none is stored",
                    "kipimo policy example > service.yaml; kipimo policy set service.yaml"));
        }
        for (Policy policy : facts.policies().values()) {
            String text = policy.service() + ": version " + policy.version();
            QualitySettings.problem(policy)
                    .ifPresent(problem -> findings.add(Finding.wrong(
                            "policies",
                            "%s: the quality job cannot use it, as far as this program's class path tells: %s"
                                    .formatted(policy.service(), problem),
                            "kipimo policy set with another metric, or put the provider on the class path")));
            if (policy.killSwitch()) {
                findings.add(Finding.note(
                        "policies",
                        text + ", kill switch on: nothing is controlled",
                        "kipimo policy unkill " + policy.service()));
            } else if (policy.admission().shadow()) {
                findings.add(Finding.note(
                        "policies",
                        text + ", shadow mode: decisions are not applied",
                        "set admission.shadow to false when you trust them"));
            } else {
                findings.add(Finding.ok("policies", text));
            }
            policy.classes().stream()
                    .filter(c -> c.override()
                            .filter(o -> o.isInForce(facts.nowMillis()))
                            .isPresent())
                    .map(ClassPolicy::name)
                    .forEach(name -> findings.add(Finding.note(
                            "policies",
                            policy.service() + '/' + name + ": an override is in force",
                            "kipimo override list")));
        }
    }

    private void emitters() {
        Set<String> emitting =
                facts.fronts().stream().map(Front::service).collect(Collectors.toCollection(TreeSet::new));
        emitting.addAll(facts.sampled().keySet());
        for (String service : facts.policies().keySet()) {
            emitter(service);
        }
        for (String service : emitting) {
            if (!facts.policies().containsKey(service)) {
                findings.add(Finding.wrong(
                        "emitters",
                        service + " emits, and has no policy: its records are dead letters",
                        "kipimo policy set"));
            }
        }
    }

    private List<Front> fronts(String service) {
        return facts.fronts().stream().filter(f -> f.service().equals(service)).toList();
    }

    private void emitter(String service) {
        List<Front> fronts = fronts(service);
        if (fronts.isEmpty()) {
            findings.add(Finding.wrong(
                    "emitters",
                    service + ": no front end sent counts in the last minute",
                    ("does it run with the SDK, a client or a gateway, and reach the brokers? kipimo "
                                    + "conform --service %s")
                            .formatted(service)));
            return;
        }
        safeFractions(facts.policies().get(service), fronts);
        if (fronts.stream().allMatch(f -> f.classes().isEmpty())) {
            findings.add(Finding.ok(
                    "emitters",
                    "%s: idle, %s front ends live and counted no queries in the last minute"
                            .formatted(service, fronts.size())));
            return;
        }
        long answered = fronts.stream().mapToLong(Front::answered).sum();
        long sampled = facts.sampled().getOrDefault(service, 0L);
        String text = "%s: %s%s%s answers in the last minute, %s sampled"
                .formatted(
                        service,
                        fronts.size(),
                        fronts.size() == 1 ? " front end, " : " front ends, ",
                        answered,
                        sampled);
        if (answered > 0 && sampled == 0) {
            findings.add(Finding.note("emitters", text, "at low rates that is chance; see sampling.minimum_rate"));
        } else {
            findings.add(Finding.ok("emitters", text));
        }
        if (facts.policies().get(service).merge().kind() == MergeKind.REPLAYED_ANSWERS) {
            // The front end sends both answers, components need not send anything.
            return;
        }
        Set<String> silent = fronts.stream()
                .flatMap(f -> f.components().stream())
                .filter(c -> !facts.results().containsKey(service + '/' + c))
                .collect(Collectors.toCollection(TreeSet::new));
        if (sampled > 0 && !silent.isEmpty()) {
            findings.add(Finding.wrong(
                    "emitters",
                    service + ": invoked, but sent no results: " + String.join(", ", silent),
                    "do these components emit, with the same topic prefix and sampling?"));
        }
    }

    /** Checks that the policy and its front ends state the same safe fraction of each class. */
    private void safeFractions(Policy policy, List<Front> fronts) {
        for (ClassPolicy c : policy.classes()) {
            for (Front front : fronts) {
                Double declared = front.safeFractions().get(c.name());
                if (declared != null && Math.abs(declared - c.safeFraction()) > ROUNDING) {
                    findings.add(Finding.wrong(
                            "policies",
                            "%s: without a valid decision %s admits %s, and the policy's safe_fraction is %s"
                                    .formatted(policy.serviceClass(c), front.server(), declared, c.safeFraction()),
                            "declare the same in both: safe_fraction here, safe or ClassDefaults there"));
                }
            }
        }
    }

    private void late() {
        facts.late().forEach((service, events) -> {
            String text = "%s: late events in the last ten minutes: %s"
                    .formatted(
                            service,
                            events.entrySet().stream()
                                    .map(e -> e.getValue() + " of " + e.getKey())
                                    .collect(Collectors.joining(", ")));
            String advice =
                    "slower than expiration_window, or held for too long (otlp: hold): kipimo conform says whose "
                            + "counts were ahead";
            boolean areMost = 2 * facts.lateAnswers().getOrDefault(service, 0L)
                    > facts.sampled().getOrDefault(service, 0L);
            findings.add(
                    areMost
                            ? Finding.wrong(
                                    "emitters", text + "; most answers of the last minute: not measured", advice)
                            : Finding.note("emitters", text, advice));
        });
    }

    private void clocks() {
        List<Front> ahead = facts.fronts().stream()
                .filter(f -> f.aheadMillis() > AHEAD_MILLIS)
                .toList();
        for (Front front : ahead) {
            findings.add(Finding.wrong(
                    "clocks",
                    front.service() + ", " + front.server() + ": ahead of the broker by " + front.aheadMillis() + " ms",
                    "check NTP on that machine"));
        }
        if (facts.fronts().stream().anyMatch(f -> f.aheadMillis() == Front.UNKNOWN)) {
            findings.add(Finding.note(
                    "clocks",
                    "not known: only append times show whether a front end is ahead",
                    "set message.timestamp.type=LogAppendTime"));
        } else if (ahead.isEmpty() && !facts.fronts().isEmpty()) {
            findings.add(Finding.ok("clocks", "no front end is ahead of the brokers"));
        }
    }

    /** Reports whether events can reach the join without a shuffle, and whether they do. */
    private void join() {
        if (facts.places().isEmpty()) {
            return;
        }
        WriterPlaces places = facts.places().get();
        Optional<Job> job = facts.jobs().stream()
                .flatMap(List::stream)
                .filter(each -> each.path().isPresent())
                .findFirst();
        String text = job.map(Checkup::path).orElse("") + places.doubt().orElseGet(places::evidence);
        boolean isWrong = places.strays() > 0 && job.flatMap(Job::path).equals(Optional.of(JoinPath.LOCAL));
        findings.add(
                isWrong
                        ? Finding.wrong(
                                "join",
                                text,
                                "find the writer by kipimo conform, or submit the job with join.path KEYED")
                        : Finding.ok("join", text));
    }

    private static String path(Job job) {
        return job.pathReason().isEmpty()
                ? "join.path is " + job.path().orElseThrow() + ": "
                : "join.path is " + job.pathReason() + "; now ";
    }

    private void jobs() {
        if (facts.jobs().isEmpty()) {
            findings.add(Finding.note(
                    "jobs",
                    "not looked at; what they write is checked below",
                    "--rest http://JOBMANAGER:8081 looks at Flink, too"));
            return;
        }
        for (Job job : facts.jobs().get()) {
            findings.add(
                    job.state().equals("RUNNING")
                            ? Finding.ok("jobs", job.name() + ": RUNNING" + manner(job))
                            : Finding.wrong(
                                    "jobs",
                                    job.name() + ": " + job.state(),
                                    "Flink's page shows the cause under Exceptions"));
        }
        for (Job job : facts.jobs().get()) {
            if (job.job().isPresent()) {
                job.execution().ifPresent(execution -> execution(job.name(), execution));
            }
            job.lost()
                    .forEach((what, count) -> findings.add(Finding.wrong(
                            "jobs",
                            "%s: failed and left out since its start: %s %s"
                                    .formatted(job.name(), count, Names.printable(what)),
                            "the log of its TaskManager has the cause; docs/alerts.md, KipimoStepsFail")));
            if (job.droppedNow() > 0) {
                findings.add(Finding.wrong(
                        "jobs",
                        "%s: Redis does not take its decisions; dropped in the last seconds: %s"
                                .formatted(job.name(), job.droppedNow()),
                        "does Redis run? docs/alerts.md, KipimoRedisDropsDecisions"));
            } else if (job.dropped() > 0) {
                findings.add(Finding.note(
                        "jobs",
                        "%s: dropped since its start, because Redis did not take them: %s decisions; none now"
                                .formatted(job.name(), job.dropped()),
                        "docs/alerts.md, KipimoRedisDropsDecisions"));
            }
        }
        if (facts.jobs().get().stream()
                .noneMatch(j -> j.job().equals(Optional.of(KipimoJob.QUALITY))
                        || j.name().equals(Job.CLUSTER))) {
            findings.add(Finding.wrong("jobs", "no quality job runs there", "kipimo submit quality"));
        }
    }

    private static String manner(Job job) {
        return job.execution()
                .map(e -> ", parallelism "
                        + e.parallelism()
                        + (e.checkpointMillis().isPresent()
                                ? ", checkpoints every "
                                        + BoundedOption.printable(Duration.ofMillis(
                                                e.checkpointMillis().getAsLong()))
                                : ""))
                .orElse("");
    }

    /** Compares a job's execution with the needs of every job. */
    private void execution(String name, Execution execution) {
        if (execution.maxParallelism() != JobEnvironment.MAXIMUM_PARALLELISM) {
            findings.add(Finding.wrong(
                    "jobs",
                    ("%s: its maximum parallelism is %s; allowed: %s, or its savepoints do not restore in "
                                    + "other versions")
                            .formatted(name, execution.maxParallelism(), JobEnvironment.MAXIMUM_PARALLELISM),
                    "submit it by kipimo submit, or by flink run with Kipimo's main class"));
        }
        if (execution.checkpointMillis().isEmpty()) {
            findings.add(Finding.wrong(
                    "jobs",
                    "%s: it takes no checkpoints, so a failure loses its state: open queries, windows, budgets"
                            .formatted(name),
                    "set execution.checkpointing.interval, or leave it to Kipimo (10 s)"));
        }
        if (execution.restarts().orElse(0) > 0) {
            findings.add(Finding.note(
                    "jobs",
                    name + ": restarted " + execution.restarts().getAsLong() + " times since it was submitted",
                    "Flink's page shows the causes under Exceptions"));
        }
    }

    private void measuring() {
        for (Policy policy : facts.policies().values()) {
            List<Front> fronts = fronts(policy.service());
            for (ClassPolicy c : policy.classes()) {
                ServiceClass scope = policy.serviceClass(c);
                QualityWindow window = facts.windows().get(scope);
                if (window != null
                        && facts.nowMillis() - window.endMillis()
                                <= ClassEvidence.patienceMillis(Optional.of(policy))) {
                    measurable(scope, window);
                } else if (fronts.stream().anyMatch(f -> f.classes().contains(c.name()))) {
                    findings.add(Finding.wrong(
                            "measuring",
                            scope
                                    + (window == null
                                            ? ": no window"
                                            : ": the newest window is of " + FigureText.time(window.endMillis())),
                            "does the quality job run?"));
                } else if (!fronts.isEmpty()) {
                    findings.add(Finding.note(
                            "measuring",
                            scope + ": no queries in the last minute",
                            "front ends name the class of each query"));
                }
            }
        }
    }

    private void measurable(ServiceClass scope, QualityWindow window) {
        double share = window.measurableShare();
        String text = "%s: %s measurable, %s samples%s%s"
                .formatted(
                        scope,
                        FigureText.share(share),
                        window.samples(),
                        window.backlogRate() < 1
                                ? ", " + FigureText.share(window.backlogRate())
                                        + " of the queries while the job is behind"
                                : "",
                        window.estimate().isPresent() ? "" : ", too few for an estimate");
        String reasons =
                window.unmeasurable().keySet().stream().map(Enum::name).sorted().collect(Collectors.joining(", "));
        String advice = window.unmeasurable().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> most.getKey().advice())
                .orElse("docs/measurable.md, reasons");
        if (window.unmeasurable().containsKey(Unmeasurable.MERGE_DIFFERS)) {
            findings.add(Finding.wrong(
                    "measuring",
                    text + ": answers are not the policy's merge: " + reasons,
                    Unmeasurable.MERGE_DIFFERS.advice()));
        } else if (Judgement.isManyExpired(window.expired(), window.samples())) {
            findings.add(Finding.wrong(
                    "measuring",
                    "%s: %s of %s measured queries expired: how good they were is not known"
                            .formatted(scope, window.expired(), window.samples()),
                    facts.policies().get(scope.service()).merge().kind() == MergeKind.REPLAYED_ANSWERS
                            ? "they were not asked again: raise replay.budget of the gateway, or lower the sampling"
                                    + " rate"
                            : "late results never came: docs/alerts.md, KipimoQueriesExpire"));
        } else if (share < Unmeasurable.LEAST_MEASURABLE_SHARE) {
            findings.add(Finding.wrong("measuring", text + ": " + reasons, advice));
        } else if (share < MANY_MEASURABLE || window.estimate().isEmpty()) {
            findings.add(Finding.note(
                    "measuring",
                    text + (reasons.isEmpty() ? "" : ": " + reasons),
                    window.estimate().isEmpty() ? "raise sampling.minimum_rate, or wait" : advice));
        } else {
            findings.add(Finding.ok("measuring", text));
        }
    }

    private void decisions() {
        for (Policy policy : facts.policies().values()) {
            for (ClassPolicy c : policy.classes()) {
                ServiceClass scope = policy.serviceClass(c);
                DecisionTrail control =
                        facts.decisions().getOrDefault(Decision.ADMISSION + '/' + scope, DecisionTrail.NONE);
                if (control.newest().isEmpty()) {
                    findings.add(Finding.note(
                            "decisions",
                            scope + ": none; front ends admit the safe fraction that they declare",
                            "kipimo submit admission, if it is to be controlled"));
                    continue;
                }
                Decision newest = control.newest().get();
                if (control.hasEnded(facts.nowMillis())) {
                    findings.add(Finding.wrong(
                            "decisions",
                            "%s: the lease ended at %s; each service goes to the safe fraction that it declares"
                                    .formatted(scope, FigureText.time(newest.validUntilMillis())),
                            "does the admission job run? kipimo explain " + scope));
                } else if (control.isHeldLong(facts.nowMillis())) {
                    findings.add(Finding.wrong(
                            "decisions",
                            "%s: held since %s: %s"
                                    .formatted(scope, FigureText.time(control.heldSinceMillis()), meaning(newest)),
                            "kipimo explain " + scope));
                } else {
                    findings.add(Finding.ok(
                            "decisions", scope + ": " + FigureText.share(newest.value()) + ", " + newest.reason()));
                }
            }
        }
    }

    /** Explains why a controller holds. This version knows all reasons for holding. */
    private static String meaning(Decision held) {
        return DecisionReason.valueOf(held.reason()).sentence();
    }

    /** Reports how many queries did not come through the gateway, by the engine's own count. */
    private void unseen(Adapter adapter) {
        long unseen = adapter.engineQueries() - adapter.sentQueries();
        if (unseen > UNSEEN_SHARE * adapter.engineQueries()) {
            findings.add(Finding.note(
                    "adapters",
                    "%s: %s of %s queries that the engine counted did not come through this gateway (%s %%)"
                            .formatted(
                                    adapter.url(),
                                    unseen,
                                    adapter.engineQueries(),
                                    Math.round(100.0 * unseen / adapter.engineQueries())),
                    "send all clients to a gateway, or measure the others by spans or the SDK"));
        } else if (adapter.engineQueries() > 0) {
            findings.add(Finding.ok(
                    "adapters",
                    "%s: the engine counted %s queries, and the gateway sent %s"
                            .formatted(adapter.url(), adapter.engineQueries(), adapter.sentQueries())));
        }
    }

    /** Reports how many copies won. Copies that never win are load without use. */
    private void copies(Adapter adapter) {
        for (CopyCount count : adapter.copies()) {
            String text =
                    "%s: %s: %s of %s copies won".formatted(adapter.url(), count.at(), count.won(), count.ended());
            if (count.won() == 0 && count.ended() >= MANY_COPIES) {
                findings.add(Finding.note(
                        "adapters",
                        text,
                        "they are load without use: is this server slower than the others? Else lower most-copies or"
                                + " hedge-share"));
            } else if (count.ended() > 0) {
                findings.add(Finding.ok("adapters", text));
            }
        }
    }

    private void adapters() {
        for (Adapter adapter : facts.adapters()) {
            unseen(adapter);
            copies(adapter);
            if (!adapter.problem().isEmpty()) {
                findings.add(Finding.wrong("adapters", adapter.url() + ": " + adapter.problem(), "is it running?"));
            } else if (adapter.disconnected()) {
                findings.add(Finding.wrong(
                        "adapters",
                        adapter.url() + ": disconnected from its balancer",
                        "docs/alerts.md, KipimoAdapterDisconnected"));
            } else if (Judgement.isManyExpired(
                    clamped(adapter.refusedReplays()), clamped(adapter.replays() + adapter.refusedReplays()))) {
                findings.add(Finding.wrong(
                        "adapters",
                        "%s: %s of %s sampled queries were not asked again: the time of replays is used up"
                                .formatted(
                                        adapter.url(),
                                        adapter.refusedReplays(),
                                        adapter.replays() + adapter.refusedReplays()),
                        "raise replay.budget, or lower the sampling rate: their quality is 0..1"));
            } else if (adapter.lostFilterSeconds() > 0) {
                findings.add(Finding.wrong(
                        "adapters",
                        adapter.url() + ": stale keys were lost; no filter for "
                                + Math.round(adapter.lostFilterSeconds()) + " s",
                        "docs/alerts.md, KipimoFilterLost"));
            } else {
                findings.add(Finding.ok(
                        "adapters",
                        adapter.url()
                                + (Double.isNaN(adapter.oldestDecisionSeconds())
                                        ? ": answers"
                                        : ": oldest decision " + Math.round(adapter.oldestDecisionSeconds()) + " s")));
            }
        }
    }

    private static int clamped(long count) {
        return (int) Math.min(Integer.MAX_VALUE, count);
    }

    private void deadLetters() {
        if (facts.deadLetters().isEmpty()) {
            findings.add(Finding.ok("dead letters", "none in the last 10 minutes"));
            return;
        }
        findings.add(Finding.wrong(
                "dead letters",
                "in the last 10 minutes: %s"
                        .formatted(facts.deadLetters().entrySet().stream()
                                .map(e -> e.getValue() + " " + e.getKey())
                                .sorted()
                                .collect(Collectors.joining(", "))),
                "kipimo tail dead-letters --from-beginning"));
    }
}
