package gates

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/argoproj/argo-rollouts/metricproviders/webmetric"
	"github.com/argoproj/argo-rollouts/pkg/apis/rollouts/v1alpha1"
	templateutil "github.com/argoproj/argo-rollouts/utils/template"
	flaggerv1 "github.com/fluxcd/flagger/pkg/apis/flagger/v1beta1"
	"github.com/fluxcd/flagger/pkg/controller"
	log "github.com/sirupsen/logrus"
	"sigs.k8s.io/yaml"
)

const inCluster = "http://kipimo-console:8080"

// The canary loses quality, the variant "equal" is like stable, nobody sent anything.
const (
	worse   = "canary"
	equal   = "equal"
	unknown = "nobody"
)

func console(t *testing.T) (address, token string) {
	address, token = strings.TrimSuffix(os.Getenv("KIPIMO_CONSOLE"), "/"), os.Getenv("KIPIMO_TOKEN")
	if address == "" {
		t.Skip("KIPIMO_CONSOLE is not set; RolloutsITCase sets it")
	}
	return address, token
}

// read decodes a file of docker/gates after the replacements.
func read(t *testing.T, file string, replacements []string, into any) {
	text, err := os.ReadFile("../../docker/gates/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(replacements); i += 2 {
		if !strings.Contains(string(text), replacements[i]) {
			t.Fatalf("%s does not contain %q", file, replacements[i])
		}
	}
	replaced := strings.NewReplacer(replacements...).Replace(string(text))
	if err := yaml.UnmarshalStrict([]byte(replaced), into); err != nil {
		t.Fatal(err)
	}
}

func TestArgoRolloutsJudgesByTheGate(t *testing.T) {
	address, token := console(t)
	argument := func(name, value string) v1alpha1.Argument { return v1alpha1.Argument{Name: name, Value: &value} }
	arguments := []v1alpha1.Argument{
		argument("service", "search"), argument("class", "high"), argument("since", "1h"), argument("token", token),
	}
	for variant, want := range map[string]v1alpha1.AnalysisPhase{
		worse:   v1alpha1.AnalysisPhaseFailed,
		equal:   v1alpha1.AnalysisPhaseSuccessful,
		unknown: v1alpha1.AnalysisPhaseInconclusive,
	} {
		var template v1alpha1.AnalysisTemplate
		read(t, "argo-rollouts.yaml", []string{inCluster, address, "variant=canary", "variant=" + variant}, &template)
		measurement := run(t, template.Spec.Metrics[0], arguments)
		if measurement.Phase != want {
			t.Errorf("%s: %s %q %s; want %s",
				variant, measurement.Phase, measurement.Value, measurement.Message, want)
		}
	}
	var refused v1alpha1.AnalysisTemplate
	read(t, "argo-rollouts.yaml", []string{inCluster, address}, &refused)
	arguments[0] = argument("service", "unheard-of")
	if m := run(t, refused.Spec.Metrics[0], arguments); m.Phase != v1alpha1.AnalysisPhaseError {
		t.Errorf("of an unknown service: %s; want an error, which is no verdict", m.Phase)
	}
}

// run measures once, as Argo's controller does.
func run(t *testing.T, metric v1alpha1.Metric, arguments []v1alpha1.Argument) v1alpha1.Measurement {
	text, err := json.Marshal(metric)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := templateutil.ResolveArgs(string(text), arguments)
	if err != nil {
		t.Fatal(err)
	}
	var ready v1alpha1.Metric
	if err := json.Unmarshal([]byte(resolved), &ready); err != nil {
		t.Fatal(err)
	}
	client, err := webmetric.NewWebMetricHttpClient(ready)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := webmetric.NewWebMetricJsonParser(ready)
	if err != nil {
		t.Fatal(err)
	}
	return webmetric.NewWebMetricProvider(*log.NewEntry(log.New()), client, parser).Run(nil, ready)
}

func TestFlaggerAdvancesOnlyOnPass(t *testing.T) {
	address, token := console(t)
	for variant, passes := range map[string]bool{worse: false, equal: true, unknown: false} {
		var canary flaggerv1.Canary
		read(t, "flagger.yaml", []string{
			inCluster, address, "variant: canary", "variant: " + variant, "since: 5m", "since: 1h", "CONSOLE-TOKEN", token,
		}, &canary)
		webhook := canary.GetAnalysis().Webhooks[0]
		if webhook.Type != flaggerv1.RolloutHook {
			t.Errorf("type is %q", webhook.Type)
		}
		err := controller.CallWebhook(canary, flaggerv1.CanaryPhaseProgressing, webhook)
		if (err == nil) != passes {
			t.Errorf("%s: %v; want a pass: %t", variant, err, passes)
		}
	}
}
