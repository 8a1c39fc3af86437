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

    /** A selection that was not given as options; null: any. */
    static ClassFilter of(String service, String queryClass) {
        ClassFilter filter = new ClassFilter();
        filter.service = service;
        filter.queryClass = queryClass;
        return filter;
    }

    /** Whether a service is selected. */
    public boolean matches(String otherService) {
        return service == null || service.equals(otherService);
    }

    public boolean matches(String otherService, String otherClass) {
        return matches(otherService) && (queryClass == null || queryClass.equals(otherClass));
    }

    /**
     * The only entry; empty without any.
     *
     * @param byClass entries by service/class
     * @throws InputException if there are several
     */
    static <T> Optional<T> only(Map<ServiceClass, T> byClass) {
        InputException.throwIf(
                byClass.size() > 1,
                "there are several classes; choose one by --service and --class: "
                        + byClass.keySet().stream().map(ServiceClass::toString).collect(Collectors.joining(", ")));
        return byClass.values().stream().findFirst();
    }

    /** The selection, for messages. */
    @Override
    public String toString() {
        return (service == null ? "any service" : "service '" + service + "'")
                + (queryClass == null ? "" : ", class '" + queryClass + "'");
    }
}
