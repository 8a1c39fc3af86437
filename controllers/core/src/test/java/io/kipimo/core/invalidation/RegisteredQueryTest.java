package io.kipimo.core.invalidation;

import static io.kipimo.core.invalidation.filter.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.core.invalidation.filter.Filter;
import org.junit.jupiter.api.Test;

class RegisteredQueryTest {
    @Test
    void equivalentQueriesHaveOneKeyAndOthersDiffer() {
        RegisteredQuery query = RegisteredQuery.of("posts", json("{a: 1, b: {$in: [2, 1]}}"));
        assertThat(query.key())
                .hasSize(32)
                .isEqualTo(RegisteredQuery.of("posts", json("{b: {$in: [1, 2]}, a: 1.0}"))
                        .key())
                .isNotEqualTo(RegisteredQuery.of("users", json("{a: 1, b: {$in: [2, 1]}}"))
                        .key());
        Filter filter = Filter.parse(json("{a: 1}"));
        SortOrder up = SortOrder.parse(json("{a: 1}"));
        RegisteredQuery first = new RegisteredQuery("posts", filter, up, 0, 10);
        assertThat(first.isWindowed()).isTrue();
        assertThat(first.key()).isNotEqualTo(new RegisteredQuery("posts", filter, up, 10, 10).key());
        assertThat(first.text()).isEqualTo("posts?{\"a\":{\"$eq\":1}}&sort={\"a\":1}&skip=0&limit=10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RegisteredQuery("posts", filter, up, -1, 0))
                .withMessageContaining("offset -1");
    }
}
