package io.kipimo.cli.terminal;

import java.nio.file.Path;
import java.util.Optional;

/** The token of a server: from a file, or else from an environment variable, so that no process list shows it. */
public final class TokenFile {
    private TokenFile() {}

    /**
     * @param file null: the variable
     * @throws InputException if the file cannot be read
     */
    public static Optional<String> token(Path file, String variable) {
        return file == null
                ? Optional.ofNullable(System.getenv(variable)).filter(t -> !t.isBlank())
                : Optional.of(InputFile.text(file.toString()).strip());
    }
}
