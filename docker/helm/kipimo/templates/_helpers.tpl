{{- define "kipimo.labels" -}}
app.kubernetes.io/name: kipimo
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/part-of: kipimo
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "kipimo.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "kipimo.image" -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- define "kipimo.container" -}}
image: {{ include "kipimo.image" (dict "image" .Values.image "root" .) }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
{{- end }}

{{- define "kipimo.pod" -}}
securityContext: {runAsNonRoot: true, runAsUser: 10001, seccompProfile: {type: RuntimeDefault}}
{{- end }}

{{- define "kipimo.options" -}}
kafka.bootstrap-servers={{ .root.Values.kafka.bootstrapServers }}
{{- if .job.redis }}
redis.host={{ .root.Values.redis.host }}
{{- end }}
{{- range $key, $value := merge (dict) (.job.options | default dict) .root.Values.jobs.options }}
{{ $key }}={{ include "kipimo.text" $value }}
{{- end }}
{{- end }}

{{- /* Helm reads numbers as floats, and prints those of a million and more as 1e+06. */}}
{{- define "kipimo.text" -}}
{{- if and (kindIs "float64" .) (eq . (float64 (int64 .))) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- /* Flink's configuration of a job: the user's over the chart's. Kipimo's defaults are below both. */}}
{{- define "kipimo.flink" -}}
{{- $storage := .root.Values.jobs.storage }}
{{- $chart := dict
  "taskmanager.numberOfTaskSlots" "2"
  "high-availability.type" "kubernetes"
  "high-availability.storageDir" (printf "%s/ha" $storage)
  "execution.checkpointing.dir" (printf "%s/checkpoints" $storage)
  "execution.checkpointing.savepoint-dir" (printf "%s/savepoints" $storage)
  "env.java.opts.jobmanager" "-Dpekko.scheduler.tick-duration=100ms -XX:+ExitOnOutOfMemoryError"
  "env.java.opts.taskmanager" "-Dpekko.scheduler.tick-duration=100ms -XX:+ExitOnOutOfMemoryError"
  "metrics.reporters" "prom"
  "metrics.reporter.prom.factory.class" "org.apache.flink.metrics.prometheus.PrometheusReporterFactory"
  "metrics.reporter.prom.filterLabelValueCharacters" "false"
}}
{{- /* The REST interface has no login: nobody may submit code by it. The cluster runs one job. */}}
{{- $_ := set $chart "web.submit.enable" "false" }}
{{- range $key, $value := merge (dict) (.job.flinkConfiguration | default dict) .root.Values.jobs.flinkConfiguration $chart }}
{{ $key }}: {{ include "kipimo.text" $value | quote }}
{{- end }}
{{- end }}

{{- /* The alert rules know scrape jobs by these names; the release tells two installations of a namespace apart. */}}
{{- define "kipimo.relabelings" -}}
- {targetLabel: job, replacement: kipimo-{{ .job }}}
- {targetLabel: release, replacement: {{ .root.Release.Name }}}
{{- end }}
