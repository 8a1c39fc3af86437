package io.kipimo.core.quality.window;

import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The classes that a policy names. Whoever sends events can invent others; all of those are one
 * class, {@value #OTHER}, so that what is kept a class does not grow with them.
 */
public record ClassNames(Set<String> named) {
    /** All classes that the policy does not name; a policy that names it so has them in it. */
    public static final String OTHER = "other";

    public ClassNames {
        named = Set.copyOf(named);
    }

    public static ClassNames of(Policy policy) {
        return new ClassNames(
                policy.classes().stream().map(ClassPolicy::name).collect(Collectors.toSet()));
    }

    /** The class under which {@code queryClass} is kept; one that nobody knows stays empty. */
    public String fold(String queryClass) {
        return queryClass.isEmpty() || named.contains(queryClass) ? queryClass : OTHER;
    }
}
