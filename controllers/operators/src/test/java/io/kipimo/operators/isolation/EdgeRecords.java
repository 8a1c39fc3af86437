package io.kipimo.operators.isolation;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.policy.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/** Records with values at the edges of what readers accept, made from the golden records. */
public final class EdgeRecords {
    private static final Path GOLDEN = Path.of("../../schemas/src/test/resources/golden/v1");
    private static final int MOST_TRIES = 200;

    private final Random random;
    private final Map<Codec<?>, List<?>> golden = new HashMap<>();

    public EdgeRecords(long seed) {
        random = new Random(seed);
    }

    public Random random() {
        return random;
    }

    /**
     * A record of a service that a reader accepts.
     *
     * @param fixed values of components by name, which stay
     * @param use further condition of the record
     */
    public <T extends Record> T of(Codec<T> codec, Map<String, Object> fixed, Predicate<T> use) {
        for (int i = 0; i < MOST_TRIES; i++) {
            List<T> known = golden(codec);
            try {
                T base = with(known.get(random.nextInt(known.size())), fixed);
                T edge = with(edge(base, i > MOST_TRIES / 2 ? 0.02 : 0.2), fixed);
                T read = codec.decode(codec.encode(edge));
                if (use.test(read)) {
                    return read;
                }
            } catch (RuntimeException | InvalidRecordException e) {
                // Not a record that readers accept: try another one.
                // Not a record that readers accept: try another one.
            }
        }
        throw new AssertionError("no edge record of " + codec.name());
    }

    public <T extends Record> T of(Codec<T> codec, Map<String, Object> fixed) {
        return of(codec, fixed, record -> true);
    }

    /** A policy of the service with this class, and everything else at the edges. */
    public Policy policy(Policy base, String service, long version) {
        for (int i = 0; i < MOST_TRIES; i++) {
            try {
                Policy edge = with(
                        edge(base, 0.15), Map.of("service", service, "version", version, "metrics", base.metrics()));
                return Codecs.POLICY.decode(Codecs.POLICY.encode(edge));
            } catch (RuntimeException | InvalidRecordException e) {
                // Not a record that readers accept: try another one.
            }
        }
        throw new AssertionError("no edge policy");
    }

    @SuppressWarnings("unchecked") // By codec.
    private <T extends Record> List<T> golden(Codec<T> codec) {
        return (List<T>) golden.computeIfAbsent(codec, c -> {
            try (var files = Files.newDirectoryStream(GOLDEN, c.name() + "-*.bin")) {
                List<T> records = new ArrayList<>();
                for (Path file : files) {
                    records.add(codec.decode(Files.readAllBytes(file)));
                }
                return records;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InvalidRecordException e) {
                throw new AssertionError(e);
            }
        });
    }

    @SuppressWarnings("unchecked") // The class of the record.
    private static <T extends Record> T with(T record, Map<String, Object> fixed) {
        RecordFields<T> fields = RecordFields.of((Class<T>) record.getClass());
        Object[] values = fields.values(record);
        fixed.forEach((name, value) -> values[fields.index(name)] = value);
        return fields.create(values);
    }

    @SuppressWarnings("unchecked") // The class of the record.
    private <T extends Record> T edge(T record, double share) {
        RecordFields<T> fields = RecordFields.of((Class<T>) record.getClass());
        Object[] values = fields.values(record);
        for (int i : fields.order()) {
            values[i] = edge(fields.all().get(i), values[i], fields.bounds(i, values), share);
        }
        return fields.create(values);
    }

    private Object edge(RecordField field, Object value, FieldBounds bounds, double share) {
        if (value instanceof List<?> list) {
            if (random.nextDouble() < share / 2) {
                return List.of();
            }
            List<Object> edges = new ArrayList<>();
            list.forEach(element -> edges.add(edgeOf(field, element, bounds, share)));
            if (random.nextDouble() < share / 4) {
                Collections.reverse(edges);
            }
            return edges;
        }
        if (value instanceof Optional<?> optional) {
            return random.nextDouble() < share / 2
                    ? Optional.empty()
                    : optional.map(element -> edgeOf(field, element, bounds, share));
        }
        return edgeOf(field, value, bounds, share);
    }

    private Object edgeOf(RecordField field, Object value, FieldBounds bounds, double share) {
        if (value instanceof Record record && field.isRecord()) {
            return edge(record, share);
        }
        if (random.nextDouble() >= share) {
            return value;
        }
        if (value instanceof Enum<?> constant) {
            Object[] all = constant.getDeclaringClass().getEnumConstants();
            return all[random.nextInt(all.length)];
        }
        if (value instanceof Boolean flag) {
            return !flag;
        }
        double[] edges = {
            bounds.least(), bounds.most(), 0, Double.MIN_VALUE, 1, bounds.least() + Math.ulp(bounds.least()), Double.NaN
        };
        double edge = edges[random.nextInt(edges.length)];
        if (value instanceof Long) {
            return Double.isNaN(edge) ? Long.MAX_VALUE : (long) edge;
        }
        if (value instanceof Integer) {
            return Double.isNaN(edge) ? Integer.MAX_VALUE : (int) edge;
        }
        return value instanceof Double ? edge : value;
    }
}
