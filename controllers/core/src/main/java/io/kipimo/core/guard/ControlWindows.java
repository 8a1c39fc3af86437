package io.kipimo.core.guard;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;

/** Tells which windows steer a service: the windows of its highest class by the policy's first metric. */
public final class ControlWindows {
    private ControlWindows() {}

    /** Whether a window is of this kind and steers the policy's service. */
    public static boolean steers(QualityWindow window, WindowKind kind, Policy policy) {
        return window.kind() == kind
                && window.service().equals(policy.service())
                && window.queryClass().equals(policy.highestClass().name())
                && window.metric().equals(policy.metrics().get(0));
    }
}
