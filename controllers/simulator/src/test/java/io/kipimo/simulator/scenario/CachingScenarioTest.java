package io.kipimo.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.core.Effort;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.schemas.document.Section;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.caching.CachingSpecBuilder;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What if Delta, times to live or the filter were others? */
class CachingScenarioTest {
    private static final String BRIEF =
            BuiltIn.text("caching").replace("reads: 400000", "reads: " + Effort.of(20_000, 60_000));

    static Iterable<String> builtIn() {
        return BuiltIn.cachingNames();
    }

    @ParameterizedTest
    @MethodSource("builtIn")
    void builtInScenarios_canBeRead(String name) {
        assertThat(ScenarioReader.readCaching(Section.tree(BuiltIn.text(name))).name())
                .isEqualTo(name);
    }

    /** The figures of the paper and scenarios have one model. */
    @Test
    void theBuiltInScenario_hasThePapersClients() {
        CachingScenario read = ScenarioReader.readCaching(Section.tree(BuiltIn.text("caching")));
        CachingSpec paper = CachingSpecBuilder.builder(CachingSpec.PAPER.withEvaluationTimes(true))
                .filterKeptMillis(50)
                .freshness(read.caching().freshness())
                .build();

        assertThat(read.caching()).isEqualTo(paper);
    }

    private static List<CachingResult> results(String variation) {
        return Variation.parse(variation).of(Section.tree(BRIEF)).values().stream()
                .map(tree -> ScenarioReader.readCaching(tree).run())
                .toList();
    }

    @Tag("full")
    @Test
    void aLongerDelta_meansMoreHits_andStalerReads_neverBeyondDeltaAndLag() {
        List<CachingResult> all = results("caching.freshness.refresh_millis=500,2000,8000");

        assertThat(all).extracting(CachingResult::tooStale).containsOnly(0L);
        for (int i = 1; i < all.size(); i++) {
            assertThat(all.get(i).clientHitRate()).isGreaterThan(all.get(i - 1).clientHitRate());
            assertThat(all.get(i).originReadsPerSecond())
                    .isLessThan(all.get(i - 1).originReadsPerSecond());
            assertThat(all.get(i).staleQueryShare())
                    .isGreaterThan(all.get(i - 1).staleQueryShare());
            assertThat(all.get(i).filterBytes()).isLessThan(all.get(i - 1).filterBytes());
        }
        assertThat(all.get(2).longestStaleMillis()).isGreaterThan(2_020);
    }

    @Test
    void aTinyFilter_takesFreshKeysForStale() {
        List<CachingResult> all = results("caching.filter.bits=512,116800");

        assertThat(all.get(0).falselyStale()).isGreaterThan(2 * all.get(1).falselyStale());
        assertThat(all.get(1).clientHitRate()).isGreaterThan(all.get(0).clientHitRate());
        assertThat(all).extracting(CachingResult::tooStale).containsOnly(0L);
    }

    @Tag("full")
    @Test
    void aLargerFilter_takesFewerFreshKeysForStale() {
        List<CachingResult> all = results("caching.filter.bits=1024,8192,116800");

        assertThat(all.get(0).falselyStale()).isGreaterThan(2 * all.get(1).falselyStale());
        assertThat(all.get(1).falselyStale()).isGreaterThan(all.get(2).falselyStale());
        assertThat(all.get(2).clientHitRate()).isGreaterThan(all.get(0).clientHitRate());
        assertThat(all).extracting(CachingResult::tooStale).containsOnly(0L);
    }

    @Test
    void shorterTimesToLive_meanFewerHits() {
        List<CachingResult> all = results("caching.ttls.longest_millis=1000,20000");

        assertThat(all.get(1).clientHitRate()).isGreaterThan(all.get(0).clientHitRate());
    }

    /** With time on the wire the filter is older when it arrives; clients reckon with that. */
    @Test
    void aSlowLink_delaysTheFilter_andBreaksNoPromise() {
        List<CachingResult> all = results("caching.link_megabits=0.05,0");

        assertThat(all).extracting(CachingResult::tooStale).containsOnly(0L);
        assertThat(all.get(0).meanLatencyMillis()).isGreaterThan(all.get(1).meanLatencyMillis());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "caching.delta=1                       | caching.delta is unknown; allowed: ttls,",
                "caching.filter.bits=9                 | caching.filter: filter bits are 9; allowed: multiples of 8",
                "caching.freshness.refresh_millis=soon | caching.freshness.refresh_millis is 'soon'; allowed:",
                "caching.mode=some                     | caching.mode is 'some'; allowed: no_caches, ttl_only,",
                "caching.ttls.shortest_millis=200000   | caching.ttls: times to live are 200000..120000 ms; allowed:",
                "caching.shared_ttl_millis=200000      | caching: shared_ttl_millis is 200000; allowed: at most the",
                "caching.records=9                     | caching: records_per_query is 10; allowed: at most records, 9",
                "caching.write_share=1                 | caching.write_share is 1; allowed: 0..0.99",
                "reads=0                               | reads is 0; allowed: a whole number, 1..",
                "service.name=x                        | service is unknown; allowed: name,",
            })
    void impossibleValues_areOneProblem(String variation, String problem) {
        JsonNode tree = Variation.parse(variation)
                .of(Section.tree(BRIEF))
                .values()
                .iterator()
                .next();

        assertThatThrownBy(() -> ScenarioReader.readCaching(tree))
                .isInstanceOfSatisfying(
                        InvalidDocumentException.class,
                        e -> assertThat(e.problems()).singleElement().asString().startsWith(problem));
    }
}
