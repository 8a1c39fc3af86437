package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.OutputOption;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints that there is too little data for an answer. */
public final class NotEnough {
    private static final String VERDICT = "NOT-ENOUGH";

    private NotEnough() {}

    public static void print(PrintWriter out, OutputOption output, String why) {
        if (output.isDocument()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("verdict", VERDICT);
            document.put("why", why);
            output.print(out, document);
        } else {
            out.println(VERDICT + ": " + why);
        }
    }
}
