package io.kipimo.console;

import io.kipimo.console.server.RequestRefusedException;
import io.kipimo.console.server.Writes;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.sdk.internal.kafka.PolicyConflictException;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes overrides and kill switches as the next version of a policy, and logs their authors. */
final class PolicyWrites implements Writes {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyWrites.class);

    private final KafkaSettings kafka;

    PolicyWrites(KafkaSettings kafka) {
        this.kafka = kafka;
    }

    @Override
    public long override(String service, String queryClass, Optional<OverrideRequest> request) {
        Optional<ManualOverride> override = request.map(
                r -> new ManualOverride(r.fraction(), System.currentTimeMillis() + r.forMillis(), r.by(), r.reason()));
        long version = change(service, policy -> {
            checkClass(policy, queryClass);
            return policy.withOverride(queryClass, override);
        });
        LOG.info(
                "override of {}/{} is {} (policy version {})",
                service,
                queryClass,
                override.map(ManualOverride::toString).orElse("cleared"),
                version);
        return version;
    }

    @Override
    public long killSwitch(String service, boolean on, String by, String reason) {
        long version = change(service, policy -> policy.withKillSwitch(on));
        LOG.info(
                "kill switch of {} is {} by {}: {} (policy version {})",
                service,
                on ? "on" : "off",
                by,
                reason,
                version);
        return version;
    }

    private long change(String service, UnaryOperator<Policy> change) {
        try {
            return PolicyStore.change(
                            kafka,
                            service,
                            stored -> change.apply(stored.orElseThrow(
                                    () -> new RequestRefusedException(404, "no policy of service '" + service + "'"))))
                    .version();
        } catch (PolicyConflictException e) {
            throw new RequestRefusedException(409, e.getMessage(), e);
        } catch (BrokerUnavailableException e) {
            throw new RequestRefusedException(503, e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new RequestRefusedException(400, e.getMessage(), e);
        }
    }

    private static void checkClass(Policy policy, String queryClass) {
        if (policy.classPolicy(queryClass).isEmpty()) {
            throw new RequestRefusedException(
                    404,
                    "service '%s' has no class '%s'; allowed: %s"
                            .formatted(
                                    policy.service(),
                                    queryClass,
                                    String.join(
                                            ", ",
                                            policy.classes().stream()
                                                    .map(ClassPolicy::name)
                                                    .toList())));
        }
    }
}
