package io.kipimo.schemas.codec;

import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.wire.ComponentEconomicsProto;
import io.kipimo.schemas.wire.ComponentPointProto;
import io.kipimo.schemas.wire.DeadlineCurveProto;
import io.kipimo.schemas.wire.DeadlinePointProto;
import java.util.ArrayList;
import java.util.List;

/** Deadline curves on the wire. */
final class DeadlineCodec {
    private DeadlineCodec() {}

    static DeadlineCurveProto toWire(DeadlineCurve curve) {
        DeadlineCurveProto.Builder wire =
                DeadlineCurveProto.newBuilder()
                        .setService(curve.service())
                        .setQueryClass(curve.queryClass())
                        .setMetric(curve.metric())
                        .setStartMillis(curve.startMillis())
                        .setEndMillis(curve.endMillis())
                        .setDeadlineMillis(curve.deadlineMillis())
                        .setProfiles(curve.profiles())
                        .setDegradedProfiles(curve.degradedProfiles());
        for (DeadlinePoint point : curve.points()) {
            wire.addPoints(
                    DeadlinePointProto.newBuilder()
                            .setDeadlineMillis(point.deadlineMillis())
                            .setQuality(QualityCodecs.toWire(point.quality()))
                            .setComplete(point.complete()));
        }
        for (ComponentEconomics component : curve.components()) {
            wire.addComponents(toWire(component));
        }
        return wire.build();
    }

    private static ComponentEconomicsProto toWire(ComponentEconomics component) {
        ComponentEconomicsProto.Builder wire =
                ComponentEconomicsProto.newBuilder()
                        .setComponent(component.component())
                        .setInvoked(component.invoked())
                        .setLate(component.late())
                        .setLostQuality(component.lostQuality())
                        .setLostQualityPerLateMinute(component.lostQualityPerLateMinute())
                        .setQualityIfFaster(component.qualityIfFaster())
                        .setQualityIfReplicated(component.qualityIfReplicated())
                        .setQualityIfDropped(component.qualityIfDropped());
        for (ComponentPoint point : component.points()) {
            wire.addPoints(
                    ComponentPointProto.newBuilder()
                            .setDeadlineMillis(point.deadlineMillis())
                            .setWithin(point.within())
                            .setQuality(point.quality()));
        }
        return wire.build();
    }

    static DeadlineCurve fromWire(DeadlineCurveProto wire) throws InvalidRecordException {
        long start = Checks.millis("start_millis", wire.getStartMillis());
        int profiles = (int) Checks.within("profiles", wire.getProfiles(), 0, Integer.MAX_VALUE);
        Checks.parts("points", wire.getPointsCount());
        List<DeadlinePoint> points = new ArrayList<>(wire.getPointsCount());
        double previous = 0;
        for (DeadlinePointProto point : wire.getPointsList()) {
            previous =
                    Checks.deadlineMillis(
                            "points.deadline_millis", point.getDeadlineMillis(), previous);
            points.add(
                    new DeadlinePoint(
                            previous,
                            QualityCodecs.fromWire("points.quality", point.getQuality()),
                            Checks.fraction("points.complete", point.getComplete())));
        }
        Checks.parts("components", wire.getComponentsCount());
        List<ComponentEconomics> components = new ArrayList<>(wire.getComponentsCount());
        for (ComponentEconomicsProto component : wire.getComponentsList()) {
            components.add(fromWire(component));
        }
        return new DeadlineCurve(
                Checks.name("service", wire.getService()),
                Checks.name("query_class", wire.getQueryClass()),
                Checks.name("metric", wire.getMetric()),
                start,
                Checks.within("end_millis", wire.getEndMillis(), start, Long.MAX_VALUE),
                Checks.deadlineMillis("deadline_millis", wire.getDeadlineMillis(), 0),
                profiles,
                (int) Checks.within("degraded_profiles", wire.getDegradedProfiles(), 0, profiles),
                List.copyOf(points),
                List.copyOf(components));
    }

    private static ComponentEconomics fromWire(ComponentEconomicsProto wire)
            throws InvalidRecordException {
        int invoked =
                (int) Checks.within("components.invoked", wire.getInvoked(), 0, Integer.MAX_VALUE);
        Checks.parts("components.points", wire.getPointsCount());
        List<ComponentPoint> points = new ArrayList<>(wire.getPointsCount());
        double previous = 0;
        for (ComponentPointProto point : wire.getPointsList()) {
            previous =
                    Checks.deadlineMillis(
                            "components.points.deadline_millis",
                            point.getDeadlineMillis(),
                            previous);
            points.add(
                    new ComponentPoint(
                            previous,
                            Checks.fraction("components.points.within", point.getWithin()),
                            Checks.fraction("components.points.quality", point.getQuality())));
        }
        return new ComponentEconomics(
                Checks.name("components.component", wire.getComponent()),
                invoked,
                (int) Checks.within("components.late", wire.getLate(), 0, invoked),
                Checks.within("components.lost_quality", wire.getLostQuality(), -1, 1),
                Checks.finite(
                        "components.lost_quality_per_late_minute",
                        wire.getLostQualityPerLateMinute()),
                Checks.fraction("components.quality_if_faster", wire.getQualityIfFaster()),
                Checks.fraction("components.quality_if_replicated", wire.getQualityIfReplicated()),
                Checks.fraction("components.quality_if_dropped", wire.getQualityIfDropped()),
                List.copyOf(points));
    }
}
