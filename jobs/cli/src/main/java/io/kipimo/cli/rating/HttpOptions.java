package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.loadgen.http.HttpTargetSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options of commands that load an HTTP end point. */
final class HttpOptions {
    @Option(
            names = "--header",
            paramLabel = "NAME:VALUE",
            description = "Header of each request; repeatable; placeholders as in --target.")
    private List<String> headers = List.of();

    @Option(names = "--lines", paramLabel = "FILE", description = "File from which {line} takes a random line.")
    private Path lines;

    @Option(
            names = "--quality-header",
            paramLabel = "NAME",
            defaultValue = "kipimo-completeness",
            description = "Response header with the answer's quality, 0..1 or parts/whole, read if the"
                    + " agreement names quality; default: ${DEFAULT-VALUE}.")
    private String qualityHeader;

    @Option(
            names = "--time-out",
            paramLabel = "MS",
            defaultValue = "5000",
            description = "Time after which a request counts as failed; default: ${DEFAULT-VALUE}.")
    private long timeOutMillis;

    /** Time after which a request has failed. */
    long timeOutMillis() {
        return timeOutMillis;
    }

    /**
     * Settings of a target.
     *
     * @throws InputException naming the invalid option
     */
    HttpTargetSettings settings(String url) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new InputException("--header is '" + header + "'; allowed: NAME:VALUE");
            }
            pairs.put(
                    header.substring(0, colon).strip(),
                    header.substring(colon + 1).strip());
        }
        try {
            return new HttpTargetSettings(url, pairs, readLines(), qualityHeader, timeOutMillis);
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage());
        }
    }

    /** Where placeholders may be, besides the URL. */
    String placeholders() {
        return String.join(" ", headers);
    }

    /** Lines of the file for {line}; none without a file. */
    List<String> readLines() {
        if (lines == null) {
            return List.of();
        }
        return InputFile.lines(lines.toString(), "values for {line}, one a line");
    }
}
