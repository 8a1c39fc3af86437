package io.kipimo.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.kipimo.bench.ArchitectureTest.DoNotIncludeGeneratedMessages;
import io.kipimo.bench.ArchitectureTest.DoNotIncludeTestJars;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds serializable method references that Java cannot tell apart after deserialization. Two references of one class
 * to one inherited method, {@code A::scope} and {@code B::scope}, differ only in the type that they were written for,
 * and {@code $deserializeLambda$} does not compare it (JDK-8208752): a Flink job then casts A to B and fails at run
 * time only.
 */
@AnalyzeClasses(
        packages = "io.kipimo",
        importOptions = {
            ImportOption.DoNotIncludeTests.class,
            DoNotIncludeTestJars.class,
            DoNotIncludeGeneratedMessages.class
        })
class SerializableLambdasTest {
    @ArchTest
    static void canBeToldApart(JavaClasses classes) throws IOException {
        List<String> confused = new ArrayList<>();
        int seen = 0;
        for (JavaClass type : classes) {
            References references = new References(type.getName());
            try (InputStream bytes =
                    type.getSource().orElseThrow().getUri().toURL().openStream()) {
                new ClassReader(bytes).accept(references, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
            confused.addAll(references.confused);
            seen += references.typeOf.size();
        }
        assertThat(confused)
                .as("write lambdas in place of these method references")
                .isEmpty();
        assertThat(seen).as("serializable lambdas").isPositive();
    }

    /** Collects the serializable lambdas of a class. */
    private static final class References extends ClassVisitor {
        private final String owner;
        private final Map<List<Object>, Type> typeOf = new HashMap<>();
        private final List<String> confused = new ArrayList<>();

        References(String owner) {
            super(Opcodes.ASM9);
            this.owner = owner;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            if (name.equals("$deserializeLambda$")) {
                return null;
            }
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitInvokeDynamicInsn(String method, String call, Handle bootstrap, Object... arguments) {
                    if (bootstrap.getName().equals("altMetafactory")) {
                        addLambda(method, Type.getReturnType(call), arguments);
                    }
                }
            };
        }

        /** Arguments of {@code LambdaMetafactory.altMetafactory}. */
        private void addLambda(String method, Type function, Object... arguments) {
            int serializable = 1;
            if (((int) arguments[3] & serializable) == 0) {
                return;
            }
            Handle implementation = (Handle) arguments[1];
            Type written = (Type) arguments[2];
            Type other = typeOf.putIfAbsent(List.of(function, method, arguments[0], implementation), written);
            if (other != null && !other.equals(written)) {
                confused.add("%s: references to %s.%s for %s and %s"
                        .formatted(owner, implementation.getOwner(), implementation.getName(), other, written));
            }
        }
    }
}
