package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.InputException;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which service and class a question is about: options of every command that gives advice. */
final class ClassFilter {
    @Option(
            names = "--service",
            paramLabel = "NAME",
            description = "The service; needed where there are several.")
    private String service;

    @Option(
            names = "--class",
            paramLabel = "NAME",
            description = "The query class, as in the policy; needed where there are several.")
    private String queryClass;

    boolean matches(String otherService, String otherClass) {
        return (service == null || service.equals(otherService))
                && (queryClass == null || queryClass.equals(otherClass));
    }

    /**
     * The only one there is; empty without any.
     *
     * @param byClass what was found, by service/class
     * @throws InputException if there are several
     */
    static <T> Optional<T> only(Map<String, T> byClass) {
        if (byClass.size() > 1) {
            throw new InputException(
                    "there are several classes; choose one by --service and --class: "
                            + String.join(", ", byClass.keySet()));
        }
        return byClass.values().stream().findFirst();
    }

    /** For messages: what was asked for. */
    @Override
    public String toString() {
        return (service == null ? "any service" : "service '" + service + "'")
                + (queryClass == null ? "" : ", class '" + queryClass + "'");
    }
}
