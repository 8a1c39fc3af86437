package io.kipimo.schemas.field;

import java.util.Comparator;

/**
 * A priority class of a service. Its text, {@code service/class}, is the scope of decisions and the key of records. A
 * service's name contains no slash.
 */
public record ServiceClass(String service, String queryClass) implements Comparable<ServiceClass> {
    private static final Comparator<ServiceClass> BY_NAME =
            Comparator.comparing(ServiceClass::service).thenComparing(ServiceClass::queryClass);

    @Override
    public int compareTo(ServiceClass other) {
        return BY_NAME.compare(this, other);
    }

    @Override
    public String toString() {
        return service + '/' + queryClass;
    }
}
