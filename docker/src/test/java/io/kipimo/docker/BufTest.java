package io.kipimo.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buf reads the messages as a module, and finds what would break their readers. */
class BufTest {
    private static final ExternalTool BUF = new ExternalTool("buf");
    private static final Path SCHEMAS = Repository.ROOT.resolve("schemas");
    private static final String PROTOS = "src/main/proto";

    @TempDir
    private Path directory;

    @Test
    void theMessagesKeepBufsRules() throws Exception {
        assertThat(BUF.output("lint", SCHEMAS.toString())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int64 latency_micros = 3;| int32 latency_micros = 3;| latency_micros",
                "int64 latency_micros = 3;| int64 latency_micros = 9;| latency_micros",
                "int64 latency_micros = 3;| int64 latency_millis = 3;| latency_millis",
                "int64 latency_micros = 3;| | latency_micros"
            })
    void aChangeThatBreaksReadersIsFound(String old, String changed, String named) throws Exception {
        copyWith(old, changed == null ? "" : changed);

        ExternalTool.Result result = breaking();

        assertThat(result.exitCode()).as("%s", result).isEqualTo(100);
        assertThat(result.output()).contains("quality.proto", named);
    }

    @Test
    void anAddedFieldBreaksNobody() throws Exception {
        String field = "int64 latency_micros = 3;";
        copyWith(field, field + " string added = 100;");

        assertThat(breaking()).isEqualTo(new ExternalTool.Result(0, ""));
    }

    private ExternalTool.Result breaking() throws Exception {
        return BUF.run("breaking", directory.toString(), "--against", SCHEMAS.toString());
    }

    private void copyWith(String old, String changed) throws IOException {
        Files.copy(SCHEMAS.resolve("buf.yaml"), directory.resolve("buf.yaml"));
        Path from = SCHEMAS.resolve(PROTOS);
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        boolean isChanged = false;
        for (Path file : files) {
            String text = Files.readString(file);
            String after = file.endsWith("quality.proto") ? text.replaceFirst(old, changed) : text;
            isChanged |= !after.equals(text);
            Path copy = directory.resolve(PROTOS).resolve(from.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, after);
        }
        assertThat(isChanged).as("%s is in quality.proto", old).isTrue();
    }
}
