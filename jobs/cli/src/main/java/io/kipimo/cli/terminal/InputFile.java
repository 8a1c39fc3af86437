package io.kipimo.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A text file that the user named, or standard input. */
public final class InputFile {
    public static final String STANDARD_INPUT = "-";

    /** Makes something of a file's text. */
    @FunctionalInterface
    public interface Contents<T> {
        T read(BufferedReader reader) throws IOException;
    }

    private InputFile() {}

    /**
     * What {@code contents} makes of the file.
     *
     * @param name path, or {@value #STANDARD_INPUT}
     * @throws InputException if it cannot be read
     */
    public static <T> T read(String name, Contents<T> contents) {
        try (InputStream in =
                        name.equals(STANDARD_INPUT)
                                ? System.in
                                : Files.newInputStream(Path.of(name));
                BufferedReader reader =
                        new BufferedReader(
                                new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()),
                                1 << 16)) {
            return contents.read(reader);
        } catch (NoSuchFileException e) {
            throw new InputException(name + ": no such file");
        } catch (CharacterCodingException e) {
            throw new InputException(name + ": is not UTF-8 text");
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + e.getMessage());
        }
    }
}
