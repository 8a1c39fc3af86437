package io.kipimo.otlp;

import io.kipimo.schemas.document.TextPattern;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.sdk.ClassDefaults;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the spans of a trace become queries.
 *
 * @param service name of the service; empty: attribute {@code service.name} of the front's resource
 * @param services names that are accepted; empty: any
 * @param classes query classes, the most important first
 * @param classAttribute attribute of a front's span that names the class
 * @param variantAttribute attribute of a front's span that names its variant
 * @param topK number of items that users request; 0: the policy's
 * @param deadlineMillis deadline of the front end; 0: unknown
 * @param front spans that are answers of a front end
 * @param component spans that are calls of a component
 * @param componentNames attributes that name the component, the first that exists counts; else the span's name
 * @param expected components that every query invokes, each as often as it is invoked; empty: unknown
 * @param withoutItems what a component's span is that ended in time without an error, and has no items
 * @param cut attributes of a front's or component's span which show that work was cut short
 * @param headSampling probability with which tracers sample, where {@code tracestate} has none
 * @param samplingRate share of the queries that is measured until a sampling decision arrives
 * @param profilingShare share of the sampled complete queries whose results are emitted
 * @param holdMillis how long after the root span the other spans of its trace are awaited
 * @param traces most traces that are held
 * @param bytes most bytes of spans that are held
 */
@WithBuilder
public record SpanRules(
        Optional<String> service,
        Set<String> services,
        Map<String, ClassDefaults> classes,
        String classAttribute,
        String variantAttribute,
        int topK,
        int deadlineMillis,
        SpanMatch front,
        SpanMatch component,
        List<String> componentNames,
        List<String> expected,
        WithoutItems withoutItems,
        Map<String, List<TextPattern>> cut,
        double headSampling,
        double samplingRate,
        double profilingShare,
        long holdMillis,
        int traces,
        long bytes) {

    /** What the lack of a list of items says of a call. */
    public enum WithoutItems {
        /** Its result is not known. */
        UNKNOWN,
        /** Its result was complete. */
        COMPLETE,
        /** It did not come to its end, as each call that does has a list, even an empty one. */
        FAILED
    }

    /** The class of spans without one, or with an unknown one: the least important. */
    public String lastClass() {
        String last = "";
        for (String name : classes.keySet()) {
            last = name;
        }
        return last;
    }
}
