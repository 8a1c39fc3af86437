package io.kipimo.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the public API with {@code api.txt}: all public types of the SDK outside of {@code internal}, and the types
 * of schemas and core that their signatures mention. {@code -Dgolden.write=true} rewrites the file.
 */
class PublicApiTest {
    private static final Path RECORDED = Path.of("api.txt");
    private static final Pattern OWN_TYPE = Pattern.compile("io\\.kipimo\\.(?:\\w+\\.)*?[A-Z][\\w$]*");
    private static final Set<String> IMPLIED = Set.of("equals", "hashCode", "toString");
    private static final Set<String> IMPLIED_IN_ENUMS = Set.of("values", "valueOf");
    private static final Set<Class<?>> IMPLIED_PARENTS = Set.of(Object.class, Record.class, Enum.class);

    @Test
    void onlyRecordedChangesOfThePublicApiPass() throws IOException, URISyntaxException {
        List<String> api = signatures(publicTypes());
        if (Boolean.getBoolean("golden.write")) {
            Files.write(RECORDED, api);
        }
        List<String> recorded = Files.readAllLines(RECORDED);
        List<String> changes = new ArrayList<>(missing("removed: ", recorded, api));
        changes.addAll(missing("added: ", api, recorded));
        assertThat(changes)
                .as(RECORDED + "; CONTRIBUTING.md says how to record a deliberate change")
                .isEmpty();
    }

    private static List<String> missing(String label, List<String> these, List<String> in) {
        return these.stream()
                .filter(line -> !in.contains(line))
                .map(label::concat)
                .toList();
    }

    @Test
    void publicApiExposesNoInternalType() throws IOException, URISyntaxException {
        assertThat(signatures(publicTypes()))
                .filteredOn(line -> line.contains("io.kipimo.sdk.internal."))
                .isEmpty();
    }

    private static List<String> publicTypes() throws IOException, URISyntaxException {
        Path root = Path.of(
                Kipimo.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString().replace('/', '.'))
                    .filter(name -> name.endsWith(".class") && !name.contains(".internal."))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .filter(name -> isPublic(load(name)))
                    .toList();
        }
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The lines of some types and of all of Kipimo's types that these lines mention. */
    private static List<String> signatures(List<String> types) {
        Map<String, List<String>> byType = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>(types);
        while (!open.isEmpty()) {
            String type = open.pop();
            if (!byType.containsKey(type)) {
                List<String> lines = signatures(load(type));
                byType.put(type, lines);
                lines.forEach(line ->
                        OWN_TYPE.matcher(line).results().map(MatchResult::group).forEach(open::add));
            }
        }
        return byType.values().stream().flatMap(List::stream).toList();
    }

    private static List<String> signatures(Class<?> type) {
        Set<String> members = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            if (isApi(field)) {
                members.add("    " + field.toGenericString() + value(field));
            }
        }
        for (Executable member : executables(type)) {
            members.add("    " + member.toGenericString());
        }
        List<String> lines = new ArrayList<>();
        lines.add(type.toGenericString() + parents(type));
        lines.addAll(members);
        return lines;
    }

    private static List<Executable> executables(Class<?> type) {
        return Stream.<Executable>concat(
                        Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
                .filter(PublicApiTest::isApi)
                .filter(member -> !IMPLIED.contains(member.getName()))
                .filter(member -> !type.isEnum() || !IMPLIED_IN_ENUMS.contains(member.getName()))
                .toList();
    }

    private static boolean isApi(Member member) {
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0 && !member.isSynthetic();
    }

    /** Compilers copy constants to the classes that use them, so their values are API. */
    private static String value(Field field) {
        boolean isConstant = Modifier.isStatic(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        try {
            return isConstant ? " = " + field.get(null) : "";
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String parents(Class<?> type) {
        List<Type> parents = new ArrayList<>(List.of(type.getGenericInterfaces()));
        if (!type.isInterface() && !IMPLIED_PARENTS.contains(type.getSuperclass())) {
            parents.add(0, type.getGenericSuperclass());
        }
        return parents.isEmpty()
                ? ""
                : parents.stream().map(Type::getTypeName).collect(Collectors.joining(", ", " : ", ""));
    }
}
