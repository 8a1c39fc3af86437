package io.kipimo.gateway.record;

import io.kipimo.gateway.config.Engine;
import io.kipimo.schemas.quality.Items;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Parses the responses of one listener, and counts unreadable ones. */
final class ResponseReader {
    private static final int NO_CONTENT = 204;

    private final ItemReader reader;
    private final CutSigns cuts;
    private final Optional<Engine> engine;
    private final int mostBytes;
    private final Complaints complaints;
    private final Map<Unreadable, LongAdder> unreadable = new EnumMap<>(Unreadable.class);
    private final LongAdder cut = new LongAdder();

    /**
     * @param engine that names what is missing from its answers
     * @param mostBytes of a body, unpacked
     */
    ResponseReader(
            ItemReader reader,
            CutSigns cuts,
            Optional<Engine> engine,
            int mostBytes,
            Complaints complaints) {
        this.reader = reader;
        this.cuts = cuts;
        this.engine = engine;
        this.mostBytes = mostBytes;
        this.complaints = complaints;
        for (Unreadable why : Unreadable.values()) {
            unreadable.put(why, new LongAdder());
        }
    }

    /**
     * Whether responses to unsampled queries are parsed too, as signs of cut work count for all
     * queries.
     */
    boolean looksIntoAll() {
        return !cuts.isEmpty() || engine.isPresent() || reader.showsCuts();
    }

    /**
     * Parses a successful response.
     *
     * @param response empty: too large to be kept
     * @param withItems whether items are extracted
     */
    ResponseReading read(Optional<RecordedResponse> response, boolean withItems) {
        ResponseReading reading =
                response.map(r -> readBody(r, withItems))
                        .orElseGet(() -> ResponseReading.unreadable(false, Unreadable.TOO_LARGE));
        reading.unreadable().ifPresent(why -> unreadable.get(why).increment());
        if (reading.isCut()) {
            cut.increment();
        }
        return reading;
    }

    private ResponseReading readBody(RecordedResponse response, boolean withItems) {
        if (response.status() == NO_CONTENT && engine.isEmpty()) {
            return ResponseReading.NOT_LOOKED;
        }
        boolean isCut = false;
        try {
            RecordedResponse plain = ContentCodings.undo(response, mostBytes);
            isCut = reader.isCut(plain) || (!cuts.isEmpty() && cuts.areIn(plain.body()));
            Items items =
                    withItems ? Objects.requireNonNull(reader.read(plain)).inOrder() : Items.NONE;
            List<EngineParts.Part> parts =
                    engine.isPresent()
                            ? EngineParts.of(engine.get(), isCut, plain.body())
                            : List.of();
            return new ResponseReading(items, isCut, parts, Optional.empty());
        } catch (ContentCodings.UnknownCodingException e) {
            complaints.say(
                    Unreadable.CODING,
                    "a response's content coding is unknown; allowed: " + ContentCodings.SUPPORTED);
            return ResponseReading.unreadable(isCut, Unreadable.CODING);
        } catch (ContentCodings.TooLargeException e) {
            return ResponseReading.unreadable(isCut, Unreadable.TOO_LARGE);
        } catch (RuntimeException e) {
            // A reader may be user code; whatever it throws, the request continues.
            complaints.say(
                    Unreadable.FORM,
                    "a response cannot be read ("
                            + e.getMessage()
                            + "); check engine, items, and that the answer's format is "
                            + reader.name());
            return ResponseReading.unreadable(isCut, Unreadable.FORM);
        }
    }

    long unreadable(Unreadable why) {
        return unreadable.get(why).sum();
    }

    long cut() {
        return cut.sum();
    }
}
