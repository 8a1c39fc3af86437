package io.kipimo.gateway;

import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.control.Control;
import io.kipimo.gateway.limit.BufferBudget;
import io.kipimo.gateway.metrics.RouteCounts;
import io.kipimo.gateway.proxy.Route;
import io.kipimo.gateway.record.MemoCache;
import io.kipimo.gateway.record.QueryRecorder;
import io.kipimo.gateway.record.ReplayFailure;
import io.kipimo.gateway.replay.ExtraLoad;
import io.kipimo.gateway.replay.Replayer;
import io.kipimo.gateway.transport.ConnectionBound;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.exposition.Exposition;
import java.util.List;
import java.util.Locale;

/** All figures of a gateway, for its metrics page. */
final class GatewayFigures {
    private GatewayFigures() {}

    static String page(
            List<Route> routes,
            Control control,
            Iterable<String> classes,
            QueryRecorder recorder,
            Replayer replayer,
            BufferBudget buffers,
            ConnectionBound administrators) {
        Exposition page = new Exposition();
        routes.forEach(route -> add(page, route));
        for (Route route : routes) {
            addReadings(page, route.config(), recorder);
        }
        for (Unmeasurable reason : Unmeasurable.values()) {
            page.counter(
                    "kipimo_gateway_answers_unmeasurable_total",
                    "Answers whose quality nobody can tell, by reason.",
                    recorder.unmeasurable(reason),
                    "reason",
                    label(reason));
        }
        for (ReplayFailure why : ReplayFailure.values()) {
            page.counter(
                    "kipimo_gateway_replays_failed_total",
                    "Queries that were to be run once more and have no mature answer, by reason.",
                    replayer.failed(why),
                    "reason",
                    label(why));
        }
        for (Route route : routes) {
            replayer.spent(route).ifPresent(spent -> addSpent(page, route, spent));
        }
        for (String queryClass : classes) {
            page.gauge(
                    "kipimo_gateway_admitted_fraction",
                    "Admitted fraction in force, 0..1.",
                    control.fraction(queryClass),
                    "class",
                    queryClass);
            control.decisionAgeMillis(queryClass)
                    .ifPresent(
                            age ->
                                    page.gauge(
                                            "kipimo_gateway_decision_age_seconds",
                                            "Since the newest decision was issued; before the first, since"
                                                    + " the start.",
                                            age / 1_000.0,
                                            "class",
                                            queryClass));
        }
        MemoCache memo = recorder.memo();
        return page.gauge(
                        "kipimo_gateway_buffered_bytes",
                        "Bytes of bodies that are kept now.",
                        (double) buffers.used())
                .counter(
                        "kipimo_gateway_admin_connections_refused_total",
                        "Connections to the administration that were closed at once: too many.",
                        administrators.refused())
                .gauge(
                        "kipimo_gateway_queries_open",
                        "Queries under way, or recorded until their late responses are in.",
                        recorder.open())
                .counter(
                        "kipimo_gateway_queries_unmeasured_total",
                        "Queries not told of: too many at once, or an id twice.",
                        recorder.unmeasured())
                .counter(
                        "kipimo_gateway_answers_total",
                        "Answers told of, sampled or not, measurable or not.",
                        recorder.answered())
                .counter(
                        "kipimo_gateway_memo_stored_total",
                        "Responses put into the memo cache.",
                        memo.stored())
                .counter(
                        "kipimo_gateway_memo_unstored_total",
                        "Responses not put there: no room, or Redis away.",
                        memo.unstored())
                .counter(
                        "kipimo_gateway_memo_hits_total",
                        "Requests of replays answered from it.",
                        memo.hits())
                .counter(
                        "kipimo_gateway_memo_misses_total",
                        "Requests of replays that went to the component.",
                        memo.misses())
                .gauge(
                        "kipimo_gateway_memo_bytes",
                        "Bytes that this gateway keeps in the memo cache.",
                        (double) memo.bytes())
                .counter(
                        "kipimo_gateway_replays_total",
                        "Queries whose mature answer was told.",
                        replayer.replayed())
                .gauge(
                        "kipimo_gateway_replays_waiting",
                        "Queries that wait for their replay.",
                        replayer.waiting())
                .gauge(
                        "kipimo_gateway_replay_bytes",
                        "Bytes of queries that are kept for their replay.",
                        (double) replayer.bytes())
                .toString();
    }

    private static void addSpent(Exposition page, Route route, ExtraLoad.Spent spent) {
        page.counter(
                "kipimo_gateway_query_seconds_total",
                "Time that queries of an engine took.",
                spent.queryMicros() / 1e6,
                "listener",
                route.config().name());
        page.counter(
                "kipimo_gateway_replay_seconds_total",
                "Time that replays of its queries took: the extra load of measuring.",
                spent.replayMicros() / 1e6,
                "listener",
                route.config().name());
    }

    private static String label(Enum<?> reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    private static void addReadings(
            Exposition page, ListenerConfig config, QueryRecorder recorder) {
        recorder.unreadable(config)
                .forEach(
                        (why, responses) ->
                                page.counter(
                                        "kipimo_gateway_responses_unreadable_total",
                                        "Responses that were looked into in vain, by reason.",
                                        responses,
                                        "listener",
                                        config.name(),
                                        "reason",
                                        label(why)));
        if (config.items().isPresent()) {
            page.counter(
                    "kipimo_gateway_responses_cut_total",
                    "Responses that say of themselves that work was cut short.",
                    recorder.cut(config),
                    "listener",
                    config.name());
        }
    }

    private static void add(Exposition page, Route route) {
        ListenerConfig config = route.config();
        RouteCounts counts = route.counts();
        for (RouteCounts.Event event : RouteCounts.Event.values()) {
            page.counter(
                    "kipimo_gateway_" + event.name().toLowerCase(Locale.ROOT) + "_total",
                    "See the table of metrics in docs/gateway.md.",
                    counts.of(event),
                    "listener",
                    config.name());
        }
        for (RouteCounts.Fault fault : RouteCounts.Fault.values()) {
            page.counter(
                    "kipimo_gateway_faults_total",
                    "What was not as it should be on a connection; see docs/gateway.md.",
                    counts.of(fault),
                    "listener",
                    config.name(),
                    "fault",
                    fault.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        for (RouteCounts.Ignored reason : RouteCounts.Ignored.values()) {
            page.counter(
                    "kipimo_gateway_ignored_total",
                    "What requests said of themselves and was not believed.",
                    counts.of(reason),
                    "listener",
                    config.name(),
                    "reason",
                    reason.name().toLowerCase(Locale.ROOT));
        }
        for (int hundreds = 1; hundreds <= 5; hundreds++) {
            page.counter(
                    "kipimo_gateway_responses_total",
                    "Responses that left, by the first digit of their status.",
                    counts.responses(hundreds),
                    "listener",
                    config.name(),
                    "status",
                    hundreds + "xx");
        }
        page.gauge(
                "kipimo_gateway_connections",
                "Connections of callers.",
                route.callers().open(),
                "listener",
                config.name());
        page.counter(
                "kipimo_gateway_connections_refused_total",
                "Connections that were closed at once: too many.",
                route.callers().refused(),
                "listener",
                config.name());
        page.gauge(
                "kipimo_gateway_under_way",
                "Requests without a response yet.",
                route.underWay(),
                "listener",
                config.name());
        page.gauge(
                "kipimo_gateway_local_limit",
                "Requests that may be under way; 0: any number.",
                route.limit().limit(),
                "listener",
                config.name());
        page.gauge(
                "kipimo_gateway_waiting_copies",
                "Copies that wait for a free server.",
                route.arbitration().waitingCopies(),
                "listener",
                config.name());
        page.gauge(
                "kipimo_gateway_factor",
                "Copies a request is to have, as decided.",
                route.control().factor(config.tier()),
                "listener",
                config.name());
        for (int server = 0; server < config.servers().size(); server++) {
            page.gauge(
                    "kipimo_gateway_server_up",
                    "Whether a server gets requests; 0: it is left out for a while.",
                    route.arbitration().isEjected(server) ? 0 : 1,
                    "listener",
                    config.name(),
                    "server",
                    config.servers().get(server).toString());
        }
    }
}
