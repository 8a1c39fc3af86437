package io.kipimo.cli.rating;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.RatingTrialBuilder;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class RatingPageTest {
    @TempDir
    private Path directory;

    private static RatingTrial trial(int number, long load, TrialVerdict verdict, String remark) {
        return RatingTrialBuilder.builder()
                .number(number)
                .load(load)
                .purpose(TrialPurpose.CLIMB)
                .measuredMillis(5_000)
                .verdict(verdict)
                .throughput(10.0 * load)
                .counts(ExperimentCountsBuilder.builder()
                        .requests(100)
                        .within(99)
                        .scored(50)
                        .qualitySum(47.5)
                        .answered(100)
                        .withinFromSending(99)
                        .build())
                .meanMicros(9_000)
                .p50Micros(8_000)
                .p95Micros(20_000L * load)
                .p99Micros(30_000)
                .remark(remark)
                .build();
    }

    private static Rating rating(String target, List<RatingTrial> trials) {
        return RatingBuilder.builder()
                .request(new RatingRequest(
                        "r",
                        "",
                        target,
                        new AgreementTerms(0.95, 50_000, 0, 0.9, 0.01, 5_000),
                        new SearchTerms(RatingTechnique.ADAPTIVE, 2, 0, 0.02, 1_000, 100),
                        ExperimentTermsBuilder.builder()
                                .model(LoadModel.OPEN)
                                .unit(10)
                                .warmUpMillis(2_000)
                                .millis(5_000)
                                .generators(1)
                                .patienceMillis(1_000)
                                .seed(1)
                                .build(),
                        0))
                .state(RatingState.FOUND)
                .trials(trials)
                .load(16)
                .throughput(160)
                .noise(0.01)
                .elapsedMillis(61_000)
                .predictedMillis(58_000)
                .remark("")
                .build();
    }

    @Test
    void showsCurvesExperimentsAgreementAndBothTimes_andNeedsNothingElse() {
        String page = RatingPage.of(List.of(new RatingView(rating(
                "http://x/<script>",
                List.of(
                        trial(1, 1, TrialVerdict.PASSED, ""),
                        trial(2, 16, TrialVerdict.PASSED, ""),
                        trial(3, 40, TrialVerdict.BOTTLENECK, "<b>"),
                        trial(4, 32, TrialVerdict.FAILED, ""))))));

        assertThat(page)
                .contains("rating 160 requests/s at 160 requests/s imposed")
                .contains("p95&lt;=50ms,quality&gt;=0.9")
                .contains("took 61.0 s; by the model of a rating's duration 58.0 s")
                .contains("<td>failed</td>", "<td>bottleneck</td>", "&lt;b&gt;")
                .contains("prefers-color-scheme:dark")
                .doesNotContain("<script", "<b>", "NaN", "Infinity", "src=", "href=");
        assertThat(page.split("<svg ", -1))
                .as("throughput, p95, within, quality")
                .hasSize(5);
        assertThat(page.split("<circle", -1)).as("two that passed, four times").hasSize(9);
        assertThat(page.split("★</text>", -1)).hasSize(5);
    }

    @Test
    void drawingsAreWellFormed() throws Exception {
        for (List<RatingTrial> trials : List.of(
                List.<RatingTrial>of(),
                List.of(trial(1, 16, TrialVerdict.FAILED, "\"&<>")),
                List.of(trial(1, 1, TrialVerdict.PASSED, ""), trial(2, 2, TrialVerdict.FAILED, "")))) {
            String page = RatingPage.of(List.of(new RatingView(rating("x", trials))));
            for (String part : page.split("(?=<svg )", -1)) {
                if (part.startsWith("<svg ")) {
                    String svg = part.substring(0, part.indexOf("</svg>") + 6);
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new InputSource(new StringReader(svg)));
                    assertThat(svg).doesNotContain("NaN", "Infinity");
                }
            }
        }
    }

    @Test
    void theNameOfTheReportDecidesItsFormat() throws Exception {
        TargetRating.TargetResult result = new TargetRating.TargetResult(
                rating("x", List.of(trial(1, 16, TrialVerdict.PASSED, ""))), Optional.empty());
        result.writeReport(directory.resolve("r.html"));
        result.writeReport(directory.resolve("r.md"));

        assertThat(directory.resolve("r.html")).content().startsWith("<!doctype html>");
        assertThat(directory.resolve("r.md")).content().startsWith("# Rating of `x`");
    }
}
