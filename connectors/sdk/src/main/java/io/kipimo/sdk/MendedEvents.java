package io.kipimo.sdk;

import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import java.util.Arrays;
import java.util.List;

/** Mends events so that readers accept their names and ids. Empty names stay empty. */
final class MendedEvents {
    private MendedEvents() {}

    /** @param variant variant for an answer that names none; may be empty */
    static Answer of(Answer answer, String variant) {
        List<Invocation> invocations = answer.invocations().stream()
                .map(i -> new Invocation(Names.cleaned(i.component()), i.outcome(), i.latencyMicros()))
                .toList();
        String named = Names.cleaned(answer.variant());
        return AnswerBuilder.builder(answer)
                .service(Names.cleaned(answer.service()))
                .queryId(Names.identifier(answer.queryId()))
                .queryClass(Names.cleaned(answer.queryClass()))
                .invocations(invocations)
                .items(of(answer.items()))
                .variant(named.isEmpty() ? variant : named)
                .build();
    }

    static PartialResult of(PartialResult partial) {
        return PartialResultBuilder.builder(partial)
                .service(Names.cleaned(partial.service()))
                .queryId(Names.identifier(partial.queryId()))
                .component(Names.cleaned(partial.component()))
                .server(Names.cleaned(partial.server()))
                .items(of(partial.items()))
                .build();
    }

    private static Items of(Items items) {
        return items.isTexts()
                ? Items.ofTexts(
                        Arrays.stream(items.texts()).map(Names::identifier).toArray(String[]::new), items.scores())
                : items;
    }
}
