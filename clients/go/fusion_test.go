package kipimo

import (
	"cmp"
	"slices"
	"testing"
)

// rankFusion is reciprocal rank fusion, cut at two.
func rankFusion(results map[string]Items) Items {
	scores := map[string]float32{}
	for _, items := range results {
		for rank, id := range items.Texts {
			scores[id] += 1 / float32(61+rank)
		}
	}
	var ids []string
	for id := range scores {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	ids = ids[:min(2, len(ids))]
	fused := Items{Texts: ids}
	for _, id := range ids {
		fused.Scores = append(fused.Scores, scores[id])
	}
	return fused
}

func ranked(ids ...string) Items {
	items := Items{Texts: ids}
	for i := range ids {
		items.Scores = append(items.Scores, 1/float32(1+i))
	}
	return items
}

func TestAServiceThatFusesRanksEmitsBothAnswersOfAQuery(t *testing.T) {
	var emitted []*Answer
	f, err := newFusion(func(a *Answer) { emitted = append(emitted, a) }, rankFusion, 10)
	if err != nil {
		t.Fatal(err)
	}
	answer := Answer{QueryID: "q", StartedAtMillis: 1_000, AnsweredAtMillis: 1_050, Invocations: []Invocation{
		{"bm25", InTime, 1}, {"dense", TimedOut, 1}, {"graph", OutcomeNotAsked, 0},
	}}
	f.Answered(answer, map[string]Items{"bm25": ranked("a", "b", "c")})
	f.Late("other", "dense", ranked("c"))
	f.Late("q", "dense", ranked("c", "d"))
	f.Late("q", "dense", ranked("d"))
	if len(emitted) != 2 {
		t.Fatalf("emitted %d answers; want 2", len(emitted))
	}
	online, mature := emitted[0], emitted[1]
	if !slices.Equal(online.Items.Texts, []string{"a", "b"}) || online.Kind != 0 {
		t.Errorf("the answer is %+v", online)
	}
	if !slices.Equal(mature.Items.Texts, []string{"c", "a"}) || mature.Kind != Replayed || mature.IsDegraded() ||
		len(mature.Invocations) != 2 || mature.AnsweredAtMillis <= 1_050 {
		t.Errorf("the mature answer is %+v", mature)
	}
}

func TestTheOldestOpenQueryIsGivenUpAndOthersWaitForNothing(t *testing.T) {
	var mature []string
	f, err := newFusion(func(a *Answer) {
		if a.Kind == Replayed {
			mature = append(mature, a.QueryID)
		}
	}, rankFusion, 1)
	if err != nil {
		t.Fatal(err)
	}
	late := Invocation{"dense", TimedOut, 1}
	f.Answered(Answer{QueryID: "whole", Invocations: []Invocation{{"bm25", InTime, 1}}}, nil)
	f.Answered(Answer{QueryID: "failed", Invocations: []Invocation{late, {"bm25", Failed, 1}}}, nil)
	f.Answered(Answer{QueryID: "given up", Invocations: []Invocation{late}}, nil)
	f.Answered(Answer{QueryID: "kept", Invocations: []Invocation{late}}, nil)
	for _, query := range []string{"whole", "failed", "given up", "kept"} {
		f.Late(query, "dense", ranked("a"))
	}
	if !slices.Equal(mature, []string{"kept"}) {
		t.Errorf("mature are %v; want kept", mature)
	}
	if _, err := newFusion(nil, rankFusion, 0); err == nil {
		t.Error("no query may wait, and that is no error")
	}
}
