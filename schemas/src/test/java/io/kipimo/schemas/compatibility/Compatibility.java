package io.kipimo.schemas.compatibility;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds changes of messages that break readers of old bytes or of the JSON form: fields removed without reserving
 * number and name, numbers or names with a new meaning, enum constants removed, renamed or renumbered. New messages,
 * fields and constants are compatible.
 */
final class Compatibility {
    private Compatibility() {}

    /** One sentence per break. */
    static List<String> breaks(FileDescriptorSet before, FileDescriptorSet now) {
        List<String> breaks = new ArrayList<>();
        Map<String, DescriptorProto> messages = messages(now);
        messages(before).forEach((name, old) -> {
            DescriptorProto current = messages.get(name);
            if (current == null) {
                breaks.add("message " + name + " is gone");
            } else {
                compare(name, old, current, breaks);
            }
        });
        Map<String, EnumDescriptorProto> enums = enums(now);
        enums(before).forEach((name, old) -> {
            EnumDescriptorProto current = enums.get(name);
            if (current == null) {
                breaks.add("enum " + name + " is gone");
            } else {
                compare(name, old, current, breaks);
            }
        });
        return breaks;
    }

    private static void compare(String message, DescriptorProto old, DescriptorProto current, List<String> breaks) {
        Map<Integer, FieldDescriptorProto> fields = index(current.getFieldList(), FieldDescriptorProto::getNumber);
        for (FieldDescriptorProto field : old.getFieldList()) {
            String name = message + "." + field.getName();
            FieldDescriptorProto other = fields.get(field.getNumber());
            if (other == null) {
                if (!isReserved(current, field)) {
                    breaks.add(name + " = " + field.getNumber() + " is gone and its number and name are not reserved");
                }
            } else {
                requireSame(name + " was renamed", field.getName(), other.getName(), breaks);
                requireSame(name + " changed its type", type(field), type(other), breaks);
                requireSame(name + " changed its label", field.getLabel(), other.getLabel(), breaks);
            }
        }
        old.getReservedRangeList().forEach(range -> {
            for (int n = range.getStart(); n < range.getEnd(); n++) {
                if (fields.containsKey(n)) {
                    breaks.add(message + " uses " + n + ", which was reserved");
                }
            }
        });
    }

    private static boolean isReserved(DescriptorProto message, FieldDescriptorProto field) {
        return message.getReservedNameList().contains(field.getName())
                && message.getReservedRangeList().stream()
                        .anyMatch(r -> r.getStart() <= field.getNumber() && field.getNumber() < r.getEnd());
    }

    private static void compare(
            String name, EnumDescriptorProto old, EnumDescriptorProto current, List<String> breaks) {
        Map<Integer, EnumValueDescriptorProto> values =
                index(current.getValueList(), EnumValueDescriptorProto::getNumber);
        for (EnumValueDescriptorProto value : old.getValueList()) {
            String constant = name + "." + value.getName();
            EnumValueDescriptorProto other = values.get(value.getNumber());
            if (other == null) {
                breaks.add(constant + " = " + value.getNumber() + " is gone");
            } else {
                requireSame(constant + " was renamed", value.getName(), other.getName(), breaks);
            }
        }
    }

    private static void requireSame(String what, Object before, Object now, List<String> breaks) {
        if (!before.equals(now)) {
            breaks.add(what + ": " + before + " is now " + now);
        }
    }

    private static String type(FieldDescriptorProto field) {
        return field.getType() + field.getTypeName();
    }

    private static Map<String, DescriptorProto> messages(FileDescriptorSet files) {
        Map<String, DescriptorProto> all = new TreeMap<>();
        for (FileDescriptorProto file : files.getFileList()) {
            file.getMessageTypeList().forEach(m -> collect(file.getPackage() + ".", m, all));
        }
        return all;
    }

    private static void collect(String prefix, DescriptorProto message, Map<String, DescriptorProto> all) {
        String name = prefix + message.getName();
        all.put(name, message);
        message.getNestedTypeList().forEach(m -> collect(name + ".", m, all));
    }

    private static Map<String, EnumDescriptorProto> enums(FileDescriptorSet files) {
        Map<String, EnumDescriptorProto> all = new TreeMap<>();
        for (FileDescriptorProto file : files.getFileList()) {
            file.getEnumTypeList().forEach(e -> all.put(file.getPackage() + "." + e.getName(), e));
        }
        messages(files).forEach((name, message) -> message.getEnumTypeList()
                .forEach(e -> all.put(name + "." + e.getName(), e)));
        return all;
    }

    private static <K, V> Map<K, V> index(List<V> values, Function<V, K> key) {
        Map<K, V> map = new TreeMap<>();
        values.forEach(v -> map.put(key.apply(v), v));
        return map;
    }
}
