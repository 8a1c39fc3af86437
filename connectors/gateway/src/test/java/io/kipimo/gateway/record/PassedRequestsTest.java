package io.kipimo.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.gateway.config.PathRule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PassedRequestsTest {
    private final List<String> said = new ArrayList<>();
    private long nowNanos;

    private final PassedRequests requests = new PassedRequests(
            List.of(new PathRule("*/select"), new PathRule("*/query")),
            new Complaints("front", said::add, () -> nowNanos));

    @Test
    void whileNothingIsMeasuredARequestThatPassesIsNamed() {
        requests.passed("GET", "/docs/_search?q=secret");

        assertThat(said)
                .containsExactly("front: no request was measured so far; GET /docs/_search passes, since only"
                        + " names */select, */query; check engine and only");
    }

    @Test
    void onceARequestWasMeasuredThoseThatPassAreAsMeant() {
        requests.query();
        requests.passed("POST", "/docs/update");
        nowNanos += TimeUnit.MINUTES.toNanos(2);
        requests.passed("POST", "/docs/update");

        assertThat(said).isEmpty();
    }
}
