package io.kipimo.jobs.options;

import java.util.Map;

/** Writes the documentation of options as Markdown. */
public final class OptionsDocs {
    private OptionsDocs() {}

    /** One table for each job, in the order of {@code jobs}. */
    public static String markdown(Map<String, OptionSet<?>> jobs) {
        StringBuilder out = new StringBuilder();
        out.append("# Options of the jobs\n\n");
        out.append("Generated from the code; a test fails when this page is stale. Set options by "
                + "`-Dkey=value` or in a properties file (`--config FILE`), together "
                + "with Flink's own options. Metrics, objectives, windows and gains of a "
                + "service are in its policy, not here.\n");
        jobs.forEach((job, set) -> table(out, job, set));
        return out.toString();
    }

    private static void table(StringBuilder out, String job, OptionSet<?> set) {
        out.append("\n## ").append(job).append("\n\n");
        out.append("| option | default | allowed | what it does |\n|---|---|---|---|\n");
        for (BoundedOption<?> option : set.options()) {
            out.append("| `")
                    .append(option.key())
                    .append("` | ")
                    .append(byDefault(option))
                    .append(" | ")
                    .append(option.allowed().replace("|", "\\|"))
                    .append(" | ")
                    .append(option.description())
                    .append(" |\n");
        }
    }

    private static String byDefault(BoundedOption<?> option) {
        if (!option.option().hasDefaultValue()) {
            return "(must be set)";
        }
        String value = BoundedOption.printable(option.option().defaultValue());
        return value.isEmpty() ? "(empty)" : "`" + value + "`";
    }
}
