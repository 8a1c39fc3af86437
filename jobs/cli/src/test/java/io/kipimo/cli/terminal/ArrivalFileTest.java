package io.kipimo.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalFileTest {
    @TempDir
    private Path directory;

    private String file(String second) throws IOException {
        return Files.writeString(
                        directory.resolve("arrivals.csv"), "# times\n1700000000.000\n" + second + "\n1700000002\n")
                .toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1700000000.013",
                "1.7e9",
                "1700000000.013,13",
                "1700000000,/a,b",
                "1700000000,2a",
                "1700000000,",
                "1700000000.013\r"
            })
    void aTimeHasAPointAndARequestMayFollow(String line) throws Exception {
        assertThat(ArrivalFile.read(file(line)).perSecond()).isPositive();
    }

    /** A decimal comma (dropwizard/metrics#805), milliseconds, and numbers that only Java reads. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1700000000,013",
                "1700000000,013,/a",
                "1700000000,013;/a",
                "1700000000, 013",
                "1,000.5",
                "1700000000,013s",
                "17,5e8",
                "1_000",
                "1'000",
                "1700000000.013 ms",
                "0x1.8p1",
                "1700000000013",
                "1700000000d",
                "0x1p30",
                "NaN",
                "Infinity",
                "1 700 000 000",
                "1700000000.013s"
            })
    void whatMayBeAnotherTimeIsRefusedWithItsLine(String line) throws Exception {
        String file = file(line);
        assertThatThrownBy(() -> ArrivalFile.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(":3: '" + line + "'");
    }
}
