package io.kipimo.cli.terminal;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.util.regex.Pattern;

/** Formats parsers' messages as one line without class names. */
public final class Plain {
    private static final Pattern CLASS = Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*(?:Exception|Error):? *");

    /** Parts of messages in which Jackson names its own settings and sources, which users do not need. */
    private static final Pattern INTERNAL =
            Pattern.compile(", from `[^`]*`| ?\\(start marker at [^)]*\\)[^)]*\\)| ?\\(through .*");

    private Plain() {}

    public static String text(String text) {
        return CLASS.matcher(String.valueOf(text))
                .replaceAll("")
                .replaceAll("\\s+", " ")
                .strip();
    }

    /** Explains the error in a JSON or YAML document or line. */
    public static String what(JsonProcessingException e) {
        return e instanceof MismatchedInputException
                ? "goes on after its end; allowed: one document"
                : text(INTERNAL.matcher(e.getOriginalMessage()).replaceAll(""));
    }

    /** Line and column in the form {@code :3:14}; empty if unknown. */
    public static String where(JsonProcessingException e) {
        JsonLocation location = e.getLocation();
        return location == null ? "" : ":" + location.getLineNr() + ":" + location.getColumnNr();
    }
}
