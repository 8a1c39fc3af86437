package io.kipimo.cli.terminal;

import io.kipimo.core.arrivals.RecordedArrivals;
import io.kipimo.core.arrivals.RecordedArrivals.Arrival;
import io.kipimo.schemas.field.Names;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Recorded arrivals, one a line: seconds from any origin, in any order, and after a comma what was
 * asked, which may contain commas. Empty lines and those that begin with # are skipped.
 */
public final class ArrivalFile {
    private static final int MOST = 10_000_000;

    private ArrivalFile() {}

    /**
     * The arrivals in a file.
     *
     * @param file its path; - is standard input
     * @throws InputException naming the invalid line
     */
    public static RecordedArrivals read(String file) {
        List<Arrival> arrivals = InputFile.read(file, reader -> read(file, reader));
        try {
            return RecordedArrivals.of(arrivals);
        } catch (IllegalArgumentException e) {
            throw new InputException(file + ": " + e.getMessage());
        }
    }

    private static List<Arrival> read(String file, BufferedReader reader) throws IOException {
        List<Arrival> arrivals = new ArrayList<>();
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

    private static Arrival arrival(String file, long number, String line) {
        int comma = line.indexOf(',');
        String text = comma < 0 ? "" : line.substring(comma + 1).strip();
        double seconds;
        try {
            seconds = Double.parseDouble((comma < 0 ? line : line.substring(0, comma)).strip());
        } catch (NumberFormatException e) {
            seconds = Double.NaN;
        }
        if (!Double.isFinite(seconds) || text.chars().anyMatch(Character::isISOControl)) {
            throw new InputException(
                    file
                            + ":"
                            + number
                            + ": '"
                            + Names.shortened(line, 40, "…")
                            + "' is no arrival; allowed: SECONDS or SECONDS,REQUEST");
        }
        return new Arrival(seconds, text);
    }
}
