package io.kipimo.labs.demos.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoSearchServiceTest {
    @ParameterizedTest
    @CsvSource({", /home/a/.cache/kipimo", "cache, /home/a/.cache/kipimo", "/cache, /cache/kipimo"})
    void theIndexIsKeptWhereTheUsersCacheIs(String configured, Path cache) {
        assertThat(DemoSearchService.userCache(configured, "/home/a")).isEqualTo(cache);
    }
}
