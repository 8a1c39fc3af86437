package io.kipimo.labs.reproductions;

import java.io.IOException;
import java.io.InputStream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/** The product and the experiments, loaded anew, with one method that gives a fixed value. */
final class Mutant extends ClassLoader {
    private static final String OURS = "io.kipimo.";

    private final String type;
    private final String method;
    private final Object value;

    /** @param type the product's class */
    Mutant(String type, String method, Object value) {
        super(Mutant.class.getClassLoader());
        this.type = type;
        this.method = method;
        this.value = value;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            byte[] bytes = name.equals(type) ? mutated() : bytes(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] mutated() {
        ClassFileLocator files = ClassFileLocator.ForClassLoader.of(getParent());
        return new ByteBuddy()
                .redefine(TypePool.Default.of(files).describe(type).resolve(), files)
                .method(ElementMatchers.named(method))
                .intercept(FixedValue.value(value))
                .make()
                .getBytes();
    }
}
