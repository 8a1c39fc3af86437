package io.kipimo.otlp;

import io.kipimo.schemas.document.TextPattern;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.sdk.ClassDefaults;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rules by which the spans of a trace become queries.
 *
 * @param service name of the service; empty: attribute {@code service.name} of the front's resource
 * @param services names of accepted services; empty: any
 * @param classes query classes, the most important first
 * @param classAttribute attribute of a front's span that names the class
 * @param variantAttribute attribute of a front's span that names its variant
 * @param topK number of items that users request; 0: the policy's
 * @param deadlineMillis deadline of the front end; 0: unknown
 * @param front spans that are answers of a front end
 * @param component spans that are calls of a component
 * @param componentNames attributes that name the component, of which the first that exists counts; if none exists, the
 *     span's name counts
 * @param expected components that every query invokes, each as often as it is invoked; empty: unknown
 * @param withoutItems meaning of a component's span that ended in time without an error, and has no list of items
 * @param cut attributes of a front's or component's span which show that work was cut short
 * @param headSampling probability with which tracers sample, if {@code tracestate} has none
 * @param samplingRate share of the queries that is measured until a sampling decision arrives
 * @param profilingShare share of the sampled complete queries whose results are emitted
 * @param holdMillis time after the root span for which the other spans of its trace are awaited
 * @param traces greatest number of traces that are held
 * @param bytes greatest size of the spans that are held
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

    /** Meaning of a call that has no list of items. */
    public enum WithoutItems {
        /** The result of the call is not known. */
        UNKNOWN,
        /** The result of the call was complete. */
        COMPLETE,
        /** The call did not come to its end, because each call that ends has a list, even if it is empty. */
        FAILED
    }

    /** The least important class. It is that of spans without a class, or with an unknown one. */
    public String lastClass() {
        String last = "";
        for (String name : classes.keySet()) {
            last = name;
        }
        return last;
    }
}
