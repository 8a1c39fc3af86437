package admitter

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"google.golang.org/protobuf/proto"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/plugin"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/requestcontrol"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/scheduling"

	kipimo "github.com/kipimo/kipimo/clients/go"
	"github.com/kipimo/kipimo/clients/go/wire"
)

const patience = 30 * time.Second

func parameters(brokers ...string) json.RawMessage {
	text, err := json.Marshal(Parameters{
		Service: "chat", Server: "picker-0", BootstrapServers: brokers, FirstByteMillis: 500,
		Classes: []Class{{"interactive", 0, 0}, {"batch", -10, 0.02}},
	})
	if err != nil {
		panic(err)
	}
	return text
}

func request(priority int, id string) *scheduling.LLMRequest {
	return &scheduling.LLMRequest{RequestId: id, Objectives: scheduling.RequestObjectives{Priority: priority}}
}

func decision(fraction float64) *kgo.Record {
	now := kipimo.NowMillis()
	value, err := proto.Marshal(&wire.DecisionProto{
		Controller: "admission", Scope: "chat/batch", Epoch: 1, Sequence: 1, IssuedAtMillis: now, AsOfMillis: now,
		ValidUntilMillis: now + 60_000, Value: fraction, Previous: 1, Mode: wire.DecisionModeProto_ACTIVE,
		Reason: "STEPPED_DOWN", ConfigVersion: 1,
	})
	if err != nil {
		panic(err)
	}
	return &kgo.Record{Topic: "kipimo.admission", Key: []byte("admission/chat/batch"), Value: value}
}

func TestDecisionsShedTheirClassAndEveryFateIsCountedOnce(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1,
		"kipimo.admission", "kipimo.sampling", "kipimo.completeness", "kipimo.fan-out", "kipimo.observations"))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	kafka, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.ConsumeTopics("kipimo.observations"),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer kafka.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	running, stop := context.WithCancel(ctx)
	made, err := New("shed", parameters(cluster.ListenAddrs()...), plugin.NewEppHandle(running, nil))
	if err != nil {
		t.Fatal(err)
	}
	a := made.(*Admitter)
	if err := kafka.ProduceSync(ctx, decision(0.25)).FirstErr(); err != nil {
		t.Fatal(err)
	}
	for a.client.Admission.Fraction("batch") > 0.25 && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	if ctx.Err() != nil {
		t.Fatal("no decision is in force; refused: ", a.client.Admission.Refusals())
	}

	shed := 0
	for i := range 1_000 {
		if a.AdmitRequest(ctx, request(-1, fmt.Sprint(i)), nil) != nil {
			shed++
		}
		if err := a.AdmitRequest(ctx, request(1, fmt.Sprint(i)), nil); err != nil {
			t.Fatal("the first class has no floor: ", err)
		}
	}
	if shed < 700 || shed > 800 {
		t.Errorf("%d of 1000 were shed, at the fraction 0.25", shed)
	}
	answer(ctx, a, 500*time.Millisecond, "200")
	answer(ctx, a, 501*time.Millisecond, "200")
	answer(ctx, a, time.Millisecond, "503")
	answer(ctx, a, time.Millisecond, "")
	a.ResponseComplete(ctx, request(-1, "never sent"), nil, nil)

	stop()
	total := map[string]*wire.ObservationProto{"batch": {}, "interactive": {}}
	for total["batch"].Answered < 4 && ctx.Err() == nil {
		kafka.PollFetches(ctx).EachRecord(func(r *kgo.Record) { add(t, total, r.Value) })
	}
	batch := total["batch"]
	if batch.Offered != 1_000 || batch.Rejected != int64(shed) || batch.Answered != 4 || batch.TimedOut != 3 {
		t.Errorf("counted: %v; shed: %d", batch, shed)
	}
	if len(batch.Components) != 1 || batch.Components[0].TimedOut != 1 {
		t.Errorf("counted of the model server: %v", batch.Components)
	}
	if of := total["interactive"]; of.Offered != 1_000 || of.Rejected != 0 {
		t.Errorf("counted: %v", of)
	}
	a.calls.Range(func(any, any) bool { t.Error("a call is kept"); return false })
}

// answer sends a request of the class batch. Its response's head has the status, none if it is empty.
func answer(ctx context.Context, a *Admitter, took time.Duration, status string) {
	now := time.Now()
	a.now = func() time.Time { return now }
	one := request(-1, "one")
	a.PreRequest(ctx, one, nil)
	now = now.Add(took)
	if status != "" {
		head := &requestcontrol.Response{Headers: map[string]string{":status": status}}
		a.ResponseReceived(ctx, one, head, nil)
	}
	a.ResponseComplete(ctx, one, &requestcontrol.Response{}, nil)
}

func add(t *testing.T, total map[string]*wire.ObservationProto, record []byte) {
	one := &wire.ObservationProto{}
	if err := proto.Unmarshal(record, one); err != nil {
		t.Fatal(err)
	}
	sum := total[one.QueryClass]
	sum.Offered, sum.Rejected = sum.Offered+one.Offered, sum.Rejected+one.Rejected
	sum.Answered, sum.TimedOut = sum.Answered+one.Answered, sum.TimedOut+one.TimedOut
	if one.Answered > 0 {
		sum.Components = append(sum.Components, one.Components...)
	}
}

func TestQueriesOfOneTraceHaveOneFate(t *testing.T) {
	one := request(0, "r")
	one.Headers = map[string]string{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
	if id := queryID(one); id != "0af7651916cd43dd8448eb211c80319c" {
		t.Error(id)
	}
	one.Headers["traceparent"] = "malformed"
	if id := queryID(one); id != "r" {
		t.Error(id)
	}
	if a, b := queryID(&scheduling.LLMRequest{}), queryID(&scheduling.LLMRequest{}); a == "" || a == b {
		t.Error("all requests without an id would have one fate: ", a)
	}
}

func TestBadParametersAreNamed(t *testing.T) {
	good := string(parameters("127.0.0.1:1"))
	for _, c := range []struct{ from, to, says string }{
		{`{"Service"`, `["Service"`, "parameters of shed"},
		{`"FirstByteMillis":500`, `"FirstByteMillis":0`, "firstByteMillis of shed is 0; allowed: from 1"},
		{`"Priority":-10`, `"Priority":10`, "order of their priority"},
		{`"chat"`, `"a/b"`, `"a/b"`},
		{`0.02`, `2`, "Floor"},
	} {
		_, err := New("shed", json.RawMessage(strings.Replace(good, c.from, c.to, 1)), nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.to, err)
		}
	}
}
