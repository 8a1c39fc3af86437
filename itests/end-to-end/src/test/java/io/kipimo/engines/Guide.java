package io.kipimo.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.Main;
import io.kipimo.embedded.process.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The section "From nothing to a measured query" of an engine's guide: its files and commands, as its reader takes them
 * from the page.
 */
final class Guide {
    /** A fenced block with its indentation, and whether it is YAML. */
    private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```(yaml)?\\n(.*?)\\n\\1```$");

    private static final Pattern FILE = Pattern.compile("`([a-z]+\\.yaml)`");

    /** A word of a shell's command, perhaps in quotes. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private static final Pattern METRIC = Pattern.compile("kipimo_gateway_\\w+");

    private final List<String> metrics;
    private final List<List<String>> commands = new ArrayList<>();
    private final Path directory;

    private Guide(List<String> metrics, Path directory) {
        this.metrics = metrics;
        this.directory = directory;
    }

    /**
     * Writes the guide's files.
     *
     * @param places texts of the page, such as addresses, and what they are here
     * @param directory for the files and the commands' output
     */
    static Guide read(String engine, Map<String, String> places, Path directory) throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "engines", engine + ".md"));
        int start = page.indexOf("## From nothing to a measured query");
        String section = page.substring(start, page.indexOf("\n## ", start));
        for (Map.Entry<String, String> place : places.entrySet()) {
            assertThat(section).contains(place.getKey());
            section = section.replace(place.getKey(), place.getValue());
        }
        Guide guide = new Guide(
                METRIC.matcher(section).results().map(MatchResult::group).toList(), directory);
        Matcher block = BLOCK.matcher(section);
        int end = 0;
        while (block.find()) {
            String text = block.group(3).stripIndent();
            if (block.group(2) != null) {
                guide.write(section.substring(end, block.start()), text);
            } else {
                text.replace("\\\n", " ").lines().forEach(guide::add);
            }
            end = block.end();
        }
        return guide;
    }

    /** The file is the last one that is named before the block. */
    private void write(String before, String text) throws IOException {
        String file =
                FILE.matcher(before).results().reduce((a, b) -> b).orElseThrow().group(1);
        Files.writeString(directory.resolve(file), text + "\n");
    }

    private void add(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2));
        }
        commands.add(words);
    }

    /** The guide's only command that begins so. */
    private List<String> command(String... begin) {
        List<List<String>> found = commands.stream()
                .filter(words -> words.size() >= begin.length
                        && words.subList(0, begin.length).equals(List.of(begin)))
                .toList();
        assertThat(found).as("%s in %s", List.of(begin), commands).hasSize(1);
        return found.get(0);
    }

    int size() {
        return commands.size();
    }

    /** The gateway's metrics that it names. */
    List<String> metrics() {
        return metrics;
    }

    /**
     * Starts {@code ./kipimo NAME} as the launcher does, in the directory of the guide's files.
     *
     * @param more further arguments, such as free ports
     */
    ChildProcess start(String name, List<String> more) {
        List<String> arguments = new ArrayList<>();
        List<String> words = command("./kipimo", name);
        for (String word : words.subList(1, words.size())) {
            Path file = directory.resolve(word);
            arguments.add(Files.exists(file) ? file.toString() : word);
        }
        arguments.addAll(more);
        return ChildProcess.start(
                Main.class,
                List.of("-Xmx1g", "--add-opens=java.base/java.util=ALL-UNNAMED"),
                arguments,
                directory.resolve(name + ".log"));
    }

    /** The request that {@code curl} sends. */
    HttpRequest.Builder query() {
        List<String> words = command("curl");
        HttpRequest.Builder request = HttpRequest.newBuilder();
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-H" -> {
                    String[] header = words.get(++i).split(": ", 2);
                    request.header(header[0], header[1]);
                }
                case "-d" -> request.POST(BodyPublishers.ofString(words.get(++i)));
                default -> request.uri(URI.create(words.get(i)));
            }
        }
        return request;
    }
}
