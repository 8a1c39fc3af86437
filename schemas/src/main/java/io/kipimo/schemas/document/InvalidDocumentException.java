package io.kipimo.schemas.document;

import java.util.List;

/** A document cannot be used. The message has one line for each problem, with key, value and what is allowed. */
public final class InvalidDocumentException extends IllegalArgumentException {
    private final List<String> problems;

    public InvalidDocumentException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
