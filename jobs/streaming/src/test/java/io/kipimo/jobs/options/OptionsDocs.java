package io.kipimo.jobs.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the documentation of options as Markdown. */
public final class OptionsDocs {
    private OptionsDocs() {}

    /** One table for each set of jobs that share options, in the order of {@code jobs}: an option is written once. */
    public static String markdown(Map<String, OptionSet<?>> jobs) {
        Map<String, List<String>> jobsByRow = new LinkedHashMap<>();
        jobs.forEach((job, set) -> {
            for (BoundedOption<?> option : set.options()) {
                jobsByRow.computeIfAbsent(row(option), row -> new ArrayList<>()).add(job);
            }
        });
        Map<String, StringBuilder> rowsByTitle = new LinkedHashMap<>();
        jobsByRow.forEach((row, named) -> rowsByTitle
                .computeIfAbsent(
                        named.size() == jobs.size() ? "every job" : String.join(", ", named),
                        title -> new StringBuilder())
                .append(row));
        StringBuilder out = new StringBuilder();
        out.append("# Options of the jobs\n\n");
        out.append("Generated from the code. Set options by `-Dkey=value` or in a properties file (`--config FILE`), "
                + "together with Flink's own. Metrics, objectives, windows and gains of a service are in its "
                + "policy.\n");
        rowsByTitle.forEach((title, rows) -> out.append("\n## ")
                .append(title)
                .append("\n\n| option | default; allowed | what it does |\n|---|---|---|\n")
                .append(rows));
        return out.toString();
    }

    private static String row(BoundedOption<?> option) {
        return "| `" + option.key() + "` | " + byDefault(option) + "; "
                + option.allowed().replace("|", "\\|") + " | " + option.description() + " |\n";
    }

    private static String byDefault(BoundedOption<?> option) {
        if (!option.option().hasDefaultValue()) {
            return "(must be set)";
        }
        String value = BoundedOption.printable(option.option().defaultValue());
        return value.isEmpty() ? "(empty)" : "`" + value + "`";
    }
}
