package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.replication.duplicates.ServiceTimes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.DoubleStream;

/**
 * Service times in milliseconds, one a line; empty lines and those that begin with # are skipped.
 */
final class SampleFile {
    static final String STANDARD_INPUT = "-";

    private SampleFile() {}

    /**
     * The times in a file.
     *
     * @param file its path; - is standard input
     * @throws InputException naming the line that is none, or if there are no times
     */
    static ServiceTimes read(String file) {
        try (InputStream in =
                        file.equals(STANDARD_INPUT)
                                ? System.in
                                : Files.newInputStream(Path.of(file));
                BufferedReader reader =
                        new BufferedReader(
                                new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()))) {
            return read(file, reader);
        } catch (NoSuchFileException e) {
            throw new InputException(file + ": no such file");
        } catch (CharacterCodingException e) {
            throw new InputException(file + ": is not UTF-8 text");
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + e.getMessage());
        }
    }

    private static ServiceTimes read(String file, BufferedReader reader) throws IOException {
        DoubleStream.Builder times = DoubleStream.builder();
        long count = 0;
        long number = 0;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            number++;
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                times.add(time(file, number, text));
                count++;
            }
        }
        if (count == 0) {
            throw new InputException(file + ": has no service time; allowed: one in ms a line");
        }
        return ServiceTimes.measured(times.build().toArray());
    }

    private static double time(String file, long number, String text) {
        double time;
        try {
            time = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            time = Double.NaN;
        }
        if (!(time >= 0 && Double.isFinite(time))) {
            String shown = text.length() <= 40 ? text : text.substring(0, 40) + "…";
            throw new InputException(
                    file
                            + ":"
                            + number
                            + ": '"
                            + shown
                            + "' is no service time; allowed: milliseconds, finite, >= 0");
        }
        return time;
    }
}
