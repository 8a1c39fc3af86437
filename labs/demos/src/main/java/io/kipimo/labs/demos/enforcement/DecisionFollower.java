package io.kipimo.labs.demos.enforcement;

import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;

/** Opens connections to Kipimo that only follow decisions. */
final class DecisionFollower {
    private DecisionFollower() {}

    static Kipimo follow(EnforcementPoint.Guarded guarded, String who) {
        return Kipimo.connect(KipimoConfig.builder(guarded.service(), who, guarded.kafka())
                .tier(who)
                .queryClass(guarded.queryClass(), ClassDefaults.sheddable(guarded.floor()))
                .build());
    }
}
