package io.kipimo.core.quality.window;

import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The classes that a policy names. Events can contain other names; all of these count as one class, {@value #OTHER}, so
 * that state by class stays bounded.
 */
public record ClassNames(Set<String> named) {
    /** Name for all classes that the policy does not name. A policy may also name this class itself. */
    public static final String OTHER = "other";

    public ClassNames {
        named = Set.copyOf(named);
    }

    public static ClassNames of(Policy policy) {
        return new ClassNames(policy.classes().stream().map(ClassPolicy::name).collect(Collectors.toSet()));
    }

    /** The class under which {@code queryClass} counts; an empty name (unknown class) stays empty. */
    public String fold(String queryClass) {
        return queryClass.isEmpty() || named.contains(queryClass) ? queryClass : OTHER;
    }
}
