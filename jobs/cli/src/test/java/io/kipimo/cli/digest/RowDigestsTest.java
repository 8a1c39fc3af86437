package io.kipimo.cli.digest;

import static io.kipimo.cli.digest.RowDigests.Verdict.DIFFERS;
import static io.kipimo.cli.digest.RowDigests.Verdict.EQUAL;
import static io.kipimo.cli.digest.RowDigests.Verdict.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.digest.RowDigests.Minute;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Measurement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowDigestsTest {
    private static final long MINUTE = 60_000;
    private static final long SETTLE = 30_000;
    private static final List<String> JOBS = List.of("blue", "green");

    /** Ten queries a minute, in minutes 100 to 105. */
    private static List<Measurement> rows() {
        List<Measurement> rows = new ArrayList<>();
        for (int number = 0; number < 60; number++) {
            rows.add(row("q" + number, 100 * MINUTE + number * MINUTE / 10, 10));
        }
        return rows;
    }

    private static Measurement row(String query, long atMillis, int topK) {
        return Measurement.builder()
                .service("shop")
                .queryId(query)
                .queryClass("high")
                .startedAtMillis(atMillis)
                .measuredAtMillis(atMillis)
                .topK(topK)
                .build();
    }

    private static void write(RowDigests digests, String job, List<Measurement> rows) {
        rows.forEach(row -> digests.add(job, row, Codecs.MEASUREMENT.encode(row)));
    }

    /** Both jobs have passed minutes 100 to 105. */
    private static RowDigests digests() {
        RowDigests digests = new RowDigests(JOBS);
        for (String job : JOBS) {
            digests.close(job, 99 * MINUTE);
            digests.close(job, 107 * MINUTE);
        }
        return digests;
    }

    @Test
    void orderAndRepetitionMakeNoDifference() {
        RowDigests digests = digests();
        write(digests, "blue", rows());
        List<Measurement> again = rows();
        again.addAll(rows().subList(7, 40));
        Collections.shuffle(again, new Random(1));
        write(digests, "green", again);
        write(digests, "red", List.of(row("q1", 100 * MINUTE, 11)));

        assertThat(digests.minutes(SETTLE)).hasSize(6).allSatisfy(minute -> {
            assertThat(minute.verdict()).isEqualTo(EQUAL);
            assertThat(minute.queries()).isEqualTo(10);
            assertThat(minute.digests().get(0)).isEqualTo(minute.digests().get(1));
        });
    }

    @Test
    void rowsThatDifferOrAreNotThereAreNamed() {
        RowDigests digests = digests();
        List<Measurement> green = rows();
        green.set(3, row("q3", green.get(3).measuredAtMillis(), 11));
        green.remove(25);
        write(digests, "blue", rows());
        write(digests, "green", green);
        // Both contradict themselves in the same way.
        for (String job : JOBS) {
            write(digests, job, List.of(row("q48", 104 * MINUTE + 48_000, 11)));
        }

        List<Minute> minutes = digests.minutes(SETTLE);
        assertThat(minutes).extracting(Minute::verdict).containsExactly(DIFFERS, EQUAL, DIFFERS, EQUAL, DIFFERS, EQUAL);
        assertThat(minutes.get(0).differing()).containsExactly("shop/q3");
        assertThat(minutes.get(2).differing()).containsExactly("shop/q25");
        assertThat(minutes.get(4).differing()).containsExactly("shop/q48");
        assertThat(minutes.get(0).digests().get(0))
                .isNotEqualTo(minutes.get(0).digests().get(1));
    }

    /** Green began at 102 and blue ended at 105; each may have written half of what is near. */
    @Test
    void onlyMinutesOfBothJobsAreKnown() {
        RowDigests digests = new RowDigests(JOBS);
        write(digests, "blue", rows());
        assertThat(digests.minutes(SETTLE)).allMatch(minute -> minute.verdict() == UNKNOWN);
        digests.close("blue", 90 * MINUTE);
        digests.close("blue", 105 * MINUTE);
        assertThat(digests.minutes(SETTLE)).allMatch(minute -> minute.verdict() == UNKNOWN);

        write(digests, "green", rows().subList(25, 60));
        digests.close("green", 102 * MINUTE);
        digests.close("green", 110 * MINUTE);

        assertThat(digests.minutes(SETTLE))
                .extracting(Minute::verdict)
                .containsExactly(UNKNOWN, UNKNOWN, UNKNOWN, EQUAL, UNKNOWN, UNKNOWN);
        assertThat(digests.writers()).containsExactly("blue", "green");
    }
}
