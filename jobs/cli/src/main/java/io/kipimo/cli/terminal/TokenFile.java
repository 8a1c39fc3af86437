package io.kipimo.cli.terminal;

import java.nio.file.Path;
import java.util.Optional;

/** Reads the token of a server from a file or an environment variable, so that no list of processes shows it. */
public final class TokenFile {
    private TokenFile() {}

    /**
     * @param file file with the token; null: the token is in the variable
     * @param variable name of the environment variable
     * @throws InputException if the file cannot be read
     */
    public static Optional<String> token(Path file, String variable) {
        return file == null
                ? Optional.ofNullable(System.getenv(variable)).filter(t -> !t.isBlank())
                : Optional.of(InputFile.text(file.toString()).strip());
    }
}
