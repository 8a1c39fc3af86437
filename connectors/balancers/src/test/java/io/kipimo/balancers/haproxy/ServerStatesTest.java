package io.kipimo.balancers.haproxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which servers take traffic, from answers of HAProxy 2.6 (management guide, sec. 9.3: show servers state, show stat).
 */
class ServerStatesTest {
    private static final String HEAD = "1\n# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state"
            + " srv_uweight srv_iweight srv_time_since_last_change srv_check_status\n";
    private static final String STATISTICS = "# pxname,svname,qcur,qmax,bck\nshop,a,0,0,0\nshop,b,0,0,0\n";

    private static String state(String name, int operational, int administrative, String weight) {
        return "4 shop 1 " + name + " 127.0.0.1 " + operational + ' ' + administrative + ' ' + weight
                + " 100 12 6 3 4 6 0 0 0 - 18080 - 0 0 - - 0\n";
    }

    private static List<BackendServer> servers(String states, String statistics) throws IOException {
        return RuntimeApi.states("shop", HEAD + states, statistics);
    }

    /**
     * Bits of the administrative state: 1 forced, 2 inherited maintenance; 4 disabled in the configuration, which stays
     * when it is set ready; 8, 16 drain; 32 no address.
     */
    @ParameterizedTest
    @CsvSource({
        "2, 0, true",
        "0, 0, false",
        "1, 0, false",
        "3, 0, false",
        "2, 1, false",
        "0, 5, false",
        "2, 2, false",
        "2, 4, true",
        "2, 12, false",
        "0, 4, false",
        "2, 8, false",
        "2, 16, false",
        "2, 32, false"
    })
    void onlyARunningServerThatIsReadyTakesTraffic(int operational, int administrative, boolean expected)
            throws Exception {
        assertThat(servers(state("a", operational, administrative, "100"), STATISTICS))
                .containsExactly(new BackendServer("a", expected, 100));
    }

    @Test
    void aBackupTakesNone() throws Exception {
        assertThat(servers(state("a", 2, 0, "1") + state("b", 2, 0, "1"), STATISTICS.replace("b,0,0,0", "b,0,0,1")))
                .containsExactly(new BackendServer("a", true, 1), new BackendServer("b", false, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "haproxy:", "haproxy:x", "haproxy:99999", "::1:9999", "a b:1"})
    void aSocketIsAPathOrAnAddress(String socket) {
        assertThatThrownBy(() -> RuntimeApi.address(socket))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("socket is '" + socket + "'; allowed: a path, or HOST:PORT");
        assertThat(RuntimeApi.address("[::1]:9999")).isInstanceOf(InetSocketAddress.class);
        assertThat(RuntimeApi.address("/run/a:b.sock")).isInstanceOf(UnixDomainSocketAddress.class);
        assertThat(RuntimeApi.address("admin.sock")).isInstanceOf(UnixDomainSocketAddress.class);
    }

    @Test
    void whatHasAnotherFormIsRefusedWithItsLine() {
        assertThatThrownBy(() -> servers(state("a", 2, 0, "100%"), STATISTICS)).hasMessageContaining("100%");
        assertThatThrownBy(() -> servers(state("a", 2, 0, "1"), "Permission denied"))
                .hasMessageContaining("Permission denied");
        assertThatThrownBy(() -> servers("Can't find backend.", STATISTICS)).hasMessageContaining("Can't find");
    }
}
