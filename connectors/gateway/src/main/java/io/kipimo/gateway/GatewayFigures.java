package io.kipimo.gateway;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.merge.ReplicaComparisons.ComparisonVerdict;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.metrics.MetricsPage;
import io.kipimo.gateway.metrics.RouteCounts;
import io.kipimo.gateway.proxy.Route;
import io.kipimo.gateway.record.MemoCache;
import io.kipimo.gateway.record.QueryRecorder;
import io.kipimo.gateway.record.ReplayFailure;
import io.kipimo.gateway.replay.ExtraLoad;
import io.kipimo.gateway.replay.Replayer;
import io.kipimo.http.BufferBudget;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.control.Control;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** The metrics page of a gateway. */
final class GatewayFigures {
    private GatewayFigures() {}

    static String page(
            List<Route> routes,
            Control control,
            Iterable<String> classes,
            QueryRecorder recorder,
            Replayer replayer,
            BufferBudget buffers,
            long administratorsReplaced) {
        MetricsPage page = new MetricsPage();
        for (Route route : routes) {
            OfListener figures = new OfListener(page, route.config().name());
            figures.add(route);
            figures.addReadings(route.config(), recorder);
            figures.addEngine(route);
            replayer.spent(route).ifPresent(figures::addSpent);
        }
        each(
                Unmeasurable.values(),
                (reason, label) -> page.counter(
                        "kipimo_gateway_answers_unmeasurable_total",
                        "Answers that are not measurable, by reason.",
                        recorder.unmeasurable(reason),
                        "reason",
                        label));
        if (routes.stream().anyMatch(route -> route.config().fanOut().isPresent())) {
            each(
                    FanOutChoice.Reason.values(),
                    (reason, label) -> page.counter(
                            "kipimo_gateway_choices_total",
                            "Choices of the components that a query asks, by reason.",
                            recorder.choices(reason),
                            "reason",
                            label));
        }
        each(
                ReplayFailure.values(),
                (why, label) -> page.counter(
                        "kipimo_gateway_replays_failed_total",
                        "Replays without a mature answer, by reason.",
                        replayer.failed(why),
                        "reason",
                        label));
        for (String queryClass : classes) {
            page.gauge(
                    "kipimo_gateway_admitted_fraction",
                    "Admitted fraction in force, 0..1.",
                    control.fraction(queryClass),
                    "class",
                    queryClass);
            control.decisionAgeMillis(queryClass)
                    .ifPresent(age -> page.gauge(
                            "kipimo_gateway_decision_age_seconds",
                            "Time since the newest decision; before the first, since the start.",
                            age / 1_000.0,
                            "class",
                            queryClass));
        }
        MemoCache memo = recorder.memo();
        return page.gauge("kipimo_gateway_buffered_bytes", "Size of all kept bodies, bytes.", buffers.used())
                .counter(
                        "kipimo_gateway_admin_connections_refused_total",
                        "Connections to health and metrics that another one replaced: too many.",
                        administratorsReplaced)
                .gauge(
                        "kipimo_gateway_queries_open",
                        "Queries in progress, or waiting for late responses.",
                        recorder.open())
                .counter(
                        "kipimo_gateway_queries_unmeasured_total",
                        "Queries that were not recorded: too many at once, or a duplicate id.",
                        recorder.unmeasured())
                .counter(
                        "kipimo_gateway_answers_total",
                        "Recorded answers, sampled or not, measurable or not.",
                        recorder.answered())
                .counter("kipimo_gateway_memo_stored_total", "Responses written to the memo cache.", memo.stored())
                .counter(
                        "kipimo_gateway_memo_unstored_total",
                        "Responses not written to the memo cache: no room, or Redis is down.",
                        memo.unstored())
                .counter(
                        "kipimo_gateway_memo_hits_total",
                        "Requests of replays answered from the memo cache.",
                        memo.hits())
                .counter(
                        "kipimo_gateway_memo_misses_total",
                        "Requests of replays that went to the component.",
                        memo.misses())
                .gauge("kipimo_gateway_memo_bytes", "Bytes that this gateway keeps in the memo cache.", memo.bytes())
                .counter("kipimo_gateway_replays_total", "Replays with a mature answer.", replayer.replayed())
                .gauge("kipimo_gateway_replays_waiting", "Queries that wait for their replay.", replayer.waiting())
                .gauge("kipimo_gateway_replays_running", "Replays that run.", replayer.running())
                .gauge(
                        "kipimo_gateway_replay_bytes",
                        "Size of the queries that are kept for replay, bytes.",
                        replayer.bytes())
                .toString();
    }

    /** Calls the visitor with each constant and its label, the name in lower case. */
    private static <E extends Enum<E>> void each(E[] constants, BiConsumer<E, String> visitor) {
        for (E constant : constants) {
            visitor.accept(constant, constant.name().toLowerCase(Locale.ROOT));
        }
    }

    /** Adds figures of one listener. */
    private record OfListener(MetricsPage page, String listener) {
        private void counter(String name, String help, Number value, String... labels) {
            page.counter(name, help, value, all(labels));
        }

        private void gauge(String name, String help, Number value, String... labels) {
            page.gauge(name, help, value, all(labels));
        }

        private String[] all(String... labels) {
            return Stream.concat(Stream.of("listener", listener), Stream.of(labels))
                    .toArray(String[]::new);
        }

        void addSpent(ExtraLoad.SpentTime spent) {
            counter(
                    "kipimo_gateway_query_seconds_total",
                    "Time that queries of an engine took.",
                    spent.queryMicros() / 1e6);
            counter(
                    "kipimo_gateway_replay_seconds_total",
                    "Time that replays of its queries took: the extra load of measuring.",
                    spent.replayMicros() / 1e6);
        }

        void addEngine(Route route) {
            route.engineCount().ifPresent(count -> {
                counter(
                        "kipimo_gateway_engine_queries_total",
                        "Queries that the engine counted since the gateway read its counter first.",
                        count.counted());
                counter(
                        "kipimo_gateway_engine_queries_sent_total",
                        "Queries that the gateway sent in that time.",
                        count.sent());
            });
            route.indexes().ifPresent(indexes -> {
                for (boolean known : new boolean[] {true, false}) {
                    gauge(
                            "kipimo_gateway_indexes",
                            "Indexes that queries ask, by whether is known what they hide.",
                            indexes.count(known, System.nanoTime()),
                            "state",
                            known ? "known" : "unknown");
                }
            });
        }

        void addReadings(ListenerConfig config, QueryRecorder recorder) {
            recorder.unreadable(config)
                    .forEach((why, responses) -> counter(
                            "kipimo_gateway_responses_unreadable_total",
                            "Responses that could not be read, by reason.",
                            responses,
                            "reason",
                            why.name().toLowerCase(Locale.ROOT)));
            if (config.items().isPresent()) {
                counter(
                        "kipimo_gateway_responses_cut_total",
                        "Responses with a sign of work cut short.",
                        recorder.cut(config));
            }
        }

        private void addReloads(String result, long reloads) {
            counter(
                    "kipimo_gateway_certificate_reloads_total",
                    "Changes of certificate files, by whether they could be used.",
                    reloads,
                    "result",
                    result);
        }

        private void addReplicas(Route route) {
            each(
                    ComparisonVerdict.values(),
                    (verdict, label) -> counter(
                            "kipimo_gateway_replica_comparisons_total",
                            "Comparisons of two servers' answers to one query, by verdict.",
                            route.replicas().of(verdict),
                            "verdict",
                            label));
            each(
                    new ComparisonVerdict[] {ComparisonVerdict.LAG, ComparisonVerdict.DIFFERENT},
                    (verdict, label) -> route.replicas()
                            .lacked(verdict)
                            .forEach((server, comparisons) -> counter(
                                    "kipimo_gateway_replica_lacked_total",
                                    "Comparisons in which a server lacked items that the other had, by verdict.",
                                    comparisons,
                                    "server",
                                    server,
                                    "verdict",
                                    label)));
        }

        void add(Route route) {
            ListenerConfig config = route.config();
            RouteCounts counts = route.counts();
            each(
                    RouteCounts.RouteEvent.values(),
                    (event, label) -> counter(
                            "kipimo_gateway_" + label + "_total",
                            "See the table of metrics in docs/gateway.md.",
                            counts.of(event)));
            each(
                    RouteCounts.Fault.values(),
                    (fault, label) -> counter(
                            "kipimo_gateway_faults_total",
                            "Faults of connections; see docs/gateway.md.",
                            counts.of(fault),
                            "fault",
                            label.replace('_', '-')));
            each(
                    RouteCounts.Ignored.values(),
                    (reason, label) -> counter(
                            "kipimo_gateway_ignored_total",
                            "Claims of requests that were ignored, by reason.",
                            counts.of(reason),
                            "reason",
                            label));
            if (config.tls().isPresent() || config.serverTls().isPresent()) {
                addReloads("ok", route.tls().renewed());
                addReloads("failed", route.tls().refused());
            }
            if (config.arbitration().compareMillis() > 0) {
                addReplicas(route);
            }
            for (int hundreds = 1; hundreds <= 5; hundreds++) {
                counter(
                        "kipimo_gateway_responses_total",
                        "Responses sent, by the first digit of their status.",
                        counts.responses(hundreds),
                        "status",
                        hundreds + "xx");
            }
            page.histogram(counts.times());
            gauge(
                    "kipimo_gateway_connections",
                    "Connections of callers.",
                    route.callers().open());
            counter(
                    "kipimo_gateway_connections_refused_total",
                    "Connections that were refused: too many.",
                    route.callers().refused());
            gauge("kipimo_gateway_under_way", "Requests without a response so far.", route.underWay());
            gauge(
                    "kipimo_gateway_local_limit",
                    "Limit of requests in progress; 0: no limit.",
                    route.limit().limit());
            gauge(
                    "kipimo_gateway_waiting_copies",
                    "Copies that wait for a free server.",
                    route.arbitration().waitingCopies());
            counter(
                    "kipimo_gateway_withheld_copies_total",
                    "Copies that were due, but beyond their share of the requests.",
                    route.arbitration().withheldCopies());
            gauge(
                    "kipimo_gateway_factor",
                    "Number of copies per request in force.",
                    route.control().factor(config.tier()));
            // A server may be listed twice.
            Map<String, Boolean> up = new LinkedHashMap<>();
            Map<String, Long> won = new LinkedHashMap<>();
            Map<String, Long> lost = new LinkedHashMap<>();
            for (int server = 0; server < config.servers().size(); server++) {
                String name = config.servers().get(server).toString();
                up.merge(name, !route.arbitration().isEjected(server), Boolean::logicalOr);
                won.merge(name, route.arbitration().copies(server, true), Long::sum);
                lost.merge(name, route.arbitration().copies(server, false), Long::sum);
            }
            won.forEach((server, copies) -> counter(
                    "kipimo_gateway_won_copies_total",
                    "Copies after the first of a request with whose response it was answered.",
                    copies,
                    "server",
                    server));
            lost.forEach((server, copies) -> counter(
                    "kipimo_gateway_lost_copies_total",
                    "Copies after the first of a request that ended without answering it.",
                    copies,
                    "server",
                    server));
            up.forEach((server, isUp) -> gauge(
                    "kipimo_gateway_server_up",
                    "1: the server receives requests; 0: it is ejected for a while.",
                    isUp ? 1 : 0,
                    "server",
                    server));
        }
    }
}
