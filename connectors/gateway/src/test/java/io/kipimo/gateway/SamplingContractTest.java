package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.control.Control;
import io.kipimo.sdk.internal.control.KipimoControl;
import io.kipimo.sdk.trace.TraceParent;
import java.util.SplittableRandom;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The front end and the components of a query use gateways or the SDK, and the flags of the trace context change
 * between them. All must sample the same queries. Without a broker, the configured rate applies. Side by side, since
 * clients without a broker wait when they are closed.
 */
@Execution(ExecutionMode.CONCURRENT)
class SamplingContractTest {
    private static final int IDS = Effort.of(20_000, 100_000);
    private static final int FLAGS = 256;

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.1, 0.5})
    void gatewaySdkAndCoreSampleTheSameIdsWhateverTheFlags(double rate) {
        GatewayConfig config = ConfigFile.read("""
                        service: shop
                        kafka: {bootstrap-servers: '127.0.0.1:1'}
                        sampling: {rate: %s}
                        listeners: [{name: web, listen: '127.0.0.1:0', servers: ['127.0.0.1:1']}]
                        """.formatted(rate), null, "gateway");
        SplittableRandom random = new SplittableRandom(17);
        long now = System.currentTimeMillis();
        int sampled = 0;
        try (Control gateway = KipimoControl.connect(config.kipimo().orElseThrow());
                Kipimo sdk = Kipimo.connect(
                        KipimoConfig.builder("shop", "web-1", config.kafka().orElseThrow())
                                .initialSamplingRate(rate)
                                .queryClass("default", ClassDefaults.ALL)
                                .build())) {
            for (int i = 0; i < IDS; i++) {
                TraceParent start = TraceParent.start(random);
                TraceParent arrived = TraceParent.parse(
                                "00-%s-%s-%02x".formatted(start.traceId(), start.parentId(), i % FLAGS))
                        .orElseThrow();
                boolean expected = ConsistentSampling.isSampled(start.traceId(), rate);
                boolean alike = gateway.isSampled(start.traceId(), now) == expected
                        && gateway.isSampled(arrived.traceId(), now) == expected
                        && sdk.emitter().isSampled(start.traceId(), now) == expected
                        && sdk.emitter().isSampled(arrived.traceId()) == expected;
                if (!alike) {
                    assertThat(arrived).as("all decide alike").isNull();
                }
                sampled += expected ? 1 : 0;
            }
        }
        double fiveDeviations = 5 * Math.sqrt(rate * (1 - rate) / IDS);
        assertThat(sampled / (double) IDS).isBetween(rate - fiveDeviations, rate + fiveDeviations);
    }
}
