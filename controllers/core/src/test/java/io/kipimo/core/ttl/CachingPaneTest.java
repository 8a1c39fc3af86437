package io.kipimo.core.ttl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.InvalidatedKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CachingPaneTest {
    private static CachingWindow window(CachingPane pane) {
        return pane.window("shop", "things", 0, 10_000);
    }

    private static void fill(CachingPane pane, SplittableRandom random) {
        for (int i = 0; i < 200; i++) {
            pane.read(random.nextInt(60_000));
            pane.wrote();
            pane.invalidated("q" + random.nextInt(30));
            pane.used(new CacheCounts(5, 2, 1, 2, 1, 0));
        }
    }

    @Test
    void partsMergeToTheWholeAndAreReadBack() throws IOException {
        CachingPane whole = new CachingPane();
        fill(whole, new SplittableRandom(1));
        fill(whole, new SplittableRandom(2));
        CachingPane one = new CachingPane();
        CachingPane other = new CachingPane();
        fill(one, new SplittableRandom(1));
        fill(other, new SplittableRandom(2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        one.write(new DataOutputStream(bytes));
        CachingPane read = CachingPane.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        other.merge(read);
        assertThat(window(other)).isEqualTo(window(whole));
        assertThat(window(read.copy())).isEqualTo(window(one));
    }

    @Test
    void theKeysMostOftenInvalidatedComeFirst() {
        CachingPane pane = new CachingPane();
        for (int key = 0; key < 30; key++) {
            for (int i = 0; i <= key; i++) {
                pane.invalidated("q" + key);
            }
        }
        CachingWindow window = window(pane);
        assertThat(window.mostInvalidated()).hasSize(20);
        assertThat(window.mostInvalidated().get(0)).isEqualTo(new InvalidatedKey("q29", 30));
        assertThat(window.invalidations()).isEqualTo(30 * 31 / 2);
        assertThat(window.handedOut()).as("no reads").isEmpty();
        assertThat(window.use()).isEmpty();
    }

    @Test
    void moreKeysThanAreKeptLoseTheSeldomOnesOnly() {
        CachingPane pane = new CachingPane();
        for (int i = 0; i < 100; i++) {
            pane.invalidated("often");
        }
        for (int i = 0; i < 10_000; i++) {
            pane.invalidated("q" + i);
        }
        assertThat(window(pane).invalidations()).isEqualTo(10_100);
        assertThat(window(pane).mostInvalidated().get(0)).isEqualTo(new InvalidatedKey("often", 100));
    }

    @Test
    void quantilesAreOfTheTimesHandedOut() {
        CachingPane pane = new CachingPane();
        for (int i = 0; i <= 1_000; i++) {
            pane.read(i * 60L);
        }
        assertThat(window(pane).handedOut().orElseThrow().p50Millis()).isCloseTo(30_000, within(300.0));
    }
}
