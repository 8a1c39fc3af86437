package io.kipimo.docker;

import io.kipimo.jobs.submission.KipimoJob;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Writes docker/kubernetes/jobs.yaml: one FlinkDeployment for each job, for Flink's Kubernetes
 * operator. Each job has its own cluster, so that a failure of one does not stop the others.
 */
public final class JobManifests {
    private static final String HEAD =
            """
            # Written by JobManifests; a test fails when it is stale. One cluster a job, restored from its newest savepoint or
            # checkpoint at every change. Options: ConfigMap kipimo-jobs in config.yaml; secrets: Secret kipimo-secrets, mounted as files.
            """;

    private static final String DEPLOYMENT =
            """
            ---
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkDeployment
            metadata:
              name: kipimo-%1$s
              labels: {app.kubernetes.io/part-of: kipimo}
            spec:
              image: kipimo-jobs:0.1.0
              flinkVersion: v2_2
              serviceAccount: flink
              flinkConfiguration:
                taskmanager.numberOfTaskSlots: "2"
                high-availability.type: kubernetes
                high-availability.storageDir: s3://kipimo/ha
                execution.checkpointing.dir: s3://kipimo/checkpoints
                execution.checkpointing.savepoint-dir: s3://kipimo/savepoints
                env.java.opts.all: -Dpekko.scheduler.tick-duration=100ms
                metrics.reporters: prom
                metrics.reporter.prom.factory.class: org.apache.flink.metrics.prometheus.PrometheusReporterFactory
                metrics.reporter.prom.filterLabelValueCharacters: "false"
              podTemplate:
                spec:
                  securityContext: {runAsNonRoot: true, runAsUser: 9999}
                  containers:
                    - name: flink-main-container
                      securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
                      ports:
                        - {name: metrics, containerPort: 9249}
                      volumeMounts:
                        - {name: config, mountPath: /etc/kipimo, readOnly: true}
                        - {name: secrets, mountPath: /etc/kipimo-secrets, readOnly: true}
                  volumes:
                    - name: config
                      configMap: {name: kipimo-jobs}
                    - name: secrets
                      secret: {secretName: kipimo-secrets, optional: true}
              jobManager:
                resource: {memory: 1024m, cpu: 0.5}
              taskManager:
                resource: {memory: %2$s, cpu: 1}
              job:
                jarURI: local:///opt/flink/usrlib/kipimo-job.jar
                args: [%1$s, --config, /etc/kipimo/%3$s]
                parallelism: 2
                upgradeMode: savepoint
            """;

    private JobManifests() {}

    /** All manifests, one document each. */
    public static String yaml() {
        return HEAD
                + Arrays.stream(KipimoJob.values())
                        .map(JobManifests::deployment)
                        .collect(Collectors.joining());
    }

    private static String deployment(KipimoJob job) {
        // Open queries and registered queries are kept on the heap.
        boolean large = job == KipimoJob.QUALITY || job == KipimoJob.INVALIDATION;
        return DEPLOYMENT.formatted(job.jobName(), large ? "4096m" : "2048m", file(job));
    }

    /** Jobs without Redis refuse its options. */
    static String file(KipimoJob job) {
        boolean redis =
                job.options().options().stream().anyMatch(o -> o.key().startsWith("redis."));
        return redis ? "with-redis.properties" : "jobs.properties";
    }
}
