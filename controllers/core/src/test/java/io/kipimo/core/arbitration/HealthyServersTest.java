package io.kipimo.core.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class HealthyServersTest {
    private static final HealthyServers.Ejection SETTINGS = new HealthyServers.Ejection(2, 100, 300);

    private static HealthyServers of(int servers) {
        return new HealthyServers(new RoundRobin(servers), SETTINGS);
    }

    private static Set<Integer> taken(HealthyServers servers, int times, long now) {
        Set<Integer> taken = new TreeSet<>();
        for (int i = 0; i < times; i++) {
            taken.addAll(servers.take(1, s -> false, now));
        }
        return taken;
    }

    @Test
    void failuresInARowLeaveAServerOutForAWhileAndLongerEachTime() {
        HealthyServers servers = of(3);
        servers.failed(1, 0);
        assertThat(taken(servers, 3, 0)).containsExactly(0, 1, 2);
        servers.failed(1, 0);
        assertThat(taken(servers, 6, 99)).containsExactly(0, 2);
        assertThat(taken(servers, 3, 100)).as("tried again").contains(1);

        servers.failed(1, 100);
        assertThat(servers.isEjected(1, 299)).as("twice as long").isTrue();
        assertThat(servers.isEjected(1, 300)).isFalse();
        servers.failed(1, 300);
        assertThat(servers.isEjected(1, 599)).as("at most the longest").isTrue();
        assertThat(servers.isEjected(1, 600)).isFalse();

        servers.succeeded(1);
        servers.failed(1, 700);
        assertThat(servers.isEjected(1, 700)).as("like the others again").isFalse();
    }

    @Test
    void aSuccessBetweenFailuresForgivesThem() {
        HealthyServers servers = of(2);
        for (int i = 0; i < 10; i++) {
            servers.failed(0, i);
            servers.succeeded(0);
        }
        assertThat(servers.ejected(10)).isZero();
    }

    @Test
    void whenAllAreOutAllAreTried() {
        HealthyServers servers = of(2);
        for (int i = 0; i < 2; i++) {
            servers.failed(0, 0);
            servers.failed(1, 0);
        }
        assertThat(servers.ejected(1)).isEqualTo(2);
        assertThat(taken(servers, 4, 1)).containsExactly(0, 1);
    }

    @Test
    void aRequestsOwnServersStayExcluded() {
        HealthyServers servers = of(3);
        servers.failed(2, 0);
        servers.failed(2, 0);
        assertThat(servers.take(3, s -> s == 0, 1)).isEqualTo(List.of(1));
    }

    /** A healthy server is never ejected, whatever the other servers do. */
    @Property(tries = 200)
    void serversThatNeverFailAreAlwaysThere(@ForAll long seed) {
        Random random = new Random(seed);
        HealthyServers servers = of(4);
        for (long now = 0; now < 2_000; now += random.nextInt(30)) {
            int server = random.nextInt(3);
            if (random.nextBoolean()) {
                servers.failed(server, now);
            } else {
                servers.succeeded(server);
            }
            assertThat(servers.isEjected(3, now)).isFalse();
            assertThat(taken(servers, 8, now)).contains(3);
        }
    }
}
