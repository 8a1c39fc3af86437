package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.field.ServiceClass;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Options that select a service and class. */
public final class ClassFilter {
    @Option(names = "--service", paramLabel = "NAME", description = "The service; required if there are several.")
    private String service;

    @Option(
            names = "--class",
            paramLabel = "NAME",
            description = "The query class, as in the policy; required if there are several.")
    private String queryClass;

    /** A filter from values that are not options. A null service or class selects any. */
    static ClassFilter of(String service, String queryClass) {
        ClassFilter filter = new ClassFilter();
        filter.service = service;
        filter.queryClass = queryClass;
        return filter;
    }

    /** Tells whether the filter selects a service. */
    public boolean matches(String otherService) {
        return service == null || service.equals(otherService);
    }

    public boolean matches(String otherService, String otherClass) {
        return matches(otherService) && (queryClass == null || queryClass.equals(otherClass));
    }

    /**
     * Returns the only entry of a map; empty if the map is empty.
     *
     * @param byClass entries by service/class
     * @throws InputException if the map has several entries
     */
    static <T> Optional<T> only(Map<ServiceClass, T> byClass) {
        InputException.throwIf(
                byClass.size() > 1,
                "there are several classes; choose one by --service and --class: "
                        + byClass.keySet().stream().map(ServiceClass::toString).collect(Collectors.joining(", ")));
        return byClass.values().stream().findFirst();
    }

    /** Describes the selection, for messages. */
    @Override
    public String toString() {
        return (service == null ? "any service" : "service '" + service + "'")
                + (queryClass == null ? "" : ", class '" + queryClass + "'");
    }
}
