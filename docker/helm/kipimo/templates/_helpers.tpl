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
{{ $key }}={{ $value }}
{{- end }}
{{- end }}

{{- /* The alert rules know scrape jobs by these names; the release tells two installations of a namespace apart. */}}
{{- define "kipimo.relabelings" -}}
- {targetLabel: job, replacement: kipimo-{{ .job }}}
- {targetLabel: release, replacement: {{ .root.Release.Name }}}
{{- end }}
