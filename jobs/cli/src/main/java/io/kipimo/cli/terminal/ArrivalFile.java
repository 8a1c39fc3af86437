package io.kipimo.cli.terminal;

import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.core.replication.RecordedArrivals.RecordedArrival;
import io.kipimo.schemas.field.Decimals;
import io.kipimo.schemas.field.Names;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Reads and writes recorded arrivals, one a line. A line has seconds from any origin and, after a comma, an optional
 * request, which may contain commas. Lines may have any order. Empty lines and lines that begin with # are skipped.
 */
public final class ArrivalFile {
    private static final int MOST = 10_000_000;

    /**
     * Matches a number with a locale's comma, such as {@code 1700000000,013} or {@code 1,700.5}: whole seconds, a
     * comma, and digits that end as a number does.
     */
    private static final Pattern DECIMAL_COMMA =
            Pattern.compile("^[+-]?\\d+,\\s*\\d+(?=$|[\\s,;]|\\.\\d|[eE][+-]?\\d|(?:[mun\u00b5]?s|sec)\\b)");

    /** Bound of accepted times, in the year 5138. A time in milliseconds exceeds it. */
    private static final double LATEST_SECONDS = 1e11;

    private ArrivalFile() {}

    /**
     * Reads the arrivals in a file.
     *
     * @param file path of the file; {@code -} is standard input
     * @throws InputException naming the invalid line
     */
    public static RecordedArrivals read(String file) {
        return recorded(file, InputFile.read(file, reader -> read(file, reader)));
    }

    /**
     * Writes arrivals for {@link #read}, to the millisecond.
     *
     * @return their mean rate, per second
     * @throws InputException if there are not two arrivals at different times, or the file cannot be written
     */
    public static double write(String file, Collection<RecordedArrival> arrivals) {
        if (arrivals.size() > MOST) {
            throw new InputException(file + ": would have more arrivals; allowed: " + MOST);
        }
        double perSecond = recorded(file, List.copyOf(arrivals)).perSecond();
        try {
            Files.write(
                    Path.of(file),
                    arrivals.stream()
                            .sorted(Comparator.comparingDouble(RecordedArrival::seconds))
                            .map(ArrivalFile::line)
                            .toList());
        } catch (IOException | InvalidPathException e) {
            throw new InputException(file + " cannot be written");
        }
        return perSecond;
    }

    private static String line(RecordedArrival arrival) {
        return String.format(Locale.ROOT, "%.3f,%s", arrival.seconds(), arrival.text());
    }

    private static RecordedArrivals recorded(String file, List<RecordedArrival> arrivals) {
        try {
            return RecordedArrivals.of(arrivals);
        } catch (IllegalArgumentException e) {
            throw new InputException(file + ": " + e.getMessage());
        }
    }

    private static List<RecordedArrival> read(String file, BufferedReader reader) throws IOException {
        List<RecordedArrival> arrivals = new ArrayList<>();
        long number = 0;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (arrivals.size() == MOST) {
                throw new InputException(file + ": has more arrivals; allowed: " + MOST);
            }
            arrivals.add(arrival(file, number, line));
        }
        return arrivals;
    }

    private static RecordedArrival arrival(String file, long number, String line) {
        int comma = line.indexOf(',');
        String text = comma < 0 ? "" : line.substring(comma + 1).strip();
        double seconds = Decimals.parse((comma < 0 ? line : line.substring(0, comma)).strip());
        if (Double.isNaN(seconds) || text.chars().anyMatch(Character::isISOControl)) {
            throw refused(file, number, line, "is no arrival; allowed: SECONDS or SECONDS,REQUEST");
        }
        if (DECIMAL_COMMA.matcher(line.strip()).find()) {
            throw refused(
                    file,
                    number,
                    line,
                    "has a comma in a number, or a request that begins with a number; allowed: a time with a point,"
                            + " 1700000000.013, or 17.0,REQUEST");
        }
        if (Math.abs(seconds) >= LATEST_SECONDS) {
            throw refused(file, number, line, "is after the year 5000; allowed: seconds, not milliseconds");
        }
        return new RecordedArrival(seconds, text);
    }

    private static InputException refused(String file, long number, String line, String why) {
        return new InputException("%s:%s: '%s' %s".formatted(file, number, Names.shortened(line, 40, "…"), why));
    }
}
