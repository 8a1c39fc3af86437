package io.kipimo.gateway.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.config.Engine;
import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.gateway.config.RequestRule.Shows;
import io.kipimo.gateway.http.ContentCodings;
import io.kipimo.gateway.index.IndexFacts;
import io.kipimo.gateway.record.CutSigns.FoundSigns;
import io.kipimo.gateway.record.CutSigns.Says;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.sdk.internal.exposition.EventCounts;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Parses the responses of one listener, and counts unreadable ones. */
final class ResponseReader {
    private static final int NO_CONTENT = 204;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ItemReader reader;
    private final ItemsConfig config;
    private final Optional<Engine> engine;
    private final Demands demands;

    /** Signs to look for, by the values that the answers must have. */
    private final Map<List<String>, CutSigns> cuts = new ConcurrentHashMap<>();

    private final int mostBytes;
    private final Complaints complaints;
    private final EventCounts unreadable = new EventCounts(Unreadable.values());
    private final LongAdder cut = new LongAdder();

    /**
     * @param engine search engine whose answers name what is missing; empty: none
     * @param demands determines what the answers to an engine's requests must have
     * @param mostBytes greatest size of an unpacked body
     */
    ResponseReader(
            ItemReader reader,
            ItemsConfig config,
            Optional<Engine> engine,
            Demands demands,
            int mostBytes,
            Complaints complaints) {
        this.reader = reader;
        this.config = config;
        this.engine = engine;
        this.demands = demands;
        this.mostBytes = mostBytes;
        this.complaints = complaints;
    }

    /** Whether responses to unsampled queries are parsed too, as signs of cut work count for all queries. */
    boolean looksIntoAll() {
        return !signs(Demand.NONE).isEmpty() || engine.isPresent() || reader.showsCuts();
    }

    private CutSigns signs(Demand demand) {
        return cuts.computeIfAbsent(demand.needs(), further -> {
            Set<String> all = new LinkedHashSet<>(config.needs());
            all.addAll(further);
            return new CutSigns(config, all);
        });
    }

    /**
     * Determines what the answer to a request must have.
     *
     * @param target path and query
     * @param codings values of the header of content codings
     * @param isForm whether the body is a form
     * @param body empty: none
     * @param facts what is known of the index that is asked
     */
    Demand demand(String target, List<String> codings, boolean isForm, byte[] body, IndexFacts facts) {
        return demands.of(target, codings, isForm, body, facts, mostBytes);
    }

    /**
     * Parses a successful response.
     *
     * @param response empty: too large to be kept
     * @param withItems whether items are extracted
     * @param demand what the response must have
     */
    ResponseReading read(Optional<RecordedResponse> response, boolean withItems, Demand demand) {
        ResponseReading reading = response.map(r -> readBody(r, withItems, demand))
                .orElseGet(() -> ResponseReading.unreadable(false, Unreadable.TOO_LARGE));
        reading.unreadable().ifPresent(unreadable::count);
        if (reading.isCut()) {
            cut.increment();
        }
        return reading;
    }

    /** The items of a whole, successful response; empty: it is no evidence. This response is not counted. */
    Optional<Items> items(RecordedResponse response, Demand demand) {
        ResponseReading reading = readBody(response, true, demand);
        boolean isEvidence = reading.isReadable()
                && !reading.isCut()
                && reading.list() == ListEvidence.SHOWN
                && reading.parts().stream().allMatch(part -> part.outcome() == Outcome.IN_TIME);
        return isEvidence ? Optional.of(reading.items()) : Optional.empty();
    }

    private ResponseReading readBody(RecordedResponse response, boolean withItems, Demand demand) {
        if (response.status() == NO_CONTENT && engine.isEmpty()) {
            return ResponseReading.NOT_LOOKED;
        }
        boolean isCut = false;
        try {
            RecordedResponse plain =
                    demand.call().isEmpty() ? unpacked(response) : demands.answer(demand.call(), response, mostBytes);
            CutSigns signs = signs(demand);
            FoundSigns found = signs.isEmpty() ? FoundSigns.NONE : signs.in(plain.body());
            isCut = found.isPartial() || reader.isCut(plain);
            String whyHidden = demand.whyHidden();
            // What is cut for all to see is no better for what its request hides.
            if (whyHidden != null && (demand.isKnown() || !isCut)) {
                throw new IllegalArgumentException(whyHidden);
            }
            ListEvidence list = evidence(isCut, found.said(), demand);
            Items items = Items.NONE;
            if (withItems && list == ListEvidence.SHOWN) {
                items = Objects.requireNonNull(reader.read(plain)).inOrder();
                if (items.isEmpty() && (demand.shows() == Shows.MORE || foundAny(plain.body()))) {
                    list = ListEvidence.EMPTY;
                }
            }
            boolean isListed = withItems && list == ListEvidence.SHOWN && demand.shows() != Shows.MORE;
            List<EngineParts.EnginePart> parts =
                    engine.isPresent() ? EngineParts.of(engine.get(), found, plain.body()) : List.of();
            OptionalDouble answered = engine.isPresent()
                    ? EngineParts.answered(engine.get(), found, plain.body())
                    : OptionalDouble.empty();
            return new ResponseReading(items, list, isListed, isCut, parts, answered, Optional.empty());
        } catch (ContentCodings.UnknownCodingException e) {
            complaints.say(
                    Unreadable.CODING, "a response's content coding is unknown; allowed: " + ContentCodings.SUPPORTED);
            return ResponseReading.unreadable(isCut, Unreadable.CODING);
        } catch (ContentCodings.TooLargeException e) {
            return ResponseReading.unreadable(isCut, Unreadable.TOO_LARGE);
        } catch (IOException | RuntimeException e) {
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

    private ListEvidence evidence(boolean isCut, Set<Says> said, Demand demand) {
        if (!isCut && said.contains(Says.NONE_ASKED)) {
            return ListEvidence.NONE_ASKED;
        }
        if (demand.shows() != Shows.NO_LIST) {
            return ListEvidence.SHOWN;
        }
        // That a count took little time says nothing of a list.
        return config.needsCutWhen() ? ListEvidence.NONE_ASKED : ListEvidence.NOT_REQUESTED;
    }

    /** Whether an answer with an empty list says that items were found. */
    private boolean foundAny(byte[] answer) throws IOException {
        if (config.totals().isEmpty()) {
            return false;
        }
        JsonNode tree = JSON.readTree(answer);
        return config.totals().stream()
                .map(tree::at)
                .filter(JsonNode::isNumber)
                .findFirst()
                .filter(total -> total.asDouble() > 0)
                .isPresent();
    }

    long unreadable(Unreadable why) {
        return unreadable.of(why);
    }

    long cut() {
        return cut.sum();
    }

    /** The response without its content coding. The size of the unpacked body is bounded. */
    private RecordedResponse unpacked(RecordedResponse response) {
        List<String> codings = response.values(ContentCodings.HEADER);
        if (codings.isEmpty()) {
            return response;
        }
        List<Map.Entry<String, String>> others = response.headers().stream()
                .filter(header -> !header.getKey().equalsIgnoreCase(ContentCodings.HEADER))
                .toList();
        return new RecordedResponse(
                response.status(), others, ContentCodings.undo(codings, response.body(), mostBytes));
    }
}
