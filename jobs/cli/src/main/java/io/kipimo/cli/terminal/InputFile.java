package io.kipimo.cli.terminal;

import io.kipimo.schemas.document.InvalidDocumentException;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads a text file that the user names, or standard input. The text is UTF-8, with or without a byte order mark. */
public final class InputFile {
    public static final String STANDARD_INPUT = "-";

    /** Greatest number of characters in a document. Files written by hand are far smaller. */
    public static final int MOST_CHARACTERS = 1 << 20;

    /** Greatest number of characters in a line. A record is far smaller. */
    private static final int LONGEST_LINE = 1 << 24;

    private static final int BYTE_ORDER_MARK = 0xfeff;

    /** Converts the text of a file. */
    @FunctionalInterface
    public interface ContentsReader<T> {
        T read(BufferedReader reader) throws IOException;
    }

    private InputFile() {}

    /**
     * Reads and converts the contents of a file.
     *
     * @param name path, or {@value #STANDARD_INPUT}
     * @throws InputException if the file cannot be read
     */
    public static <T> T read(String name, ContentsReader<T> contents) {
        InputException.throwIf(name.isEmpty(), "the name of a file is empty; allowed: a file, or -");
        try (InputStream in = name.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(Path.of(name));
                BufferedReader reader = new BufferedReader(
                        new BoundedLines(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder())), 1 << 16)) {
            reader.mark(1);
            if (reader.read() != BYTE_ORDER_MARK) {
                reader.reset();
            }
            return contents.read(reader);
        } catch (UncheckedIOException e) {
            throw new InputException(name + ": " + why(e.getCause()));
        } catch (IOException e) {
            throw new InputException(name + ": " + why(e));
        }
    }

    /**
     * Reads the whole text of a file.
     *
     * @throws InputException if the file cannot be read or has more than {@value #MOST_CHARACTERS} characters
     */
    public static String text(String name) {
        return read(name, reader -> {
            char[] text = new char[MOST_CHARACTERS + 1];
            int length = 0;
            int more = 0;
            while (more >= 0 && length < text.length) {
                more = reader.read(text, length, text.length - length);
                length += Math.max(0, more);
            }
            InputException.throwIf(
                    length > MOST_CHARACTERS, name + ": is too long; allowed: " + MOST_CHARACTERS + " characters");
            return new String(text, 0, length);
        });
    }

    /**
     * Reads the lines that are not blank.
     *
     * @param what contents of the lines, for the message
     */
    public static List<String> lines(String name, String what) {
        List<String> lines = read(
                name, reader -> reader.lines().filter(line -> !line.isBlank()).toList());
        InputException.throwIf(lines.isEmpty(), name + ": has no lines; allowed: " + what);
        return lines;
    }

    /**
     * Reads a whole document and converts it.
     *
     * @throws InputException if the file cannot be read, or with all problems of the document, each naming the file
     */
    public static <T> T document(String name, Function<String, T> reader) {
        String text = text(name);
        return valid(name, () -> reader.apply(text));
    }

    /** Converts a document. Reports all its problems as an {@link InputException}, each preceded by {@code what}. */
    public static <T> T valid(String what, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (InvalidDocumentException e) {
            throw new InputException(
                    e.problems().stream().map(problem -> what + ": " + problem).toList());
        }
    }

    /** Explains the cause in words that help the user. */
    private static String why(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof CharacterCodingException) {
            return "is not UTF-8 text";
        }
        if (e instanceof AccessDeniedException) {
            return "cannot be read: permission denied";
        }
        String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
        return "cannot be read" + Optional.ofNullable(reason).map(r -> ": " + r).orElse("");
    }

    /** Reads text and refuses lines that would not fit into memory. */
    private static final class BoundedLines extends FilterReader {
        private int length;

        BoundedLines(Reader in) {
            super(in);
        }

        @Override
        public int read(char[] buffer, int offset, int most) throws IOException {
            int count = super.read(buffer, offset, most);
            for (int i = offset; i < offset + count; i++) {
                length = buffer[i] == '\n' || buffer[i] == '\r' ? 0 : length + 1;
            }
            if (length > LONGEST_LINE) {
                throw new IOException("a line is longer than " + LONGEST_LINE + " characters");
            }
            return count;
        }
    }
}
