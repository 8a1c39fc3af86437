package io.kipimo.schemas.field;

import java.util.Comparator;

/**
 * A priority class of a service. Its text, {@code service/class}, is the scope of decisions and the key of records. A
 * service's name contains no slash.
 */
public record ServiceClass(String service, String queryClass) implements Comparable<ServiceClass> {
    private static final Comparator<ServiceClass> BY_NAME =
            Comparator.comparing(ServiceClass::service).thenComparing(ServiceClass::queryClass);

    /** The class of a scope, {@code service/class}; without a class if there is no slash. */
    public static ServiceClass of(String scope) {
        int slash = scope.indexOf('/');
        return slash < 0
                ? new ServiceClass(scope, "")
                : new ServiceClass(scope.substring(0, slash), scope.substring(slash + 1));
    }

    @Override
    public int compareTo(ServiceClass other) {
        return BY_NAME.compare(this, other);
    }

    @Override
    public String toString() {
        return service + '/' + queryClass;
    }
}
