package io.kipimo.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.gateway.trust.FleetSecret;
import io.kipimo.schemas.quality.Items;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RecordedResponseTest {
    @Property(tries = 300)
    void aResponseComesBackAsItWas(
            @ForAll @IntRange(min = 100, max = 599) int status,
            @ForAll @Size(max = 5) List<String> values,
            @ForAll byte[] body) {
        List<Map.Entry<String, String>> headers =
                values.stream().map(v -> Map.entry("x-header", v)).toList();
        RecordedResponse back = RecordedResponse.decode(new RecordedResponse(status, headers, body).encode());
        assertThat(back.status()).isEqualTo(status);
        assertThat(back.headers()).isEqualTo(headers);
        assertThat(back.body()).isEqualTo(body);
    }

    @Property(tries = 300)
    void whatIsCutOffOrSomethingElseIsRefused(@ForAll @IntRange(max = 40) int length) {
        byte[] whole = new RecordedResponse(200, List.of(Map.entry("a", "b")), new byte[25]).encode();
        assertThatThrownBy(() -> RecordedResponse.decode(Arrays.copyOf(whole, length % whole.length)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RecordedResponse.decode(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Items items(String json) {
        return new JsonItems(ItemsConfig.of("json", "/hits", "id", "score", List.of()))
                .read(new RecordedResponse(200, List.of(), json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void itemsAreFoundInJson() {
        Items numbers = items("{\"hits\":[{\"id\":7,\"score\":0.5},{\"id\":8,\"score\":1}]}");
        assertThat(numbers.numbers()).containsExactly(7, 8);
        assertThat(numbers.scores()).containsExactly(0.5f, 1f);
        assertThat(items("{\"hits\":[{\"id\":\"a\",\"score\":2}]}").texts()).containsExactly("a");
        assertThat(items("{\"hits\":[]}").isEmpty()).isTrue();
    }

    @Test
    void whatHasNoItemsIsRefused() {
        for (String json : List.of(
                "",
                "nope",
                "{}",
                "{\"hits\":1}",
                "{\"hits\":[{\"id\":1}]}",
                "{\"hits\":[{\"id\":1,\"score\":\"x\"}]}",
                "{\"hits\":[{\"id\":1,\"score\":1e99}]}")) {
            assertThatThrownBy(() -> items(json)).as(json).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void requestsThatDifferHaveDifferentKeys() {
        FleetSecret secret = FleetSecret.ofThisProcess();
        List<List<String>> nobody = List.of(List.of(), List.of());
        byte[] none = {};
        MemoKey key = MemoKey.of(secret, "q", "c", "GET", "/a", nobody, none);
        assertThat(key).isEqualTo(MemoKey.of(secret, "q", "c", "GET", "/a", nobody, none));
        assertThat(List.of(
                        MemoKey.of(secret, "q2", "c", "GET", "/a", nobody, none),
                        MemoKey.of(secret, "q", "c2", "GET", "/a", nobody, none),
                        MemoKey.of(secret, "q", "c", "HEAD", "/a", nobody, none),
                        MemoKey.of(secret, "q", "c", "GET", "/", nobody, new byte[] {'a'}),
                        MemoKey.of(secret, "qc", "", "GET", "/a", nobody, none),
                        MemoKey.of(FleetSecret.ofThisProcess(), "q", "c", "GET", "/a", nobody, none)))
                .doesNotContain(key)
                .doesNotHaveDuplicates();
    }

    @Test
    void requestsOfOthersHaveOtherKeys() {
        FleetSecret secret = FleetSecret.ofThisProcess();
        List<List<List<String>>> callers = List.of(
                List.of(List.of(), List.of()),
                List.of(List.of(""), List.of()),
                List.of(List.of(), List.of("")),
                List.of(List.of("a"), List.of()),
                List.of(List.of(), List.of("a")),
                List.of(List.of("a", "b"), List.of()),
                List.of(List.of("a"), List.of("b")),
                List.of(List.of("ab"), List.of()));
        assertThat(callers)
                .extracting(caller -> MemoKey.of(secret, "q", "c", "GET", "/a", caller, new byte[0]))
                .doesNotHaveDuplicates();
    }

    @Test
    void theMemoCacheHoldsNoMoreThanItsBudgetAtAnyTime() {
        MemoBudget budget = new MemoBudget(100);
        assertThat(budget.take(60, 10, 0)).isTrue();
        assertThat(budget.take(50, 11, 1)).isFalse();
        assertThat(budget.take(40, 12, 2)).isTrue();
        assertThat(budget.take(1, 13, 9)).isFalse();
        assertThat(budget.take(60, 20, 10)).as("the first one has expired").isTrue();
        assertThat(budget.bytes()).isEqualTo(100);
    }
}
