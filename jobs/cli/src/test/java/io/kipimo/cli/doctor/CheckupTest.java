package io.kipimo.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kipimo.cli.doctor.Facts.Adapter;
import io.kipimo.cli.doctor.Facts.CopyCount;
import io.kipimo.cli.doctor.Facts.Execution;
import io.kipimo.cli.doctor.Facts.Front;
import io.kipimo.cli.doctor.Facts.Job;
import io.kipimo.cli.doctor.Finding.Level;
import io.kipimo.core.quality.window.DecisionTrail;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.kafka.WriterPlaces;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.kafka.OpenTransaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A well system, with one thing broken in each test. */
class CheckupTest {
    private static final long NOW = 1_700_000_000_000L;

    private int brokers = 3;
    private List<String> missing = List.of();
    private List<String> writersTimes = List.of();
    private List<OpenTransaction> transactions = List.of();
    private Map<String, Policy> policies = Map.of("shop", policy(false));
    private Map<String, Double> safeFractions = Map.of();
    private List<Front> fronts = List.of(front("shop", 0, "shard"));
    private Map<String, Long> sampled = Map.of("shop", 60L);
    private Map<String, Map<String, Long>> late = Map.of();
    private Map<String, Long> lateAnswers = Map.of();
    private Map<String, Long> results = Map.of("shop/shard", 60L);
    private static final ServiceClass HIGH = new ServiceClass("shop", "high");
    private Map<ServiceClass, QualityWindow> windows = Map.of(HIGH, window(0));
    private Map<String, DecisionTrail> decisions = decisions(decision("SHUT", NOW - 1_000, NOW + 60_000));
    private Map<RejectionReason, Long> deadLetters = Map.of();
    private WriterPlaces places = new WriterPlaces(4, 400, 400, 0, "");
    private Optional<List<Job>> jobs = Optional.of(List.of(new Job("kipimo-quality", "RUNNING")));
    private List<Adapter> adapters = List.of(new Adapter("http://g/metrics", "", false, 5, 0, 0, 0, 0, 0, List.of()));

    private static Policy policy(boolean shadow) {
        return Policy.builder()
                .service("shop")
                .version(3)
                .metrics(List.of("tpr@10"))
                .classes(List.of(ClassPolicy.builder()
                        .name("high")
                        .priority(0)
                        .objective(0.9)
                        .build()))
                .admission(AdmissionPolicy.DEFAULT.toBuilder().shadow(shadow).build())
                .build();
    }

    private Front front(String service, long aheadMillis, String... components) {
        return new Front(service, "front-1", 6_000, aheadMillis, List.of("high"), List.of(components), safeFractions);
    }

    private static QualityWindow window(long unmeasurable) {
        return QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric("tpr@10")
                .startMillis(NOW - 61_000)
                .endMillis(NOW - 1_000)
                .answered(100)
                .samples(60)
                .estimate(Optional.of(new Estimate(0.9, 0.92, 0.94)))
                .unmeasurable(unmeasurable == 0 ? Map.of() : Map.of(Unmeasurable.FAILED_ANSWER, unmeasurable))
                .build();
    }

    private static Map<String, DecisionTrail> decisions(Decision... inOrder) {
        DecisionTrail trail = DecisionTrail.NONE;
        for (Decision decision : inOrder) {
            trail = trail.with(decision);
        }
        return Map.of(Decision.ADMISSION + "/shop/high", trail);
    }

    private static Decision decision(String reason, long issuedAtMillis, long validUntilMillis) {
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("shop/high")
                .epoch(1)
                .sequence(issuedAtMillis)
                .issuedAtMillis(issuedAtMillis)
                .asOfMillis(issuedAtMillis)
                .validUntilMillis(validUntilMillis)
                .value(0.45)
                .previous(0.6)
                .mode(DecisionMode.ACTIVE)
                .reason(reason)
                .build();
    }

    private List<Finding> findings() {
        return Checkup.of(FactsBuilder.builder()
                .nowMillis(NOW)
                .brokers(brokers)
                .missingTopics(missing)
                .writersTimes(writersTimes)
                .transactions(transactions)
                .policies(policies)
                .fronts(fronts)
                .sampled(sampled)
                .results(results)
                .late(late)
                .lateAnswers(lateAnswers)
                .windows(windows)
                .decisions(decisions)
                .deadLetters(deadLetters)
                .places(Optional.of(places))
                .jobs(jobs)
                .adapters(adapters)
                .build());
    }

    private void assertOnly(Level level, String subject, String text) {
        assertThat(findings())
                .filteredOn(f -> f.level() != Level.OK)
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.level()).isEqualTo(level);
                    assertThat(f.subject()).isEqualTo(subject);
                    assertThat(f.text()).contains(text);
                    assertThat(f.advice()).isNotEmpty();
                });
    }

    @Test
    void aWellSystemHasNothingToDo() {
        assertThat(findings()).allMatch(f -> f.level() == Level.OK).hasSizeGreaterThan(8);
    }

    @Test
    void topics() {
        missing = List.of("kipimo.answers");
        assertOnly(Level.WRONG, "topics", "missing: kipimo.answers");
        missing = List.of();
        writersTimes = List.of("kipimo.answers");
        assertOnly(Level.NOTE, "topics", "without append times: kipimo.answers");
    }

    @Test
    void transactionsThatHoldWhatFollowsThem() {
        transactions = List.of(new OpenTransaction("kipimo.answers", 2, "checkout-7", 96, 60_000));
        assertOnly(
                Level.WRONG,
                "transactions",
                "kipimo.answers-2: 96 records wait behind an open transaction of producer checkout-7, which has been"
                        + " silent for 60 s");
        transactions = List.of(new OpenTransaction("kipimo.answers", 2, "checkout-7", 96, 2_000));
        assertOnly(Level.NOTE, "transactions", "checkout-7");
    }

    @Test
    void policiesThatControlNothing() {
        policies = Map.of("shop", policy(true));
        assertOnly(Level.NOTE, "policies", "shadow mode");
        policies = Map.of("shop", policy(false).withKillSwitch(true));
        assertOnly(Level.NOTE, "policies", "kill switch on");
    }

    @Test
    void safeFractionsThatDiffer() {
        safeFractions = Map.of("high", 1.0, "undeclared", 0.2);
        fronts = List.of(front("shop", 0, "shard"));
        assertThat(findings()).allMatch(f -> f.level() == Level.OK);
        safeFractions = Map.of("high", 0.5);
        fronts = List.of(front("shop", 0, "shard"));
        assertOnly(
                Level.WRONG,
                "policies",
                "shop/high: without a valid decision front-1 admits 0.5, and the policy's safe_fraction is 1.0");
    }

    @Test
    void whoShouldEmitAndDoesNot() {
        fronts = List.of();
        sampled = Map.of();
        assertOnly(Level.WRONG, "emitters", "shop: no front end sent counts");
    }

    @Test
    void whoEmitsWithoutAPolicy() {
        fronts = List.of(front("shop", 0, "shard"), front("other", 0));
        assertOnly(Level.WRONG, "emitters", "other emits, and has no policy");
    }

    @Test
    void aComponentThatSendsNothing() {
        fronts = List.of(front("shop", 0, "shard", "ranker"));
        assertOnly(Level.WRONG, "emitters", "invoked, but sent no results: ranker");
    }

    @Test
    void componentsOfReplayedAnswersNeedNotSendAnything() {
        fronts = List.of(front("shop", 0, "shard", "ranker"));
        MergePolicy replayed = new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of());
        policies = Map.of("shop", policy(false).toBuilder().merge(replayed).build());

        assertThat(findings()).noneMatch(f -> f.text().contains("sent no results"));
    }

    @Test
    void whoseEventsCameLate() {
        late = Map.of("shop", new TreeMap<>(Map.of("answers", 3L, "shard", 9L)));
        assertOnly(Level.NOTE, "emitters", "shop: late events in the last ten minutes: 3 of answers, 9 of shard");
    }

    @Test
    void aClockThatIsAhead() {
        fronts = List.of(front("shop", 5_000, "shard"));
        assertOnly(Level.WRONG, "clocks", "shop, front-1: ahead of the broker by 5000 ms");
    }

    @Test
    void jobsThatDoNotRun() {
        jobs = Optional.of(List.of(new Job("kipimo-quality", "RUNNING"), new Job("kipimo-tails", "FAILED")));
        assertOnly(Level.WRONG, "jobs", "kipimo-tails: FAILED");
        jobs = Optional.of(List.of());
        assertOnly(Level.WRONG, "jobs", "no quality job");
        jobs = Optional.empty();
        assertOnly(Level.NOTE, "jobs", "not looked at");
    }

    @Test
    void whetherEventsCanComeToTheJoinWithoutAShuffle() {
        assertThat(findings())
                .filteredOn(f -> f.subject().equals("join"))
                .extracting(Finding::text)
                .containsExactly("the newest 400 answers and 400 partial results are in the partitions of"
                        + " their queries' ids");
        places = new WriterPlaces(4, 400, 400, 3, "partials-1 offset 7 of service 'shop'");
        assertThat(findings()).as("AUTO is KEYED then").allMatch(f -> f.level() == Level.OK);
        jobs = Optional.of(List.of(new Job("kipimo-quality", "RUNNING", Map.of(), Optional.of(JoinPath.LOCAL))));
        assertOnly(
                Level.WRONG,
                "join",
                "join.path is LOCAL: 3 of the 800 newest answers and partial results are not in"
                        + " the partition of their query's id (its murmur2 hash modulo 4), such as"
                        + " partials-1 offset 7 of service 'shop'");
    }

    @Test
    void whyAJobShufflesStandsBesideWhatItsRecordsShowNow() {
        jobs = Optional.of(List.of(new Job(
                "kipimo-quality",
                "RUNNING",
                Optional.of(KipimoJob.QUALITY),
                Map.of(),
                Optional.of(JoinPath.KEYED),
                "KEYED, since parallelism 8 is above the 4 partitions",
                Optional.empty())));
        assertThat(findings())
                .filteredOn(f -> f.subject().equals("join"))
                .extracting(Finding::text)
                .containsExactly("join.path is KEYED, since parallelism 8 is above the 4 partitions; now the"
                        + " newest 400 answers and 400 partial results are in the partitions of their queries' ids");
    }

    @Test
    void whatIsNotMeasured() {
        windows = Map.of();
        assertOnly(Level.WRONG, "measuring", "shop/high: no window");
        fronts = List.of(new Front("shop", "front-1", 6_000, 0, List.of("low"), List.of("shard"), Map.of()));
        assertOnly(Level.NOTE, "measuring", "shop/high: no queries in the last minute");
        fronts = List.of(front("shop", 0, "shard"));
        windows = Map.of(HIGH, window(0).toBuilder().endMillis(NOW - 400_000).build());
        assertOnly(Level.WRONG, "measuring", "the newest window is of 2023-11-14T");
        windows = Map.of(HIGH, window(60));
        assertOnly(Level.WRONG, "measuring", "40 % measurable, 60 samples: FAILED_ANSWER");
        windows = Map.of(HIGH, window(10));
        assertOnly(Level.NOTE, "measuring", "90 % measurable");
        windows = Map.of(HIGH, window(0).toBuilder().estimate(Optional.empty()).build());
        assertOnly(Level.NOTE, "measuring", "too few for an estimate");
        windows = Map.of(
                HIGH,
                window(10).toBuilder().represented(10L * window(10).samples()).build());
        assertOnly(Level.NOTE, "measuring", "samples, 10 % of the queries while the job is behind");
    }

    @Test
    void decisionsThatEnded() {
        decisions = decisions(decision("SHUT", NOW - 60_000, NOW - 6_000));
        assertOnly(Level.WRONG, "decisions", "the lease ended at");
        decisions = Map.of();
        assertOnly(Level.NOTE, "decisions", "none; front ends admit the safe fraction that they declare");
    }

    /** As in the console and in {@code kipimo status}: five minutes. */
    @Test
    void aControllerThatAFaultHolds() {
        Decision first = decision("HELD_NO_INPUT", NOW - 300_000, NOW - 270_000);
        Decision newest = decision("HELD_STALE", NOW - 1_000, NOW + 60_000);
        decisions = decisions(first, newest);
        assertOnly(Level.WRONG, "decisions", "shop/high: held since 2023-11-14T");
        decisions = decisions(decision("HELD_NO_INPUT", NOW - 299_000, NOW - 270_000), newest);
        assertThat(findings()).allMatch(f -> f.level() == Level.OK);
        decisions = decisions(first, decision("SHUT", NOW - 1_000, NOW + 60_000));
        assertThat(findings()).allMatch(f -> f.level() == Level.OK);
    }

    @Test
    void adaptersThatApplyNothing() {
        adapters = List.of(Adapter.silent("http://g/metrics", "does not answer"));
        assertOnly(Level.WRONG, "adapters", "http://g/metrics: does not answer");
        adapters = List.of(new Adapter("http://g/metrics", "", true, 5, 0, 0, 0, 0, 0, List.of()));
        assertOnly(Level.WRONG, "adapters", "disconnected from its balancer");
        adapters = List.of(new Adapter("http://f/metrics", "", false, Double.NaN, 1_800, 0, 0, 0, 0, List.of()));
        assertOnly(Level.WRONG, "adapters", "http://f/metrics: stale keys were lost; no filter for 1800 s");
    }

    @Test
    void deadLetters() {
        deadLetters = Map.of(RejectionReason.UNREADABLE, 3L);
        assertOnly(Level.WRONG, "dead letters", "3 UNREADABLE");
    }

    @Test
    void withoutKafkaItStillTellsAboutJobsAndAdapters() {
        List<Finding> findings = Checkup.withoutKafka(FactsBuilder.builder()
                .jobs(Optional.of(List.of(new Job("kipimo-quality", "RUNNING"), new Job("kipimo-tails", "FAILED"))))
                .adapters(List.of(new Adapter("http://g/metrics", "", true, 5, 0, 0, 0, 0, 0, List.of())))
                .build());

        assertThat(findings)
                .extracting(f -> f.level() + " " + f.subject() + ": " + f.text())
                .contains("OK jobs: kipimo-quality: RUNNING", "WRONG jobs: kipimo-tails: FAILED")
                .anyMatch(text -> text.startsWith("WRONG adapters: http://g/metrics"))
                .anyMatch(text -> text.startsWith("NOTE others: not known without Kafka: topics"));
    }

    @Test
    void ofAClusterThatDoesNotAnswerNoJobIsSaidToBeMissing() {
        jobs = Optional.of(List.of(new Job(Job.CLUSTER, "nothing answers")));

        assertOnly(Level.WRONG, "jobs", "nothing answers");
    }

    @Test
    void withoutAppendTimesNoClockIsCalledRight() {
        fronts = List.of(front("shop", Front.UNKNOWN, "shard"));

        assertOnly(Level.NOTE, "clocks", "not known");
    }

    @Test
    void whatAJobLeftOutIsToldByService() {
        jobs = Optional.of(List.of(new Job(
                "kipimo-quality",
                "RUNNING",
                Map.of("steps of service bad in quality-windows", 12L),
                Optional.empty())));

        assertThat(findings())
                .filteredOn(f -> f.text().contains("left out"))
                .singleElement()
                .satisfies(f -> assertThat(f.text())
                        .isEqualTo("kipimo-quality: failed and left out since its start: 12 steps of service bad in"
                                + " quality-windows"));
    }

    private static Job runs(String name, KipimoJob job, Execution execution) {
        return new Job(name, "RUNNING", Optional.of(job), Map.of(), Optional.empty(), "", Optional.of(execution));
    }

    @Test
    void aJobUnderAnotherNameIsTheJobItIs() {
        jobs = Optional.of(List.of(runs(
                "quality of the shop",
                KipimoJob.QUALITY,
                new Execution(2, 128, OptionalLong.of(45_000), OptionalLong.of(0)))));

        assertThat(findings())
                .filteredOn(f -> f.subject().equals("jobs"))
                .extracting(Finding::level, Finding::text)
                .containsExactly(
                        tuple(Level.OK, "quality of the shop: RUNNING, parallelism 2, checkpoints every 45 s"));
    }

    @Test
    void aJobThatDiffersFromWhatEveryJobNeeds() {
        jobs = Optional.of(List.of(runs(
                "kipimo-quality", KipimoJob.QUALITY, new Execution(1, 64, OptionalLong.empty(), OptionalLong.of(3)))));

        assertThat(findings())
                .filteredOn(f -> f.subject().equals("jobs"))
                .extracting(Finding::level, f -> f.text().replaceAll("[;,].*", ""))
                .containsExactly(
                        tuple(Level.OK, "kipimo-quality: RUNNING"),
                        tuple(Level.WRONG, "kipimo-quality: its maximum parallelism is 64"),
                        tuple(Level.WRONG, "kipimo-quality: it takes no checkpoints"),
                        tuple(Level.NOTE, "kipimo-quality: restarted 3 times since it was submitted"));
    }

    @Test
    void aFrontEndThatLivesAndHasNoQueriesIsIdleAndNotWrong() {
        fronts = List.of(new Front("shop", "front-1", 0, 0, List.of(), List.of(), Map.of()));
        sampled = Map.of();
        results = Map.of();
        windows = Map.of();

        assertThat(findings()).noneMatch(f -> f.level() == Level.WRONG).anyMatch(f -> f.text()
                .contains("shop: idle, 1 front ends live"));
    }

    @Test
    void aServiceMostOfWhoseAnswersComeLateIsWrong() {
        late = Map.of("shop", Map.of("answers", 300L));
        lateAnswers = Map.of("shop", 30L);
        assertOnly(Level.NOTE, "emitters", "300 of answers");

        lateAnswers = Map.of("shop", 31L);
        assertOnly(Level.WRONG, "emitters", "most answers of the last minute");
    }

    @Test
    void replaysThatTheBudgetRefusesAreSeenInTheWindowsAndAtTheGateway() {
        windows = Map.of(HIGH, window(0).toBuilder().expired(53).samples(56).build());
        assertOnly(Level.WRONG, "measuring", "53 of 56 measured queries expired");

        windows = Map.of(HIGH, window(0));
        adapters = List.of(new Adapter("http://g/metrics", "", false, 5, 0, 3, 53, 0, 0, List.of()));
        assertOnly(Level.WRONG, "adapters", "53 of 56 sampled queries were not asked again");
    }

    @Test
    void aGatewaysPageTellsItsReplays() {
        Adapter adapter = RunningSystem.adapter("http://g/metrics", """
            kipimo_gateway_replays_total 3
            kipimo_gateway_replays_failed_total{reason="queue_full"} 7
            kipimo_gateway_replays_failed_total{reason="budget"} 53
            kipimo_gateway_decision_age_seconds{class="high"} 5.5
            """);
        assertThat(adapter).isEqualTo(new Adapter("http://g/metrics", "", false, 5.5, 0, 3, 53, 0, 0, List.of()));
    }

    @Test
    void queriesThatTheEngineCountsAndNoGatewaySendsAreNamed() {
        Adapter adapter = RunningSystem.adapter("http://g/metrics", """
            kipimo_gateway_engine_queries_total{listener="front"} 200
            kipimo_gateway_engine_queries_sent_total{listener="front"} 150
            """);
        assertThat(adapter.engineQueries()).isEqualTo(200);
        assertThat(adapter.sentQueries()).isEqualTo(150);
        adapters = List.of(adapter);
        assertOnly(Level.NOTE, "adapters", "50 of 200 queries");
    }

    @Test
    void serversWhoseCopiesNeverWinAreNamed() {
        Adapter adapter = RunningSystem.adapter("http://g/metrics", """
            kipimo_gateway_won_copies_total{listener="web",server="a:1"} 3
            kipimo_gateway_won_copies_total{listener="web",server="b:1"} 0
            kipimo_gateway_won_copies_total{listener="web",server="c:1"} 0
            kipimo_gateway_lost_copies_total{listener="web",server="a:1"} 997
            kipimo_gateway_lost_copies_total{listener="web",server="b:1"} 100
            kipimo_gateway_lost_copies_total{listener="web",server="c:1"} 99
            """);
        assertThat(adapter.copies()).extracting(CopyCount::ended).containsExactly(1_000L, 100L, 99L);
        adapters = List.of(adapter);
        assertOnly(Level.NOTE, "adapters", "server=\"b:1\": 0 of 100 copies won");
    }

    @Test
    void answersThatAreNotThePolicysMergeAreWrongHoweverFewTheyAre() {
        windows = Map.of(
                HIGH,
                window(0).toBuilder()
                        .unmeasurable(Map.of(Unmeasurable.MERGE_DIFFERS, 1L))
                        .build());
        assertOnly(Level.WRONG, "measuring", "not the policy's merge");
    }

    @Test
    void decisionsThatRedisDoesNotTakeAreWrongWhileTheyAreDropped() {
        Job quality = new Job("kipimo-quality", "RUNNING");
        Job admission = new Job(
                "kipimo-admission",
                "RUNNING",
                Optional.of(KipimoJob.ADMISSION),
                Map.of(),
                Optional.empty(),
                "",
                Optional.empty(),
                40,
                4);
        jobs = Optional.of(List.of(quality, admission));
        assertOnly(Level.WRONG, "jobs", "kipimo-admission: Redis does not take its decisions");

        jobs = Optional.of(List.of(quality, admission.withDroppedNow(0)));
        assertOnly(Level.NOTE, "jobs", "dropped since its start");
    }
}
