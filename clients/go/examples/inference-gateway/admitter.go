// Package admitter sheds requests at the endpoint picker of the Gateway API Inference Extension, and so of llm-d, by
// Kipimo's decisions. README.md says how it is built in.
package admitter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/datalayer"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/plugin"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/requestcontrol"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/scheduling"

	kipimo "github.com/kipimo/kipimo/clients/go"
)

// Type is the plugin's type in an EndpointPickerConfig.
const Type = "kipimo-admitter"

// component is the only one that a request asks: a model server.
const component = "model"

// Parameters of the plugin, in JSON.
type Parameters struct {
	Service, Server  string
	BootstrapServers []string
	// FirstByteMillis is the longest time from the choice of a model server to its response's head; a later one is a
	// time-out.
	FirstByteMillis int64
	// Classes, the greatest priority first.
	Classes []Class
}

// Class has the requests whose InferenceObjective has at least its priority. The last one has all others, too.
type Class struct {
	Name     string
	Priority int
	// Floor is the least admitted fraction, above 0; 0: all are admitted, whatever the decision.
	Floor float64
}

// Admitter admits requests, and counts those offered, rejected and answered.
type Admitter struct {
	name      string
	classes   []Class
	firstByte time.Duration
	client    *kipimo.Client
	now       func() time.Time
	// *scheduling.LLMRequest to *call, from PreRequest to ResponseComplete.
	calls sync.Map
}

type call struct {
	sent, received time.Time
	failed         bool
}

var (
	_ requestcontrol.AdmissionPlugin  = &Admitter{}
	_ requestcontrol.PreRequest       = &Admitter{}
	_ requestcontrol.ResponseReceived = &Admitter{}
	_ requestcontrol.ResponseComplete = &Admitter{}
)

// New is the plugin's factory; see plugin.Register. It does not wait for Kafka: until decisions come, all is admitted.
func New(name string, parameters json.RawMessage, handle plugin.Handle) (plugin.Plugin, error) {
	var p Parameters
	if err := json.Unmarshal(parameters, &p); err != nil {
		return nil, fmt.Errorf("parameters of %s: %w", name, err)
	}
	if p.FirstByteMillis < 1 {
		return nil, fmt.Errorf("firstByteMillis of %s is %d; allowed: from 1", name, p.FirstByteMillis)
	}
	if !slices.IsSortedFunc(p.Classes, func(a, b Class) int { return b.Priority - a.Priority }) {
		return nil, fmt.Errorf("classes of %s are not in the order of their priority, the greatest first", name)
	}
	config := kipimo.Config{Service: p.Service, Server: p.Server, BootstrapServers: p.BootstrapServers}
	for _, c := range p.Classes {
		defaults := kipimo.All
		if c.Floor != 0 {
			defaults = kipimo.Sheddable(c.Floor)
		}
		config.Classes = append(config.Classes, kipimo.Class{Name: c.Name, Defaults: defaults})
	}
	client, err := kipimo.Connect(config)
	if err != nil {
		return nil, fmt.Errorf("parameters of %s: %w", name, err)
	}
	context.AfterFunc(handle.Context(), func() {
		closing, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		client.Close(closing)
	})
	return newAdmitter(name, p, client), nil
}

func newAdmitter(name string, p Parameters, client *kipimo.Client) *Admitter {
	return &Admitter{
		name: name, classes: p.Classes, firstByte: time.Duration(p.FirstByteMillis) * time.Millisecond,
		client: client, now: time.Now,
	}
}

// TypedName of the instance.
func (a *Admitter) TypedName() plugin.TypedName { return plugin.TypedName{Type: Type, Name: a.name} }

func (a *Admitter) class(request *scheduling.LLMRequest) string {
	for _, c := range a.classes {
		if request.Objectives.Priority >= c.Priority {
			return c.Name
		}
	}
	return a.classes[len(a.classes)-1].Name
}

// AdmitRequest denies the share of the class that Kipimo sheds, by a hash of the trace id: tries again of a query have
// the same fate.
func (a *Admitter) AdmitRequest(
	_ context.Context, request *scheduling.LLMRequest, _ []scheduling.Endpoint,
) error {
	class := a.class(request)
	a.client.Meter.Offered(class)
	if !a.client.Admission.Admits(class, queryID(request)) {
		a.client.Meter.Rejected(class)
		return errors.New("shed by Kipimo: class " + class)
	}
	return nil
}

// queryID is the trace id, so that all services on the way decide alike; without one it is the request's id.
func queryID(request *scheduling.LLMRequest) string {
	if parts := strings.Split(request.Headers["traceparent"], "-"); len(parts) == 4 && len(parts[1]) == 32 {
		return parts[1]
	}
	if request.RequestId != "" {
		return request.RequestId
	}
	return kipimo.NewTraceID()
}

// PreRequest notes when a request is sent. From here on ResponseComplete is called in every case.
func (a *Admitter) PreRequest(_ context.Context, request *scheduling.LLMRequest, _ *scheduling.SchedulingResult) {
	a.calls.Store(request, &call{sent: a.now()})
}

// ResponseReceived notes when the model server began to answer, and whether it did.
func (a *Admitter) ResponseReceived(
	_ context.Context, request *scheduling.LLMRequest, response *requestcontrol.Response, _ *datalayer.EndpointMetadata,
) {
	if known, ok := a.calls.Load(request); ok {
		c := known.(*call)
		c.received, c.failed = a.now(), !strings.HasPrefix(response.Headers[":status"], "2")
	}
}

// ResponseComplete counts the answer. It is in time only if its head was seen in time; without a head it failed.
func (a *Admitter) ResponseComplete(
	_ context.Context, request *scheduling.LLMRequest, _ *requestcontrol.Response, _ *datalayer.EndpointMetadata,
) {
	known, ok := a.calls.LoadAndDelete(request)
	if !ok {
		return
	}
	c := known.(*call)
	answered := kipimo.Invocation{Component: component, Outcome: kipimo.Failed}
	if !c.received.IsZero() && !c.failed {
		took := c.received.Sub(c.sent)
		answered.LatencyMicros, answered.Outcome = took.Microseconds(), kipimo.InTime
		if took > a.firstByte {
			answered.Outcome = kipimo.TimedOut
		}
	}
	a.client.Meter.Answered(a.class(request), []kipimo.Invocation{answered}, 0)
}
