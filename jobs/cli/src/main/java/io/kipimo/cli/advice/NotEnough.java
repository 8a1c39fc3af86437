package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.schemas.document.JsonObject;
import java.io.PrintWriter;

/** Prints that there is too little data for an answer. */
public final class NotEnough {
    private static final String VERDICT = "NOT-ENOUGH";

    private NotEnough() {}

    public static void print(PrintWriter out, OutputOption output, String why) {
        if (output.isDocument()) {
            output.print(out, new JsonObject().with("verdict", VERDICT).with("why", why));
        } else {
            out.println(VERDICT + ": " + why);
        }
    }
}
