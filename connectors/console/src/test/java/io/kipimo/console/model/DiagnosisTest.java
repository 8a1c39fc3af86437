package io.kipimo.console.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.core.quality.window.Verdict;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
    private static final long NOW = 1_000_000_000_000L;

    private final ConsoleModel model = new ConsoleModel();

    DiagnosisTest() {
        model.connected(NOW - 3_600_000);
        model.readUntil(NOW);
        model.policy(Records.policy());
        model.observation(Records.queries("high", NOW - 2_000), NOW);
        model.observation(Records.queries("low", NOW - 2_000), NOW);
    }

    private Diagnosis high() {
        return model.diagnosis(Records.SERVICE, "high", NOW).orElseThrow();
    }

    @Test
    void surelyBelowTheObjectiveIsWrongSinceTheFirstWindow() {
        model.window(Records.window(NOW - 50_000, 0.93), NOW);
        model.window(Records.window(NOW - 40_000, 0.86), NOW);
        model.window(Records.window(NOW - 30_000, 0.84), NOW);

        assertThat(high().verdict()).isEqualTo(Verdict.WRONG);
        assertThat(high().sinceMillis()).isEqualTo(NOW - 40_000);
        assertThat(high().sentence())
                .isEqualTo("Quality is 0.840 (0.830..0.850), below its objective 0.900 for 40 s;"
                        + " shard-2 costs most, 0.090 a query.");
    }

    @Test
    void aPolicyThatTheJobCannotUseIsNamedWithTheReason() throws Exception {
        model.policy(Records.policy().toBuilder()
                .version(8)
                .metrics(List.of("no-such-metric@3"))
                .build());

        assertThat(high().sentence())
                .startsWith("The quality job cannot use version 8 of the policy: similarity is"
                        + " 'no-such-metric@3'; allowed: tpr@k,");
        JsonNode policy = new ObjectMapper().readTree(model.state(false, NOW)).at("/services/0/policy");
        assertThat(policy.path("problem").textValue()).startsWith("similarity is 'no-such");

        model.policy(Records.policy().toBuilder().version(9).build());
        assertThat(high().sentence()).doesNotContain("cannot use");
    }

    /** The quality of the measurable answers has no effect. */
    @Test
    void isNotFineWhereMostAnswersCannotBeMeasured() {
        model.window(Records.window(NOW - 30_000, 0.99), NOW);
        model.window(Records.unmeasurable(NOW - 20_000, 3_240), NOW);
        model.window(Records.unmeasurable(NOW - 10_000, 4_050), NOW);

        assertThat(high().verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(high().sinceMillis()).isEqualTo(NOW - 20_000);
        assertThat(high().sentence())
                .isEqualTo("Only 25.0 % of the answers can be measured, for 20 s: 4050 NO_COMPONENTS"
                        + " (name the components that were asked, or set the gateway's engine).");
    }

    @Test
    void aFineClassShowsItsUnmeasurableAnswers() {
        model.window(Records.unmeasurable(NOW - 10_000, 54), NOW);

        assertThat(high().verdict()).isEqualTo(Verdict.FINE);
        assertThat(high().sentence()).contains("Only 99.0 % of the answers can be measured: 54 NO_COMPONENTS (name ");
    }

    @Test
    void theSentenceNamesTheLastMove() {
        model.window(Records.window(NOW - 10_000, 0.84), NOW);
        model.decision(Records.decision("high", 1, NOW - 20_000, 1, 1, DecisionMode.ACTIVE, "PROTECTED"));
        model.decision(Records.decision("low", 2, NOW - 20_000, 0.6, 0.6, DecisionMode.ACTIVE, "OPENED"));
        model.decision(Records.decision("low", 3, NOW - 8_000, 0.45, 0.6, DecisionMode.ACTIVE, "SHUT"));

        assertThat(high().sentence())
                .endsWith("Kipimo cut low from 60 % to 45 % 8 s ago (quality is below its objective:"
                        + " less is admitted).");
    }

    @Test
    void theSentenceNamesWhatHoldsTheController() {
        model.window(Records.window(NOW - 10_000, 0.84), NOW);
        model.decision(Records.decision("low", 1, NOW - 8_000, 0.6, 0.6, DecisionMode.HOLD, "HELD_AWAITING_EFFECT"));
        assertThat(high().sentence())
                .endsWith("Kipimo admits 60 % of low (what the last moves did is not known yet: the newest step"
                        + " began before them, or it may be chance).");
    }

    @Test
    void shadowMovesAreInTheConditional() {
        model.window(Records.window(NOW - 10_000, 0.84), NOW);
        model.decision(Records.decision("low", 1, NOW - 8_000, 0.5, 0.5, DecisionMode.SHADOW, "SHUT"));
        assertThat(high().sentence()).contains("Kipimo would admit 50 % of low");
        model.decision(Records.decision("low", 2, NOW - 4_000, 0.4, 0.5, DecisionMode.SHADOW, "SHUT"));
        assertThat(high().sentence()).contains("Kipimo would have cut low from 50 % to 40 %");
    }

    @Test
    void overridesAndTheKillSwitchAreShown() {
        model.window(Records.window(NOW - 10_000, 0.84), NOW);
        model.decision(Records.decision("low", 1, NOW - 8_000, 0.25, 0.5, DecisionMode.MANUAL, "OVERRIDE"));
        model.policy(Records.policy()
                .withOverride("low", Optional.of(new ManualOverride(0.25, NOW + 5_000, "ann", "sale"))));
        assertThat(high().sentence()).endsWith("ann admits 25 % of low (sale).");

        model.policy(Records.policy().withKillSwitch(true));
        assertThat(high().sentence()).endsWith("The kill switch is on: Kipimo steps aside.");
    }

    @Test
    void anIntervalThatHoldsTheObjectiveIsNeitherWrongNorFine() {
        model.window(Records.window(NOW - 15_000, 0.895), NOW);
        model.window(Records.window(NOW - 10_000, 0.905), NOW);
        assertThat(high().verdict()).isEqualTo(Verdict.UNCERTAIN);
        assertThat(high().sinceMillis()).isEqualTo(NOW - 15_000);
        assertThat(high().sentence())
                .startsWith("Quality is 0.905 (0.895..0.915), which may be above or below its objective 0.900");
        model.window(Records.window(NOW - 5_000, 0.95), NOW);
        assertThat(high().verdict()).isEqualTo(Verdict.FINE);
        assertThat(high().sentence()).startsWith("Quality is 0.950 (0.940..0.960), above its");
        assertThat(high().sinceMillis()).isEqualTo(NOW - 5_000);
    }

    @Test
    void manyExpiredAreWrongEvenIfTheRestLooksFine() {
        model.window(Records.window("high", "tpr@10", NOW - 10_000, Optional.of(Records.estimate(0.95)), 6), NOW);
        assertThat(high().verdict()).isEqualTo(Verdict.WRONG);
        assertThat(high().sentence()).startsWith("6.0 % of the measured queries expired before all their results");
    }

    @Test
    void whereMatureAnswersAreReplaysTheGatewayKnowsWhyTheyExpired() {
        model.policy(Records.policy().toBuilder()
                .version(Records.policy().version() + 1)
                .merge(new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of()))
                .build());
        model.window(Records.window("high", "tpr@10", NOW - 10_000, Optional.of(Records.estimate(0.95)), 6), NOW);
        assertThat(high().sentence()).contains("not known (without a replay; the gateway's replays_failed says why).");
    }

    @Test
    void tooFewMeasurementsAreUnknownAndNotFine() {
        model.window(Records.window(NOW - 50_000, 0.95), NOW);
        model.window(Records.window("high", "tpr@10", NOW - 40_000, Optional.empty(), 0), NOW);
        model.window(Records.window("high", "tpr@10", NOW - 30_000, Optional.empty(), 0), NOW);
        assertThat(high().verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(high().sinceMillis()).isEqualTo(NOW - 40_000);
        assertThat(high().sentence())
                .isEqualTo("Too few measurements to tell, for 40 s: 20 of 1080 degraded queries were"
                        + " measured in 60 s.");
    }

    @Test
    void aWindowWithoutDegradedQueriesOrAnswersSaysSo() {
        QualityWindow empty = Records.window("high", "tpr@10", NOW - 10_000, Optional.empty(), 0).toBuilder()
                .timedOut(0)
                .degradedSamples(0)
                .build();
        model.window(empty, NOW);
        assertThat(high().sentence())
                .isEqualTo("Too few measurements to tell, for 10 s: 100 of 5400 answers were measured in 60 s.");
        model.window(
                empty.toBuilder()
                        .endMillis(NOW - 5_000)
                        .startMillis(NOW - 65_000)
                        .answered(0)
                        .samples(0)
                        .build(),
                NOW);
        assertThat(high().sentence())
                .isEqualTo("Too few measurements to tell, for 10 s: no query was answered in 60 s.");
    }

    @Test
    void queriesWithoutWindowsMeanThatTheJobDoesNotRun() {
        assertThat(high().verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(high().sentence()).contains("no quality window came: the quality job");
        model.window(Records.window(NOW - 600_000, 0.95), NOW);
        assertThat(high().verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(high().sinceMillis()).isEqualTo(NOW - 600_000);
    }

    @Test
    void withoutQueriesItIsIdle() {
        model.readUntil(NOW + 600_000);
        Diagnosis later =
                model.diagnosis(Records.SERVICE, "high", NOW + 600_000).orElseThrow();
        assertThat(later.verdict()).isEqualTo(Verdict.IDLE);
        assertThat(later.sentence()).isEqualTo("No queries for 10 min.");
        assertThat(later.sinceMillis()).isEqualTo(NOW - 2_000 + 999);
    }

    @Test
    void anExpiredDecisionIsWrong() {
        model.window(Records.window(NOW - 10_000, 0.95), NOW);
        model.decision(Records.decision("high", 1, NOW - 100_000, 1, 1, DecisionMode.ACTIVE, "PROTECTED"));
        assertThat(high().verdict()).isEqualTo(Verdict.WRONG);
        assertThat(high().sinceMillis()).isEqualTo(NOW - 40_000);
        assertThat(high().sentence())
                .startsWith(
                        "No decision is valid: the lease of the last one ended 40 s ago, and each service goes to the"
                                + " safe fraction that it declares (the policy says 100 %).");
    }

    @Test
    void aControllerThatIsHeldForLongByABrokenInputIsWrong() {
        model.window(Records.window(NOW - 10_000, 0.95), NOW);
        for (int i = 0; i <= 31; i++) {
            model.decision(Records.decision(
                    "high", i + 1, NOW - 310_000 + 10_000L * i, 1, 1, DecisionMode.HOLD, "HELD_CATCHING_UP"));
        }
        assertThat(high().verdict()).isEqualTo(Verdict.WRONG);
        assertThat(high().sinceMillis()).isEqualTo(NOW - 310_000);
        assertThat(high().sentence()).startsWith("The controller is held for 5 min (the job works off a backlog");
    }

    @Test
    void aBudgetThatBurnsFastIsWrongSinceItDoes() {
        model.window(Records.window(NOW - 10_000, 0.895), NOW);
        model.budget(Records.budget(NOW - 30_000, BudgetVerdict.SLOW_BURN, 3));
        assertThat(high().verdict()).isEqualTo(Verdict.UNCERTAIN);
        model.budget(Records.budget(NOW - 20_000, BudgetVerdict.FAST_BURN, 15));
        model.budget(Records.budget(NOW - 10_000, BudgetVerdict.FAST_BURN, 16.24));
        assertThat(high().verdict()).isEqualTo(Verdict.WRONG);
        assertThat(high().sinceMillis()).isEqualTo(NOW - 20_000);
        assertThat(high().sentence()).contains("The error budget burns 16.2 times as fast as it may; 31 % is left.");
    }

    /** Row, headline's data, and metric, minutes after Kafka's death. */
    @Test
    void whatWasFineIsUnknownMinutesAfterTheBrokerIsAway() throws Exception {
        model.window(Records.window(NOW - 10_000, 0.95), NOW);
        model.budget(Records.budget(NOW - 10_000, BudgetVerdict.FINE, 0.5));
        assertThat(high().verdict()).isEqualTo(Verdict.FINE);
        assertThat(model.metrics(NOW))
                .contains("kipimo_console_classes{status=\"fine\"} 1\n")
                .contains("kipimo_console_classes{status=\"unknown\"} 1\n");
        model.away(NOW);

        long later = NOW + 180_000;
        Diagnosis old = model.diagnosis(Records.SERVICE, "high", later).orElseThrow();
        assertThat(old.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(old.sentence())
                .isEqualTo("The console knows nothing newer than 3 min: Kafka does not answer, or the"
                        + " console is behind.");
        assertThat(model.metrics(later))
                .contains("kipimo_console_classes{status=\"fine\"} 0\n")
                .contains("kipimo_console_classes{status=\"idle\"} 0\n")
                .contains("kipimo_console_classes{status=\"unknown\"} 2\n");
        JsonNode service =
                new ObjectMapper().readTree(model.summary(false, later)).at("/services/0");
        assertThat(service.at("/classes/0/status").asText()).isEqualTo("unknown");
        assertThat(service.at("/classes/0/now").isNull())
                .as("old figures are not shown")
                .isTrue();
        assertThat(service.at("/classes/0/budget").isNull()).isTrue();
        assertThat(service.path("measurable").isNull()).isTrue();

        model.connected(later);
        model.readUntil(later);
        assertThat(model.diagnosis(Records.SERVICE, "high", later).orElseThrow().verdict())
                .as("it reads again, and there are no queries")
                .isEqualTo(Verdict.IDLE);
    }

    @Test
    void whileTopicsAreReadNothingIsIdle() {
        ConsoleModel starting = new ConsoleModel();
        starting.connected(NOW);
        starting.policy(Records.policy());
        assertThat(starting.diagnosis(Records.SERVICE, "high", NOW)
                        .orElseThrow()
                        .verdict())
                .isEqualTo(Verdict.UNKNOWN);
        starting.readUntil(NOW);
        assertThat(starting.diagnosis(Records.SERVICE, "high", NOW)
                        .orElseThrow()
                        .verdict())
                .isEqualTo(Verdict.IDLE);
    }
}
