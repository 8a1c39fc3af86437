package io.kipimo.schemas.codec;

import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.ComponentEconomicsBuilder;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.wire.ComponentEconomicsProto;
import io.kipimo.schemas.wire.ComponentPointProto;
import io.kipimo.schemas.wire.DeadlineCurveProto;
import io.kipimo.schemas.wire.DeadlinePointProto;
import io.kipimo.schemas.wire.FanOutCurveProto;
import io.kipimo.schemas.wire.FanOutFloorProto;
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
        if (!curve.fanOut().equals(FanOutCurve.NONE)) {
            FanOutCurveProto.Builder fanOut =
                    wire.getFanOutBuilder()
                            .setQueries(curve.fanOut().queries())
                            .setCalibrated(curve.fanOut().calibrated());
            curve.fanOut().learned().forEach(floor -> fanOut.addLearned(toWire(floor)));
            curve.fanOut().perfect().forEach(floor -> fanOut.addPerfect(toWire(floor)));
        }
        return wire.build();
    }

    private static FanOutFloorProto toWire(FanOutFloor floor) {
        return FanOutFloorProto.newBuilder()
                .setFloor(floor.floor())
                .setEffort(floor.effort())
                .setQuality(QualityCodecs.toWire(floor.quality()))
                .setBelowHalf(floor.belowHalf())
                .build();
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
        return DeadlineCurveBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .queryClass(Checks.name("query_class", wire.getQueryClass()))
                .metric(Checks.name("metric", wire.getMetric()))
                .startMillis(start)
                .endMillis(Checks.within("end_millis", wire.getEndMillis(), start, Long.MAX_VALUE))
                .deadlineMillis(
                        Checks.deadlineMillis("deadline_millis", wire.getDeadlineMillis(), 0))
                .profiles(profiles)
                .degradedProfiles(
                        (int)
                                Checks.within(
                                        "degraded_profiles",
                                        wire.getDegradedProfiles(),
                                        0,
                                        profiles))
                .points(List.copyOf(points))
                .components(List.copyOf(components))
                .fanOut(
                        new FanOutCurve(
                                Checks.count("fan_out.queries", wire.getFanOut().getQueries()),
                                wire.getFanOut().getCalibrated(),
                                floors("fan_out.learned", wire.getFanOut().getLearnedList()),
                                floors("fan_out.perfect", wire.getFanOut().getPerfectList())))
                .build();
    }

    private static List<FanOutFloor> floors(String field, List<FanOutFloorProto> wires)
            throws InvalidRecordException {
        Checks.parts(field, wires.size());
        List<FanOutFloor> floors = new ArrayList<>(wires.size());
        for (FanOutFloorProto wire : wires) {
            floors.add(
                    new FanOutFloor(
                            Checks.fraction(field + ".floor", wire.getFloor()),
                            Checks.fraction(field + ".effort", wire.getEffort()),
                            QualityCodecs.fromWire(field + ".quality", wire.getQuality()),
                            Checks.fraction(field + ".below_half", wire.getBelowHalf())));
        }
        return List.copyOf(floors);
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
        return ComponentEconomicsBuilder.builder()
                .component(Checks.name("components.component", wire.getComponent()))
                .invoked(invoked)
                .late((int) Checks.within("components.late", wire.getLate(), 0, invoked))
                .lostQuality(Checks.within("components.lost_quality", wire.getLostQuality(), -1, 1))
                .lostQualityPerLateMinute(
                        Checks.finite(
                                "components.lost_quality_per_late_minute",
                                wire.getLostQualityPerLateMinute()))
                .qualityIfFaster(
                        Checks.fraction("components.quality_if_faster", wire.getQualityIfFaster()))
                .qualityIfReplicated(
                        Checks.fraction(
                                "components.quality_if_replicated", wire.getQualityIfReplicated()))
                .qualityIfDropped(
                        Checks.fraction(
                                "components.quality_if_dropped", wire.getQualityIfDropped()))
                .points(List.copyOf(points))
                .build();
    }
}
