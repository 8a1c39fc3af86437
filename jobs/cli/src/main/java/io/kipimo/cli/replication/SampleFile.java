package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.schemas.field.Decimals;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.DoubleStream;

/** Reads service times in milliseconds, one a line. Skips empty lines and lines that begin with #. */
final class SampleFile {
    /**
     * Longest accepted service time, milliseconds. Squares and sums of longer times could overflow; readers of
     * latencies refuse them, too.
     */
    private static final long LONGEST_MILLIS = Duration.ofDays(10).toMillis();

    private SampleFile() {}

    /**
     * Reads the times in a file.
     *
     * @param file path of the file; {@code -} is standard input
     * @throws InputException naming the invalid line, or if there are no times
     */
    static ServiceTimes read(String file) {
        return InputFile.read(file, reader -> read(file, reader));
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
        InputException.throwIf(count == 0, file + ": it has no service time; allowed: one in ms a line");
        return ServiceTimes.measured(times.build().toArray());
    }

    private static double time(String file, long number, String text) {
        double time = Decimals.parse(text);
        if (!(time >= 0 && time <= LONGEST_MILLIS)) {
            String shown = text.length() <= 40 ? text : text.substring(0, 40) + "…";
            throw new InputException(file + ":" + number + ": '" + shown
                    + "' is no service time; allowed: milliseconds, 0.." + LONGEST_MILLIS);
        }
        return time;
    }
}
