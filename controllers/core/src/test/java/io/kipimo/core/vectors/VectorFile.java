package io.kipimo.core.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of inputs and expected results. {@code -Dgolden.write=true} writes it anew; otherwise the computed results
 * must equal the file's.
 */
public final class VectorFile {
    private static final Path DIRECTORY = Path.of("src/test/resources/vectors");

    private VectorFile() {}

    /** Compares, or writes. */
    public static void check(String name, JsonNode computed) throws IOException {
        Path file = DIRECTORY.resolve(name);
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(DIRECTORY);
            Files.writeString(file, text(computed));
        }
        assertThat(Files.readString(file))
                .as("%s; write it anew with -Dgolden.write=true", file)
                .isEqualTo(text(computed));
    }

    private static String text(JsonNode json) throws JsonProcessingException {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter()
                .withObjectIndenter(new DefaultIndenter("  ", "\n"))
                .withArrayIndenter(new DefaultIndenter("  ", "\n"));
        return new ObjectMapper().writer(printer).writeValueAsString(json) + '\n';
    }
}
