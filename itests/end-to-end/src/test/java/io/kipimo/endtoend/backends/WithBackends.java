package io.kipimo.endtoend.backends;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests of this class may have a parameter of type {@link Backends}. All test classes of a JVM share one, so each test
 * uses its own topics and keys. {@code -Dbackends=auto|docker|embedded} selects the kind; the default, {@code auto}, is
 * docker if an engine answers.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BackendsExtension.class)
public @interface WithBackends {}
