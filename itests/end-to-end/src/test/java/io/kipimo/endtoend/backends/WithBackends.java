package io.kipimo.endtoend.backends;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests of this class may have a parameter of type {@link Backends}. There is one for all test
 * classes of a JVM, so tests use topics and keys of their own. {@code
 * -Dbackends=auto|docker|embedded} chooses; {@code auto}, the default, is docker where an engine
 * answers.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BackendsExtension.class)
public @interface WithBackends {}
