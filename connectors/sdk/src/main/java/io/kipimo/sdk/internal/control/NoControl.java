package io.kipimo.sdk.internal.control;

import io.kipimo.core.admission.HashAdmission;
import io.kipimo.sdk.ClassDefaults;
import java.util.Map;

/** Control without Kafka: every class at its safe fraction, no copies, no measurements. */
public final class NoControl implements Control {
    private final Map<String, ClassDefaults> classes;

    public NoControl(Map<String, ClassDefaults> classes) {
        this.classes = Map.copyOf(classes);
    }

    @Override
    public boolean admits(String queryClass, String queryId, double cost) {
        return HashAdmission.admits(queryId, fraction(queryClass), System.currentTimeMillis());
    }

    @Override
    public double fraction(String queryClass) {
        return classes.get(queryClass).safeFraction();
    }
}
