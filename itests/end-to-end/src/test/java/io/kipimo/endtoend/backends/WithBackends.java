package io.kipimo.endtoend.backends;

import io.kipimo.embedded.flink.FlinkCluster;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests of this class may have parameters of type {@link Backends} and {@link FlinkCluster}, the latter in this JVM.
 * All test classes of a JVM share the backends, so each test uses its own topics and keys. A class has a cluster to
 * itself while it runs; jobs of a test are cancelled when it ends. {@code -Dbackends=auto|docker|embedded} selects the
 * kind of backends; the default, {@code auto}, is docker if an engine answers.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BackendsExtension.class)
public @interface WithBackends {}
