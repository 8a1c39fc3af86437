package kipimo

import (
	"fmt"
	"maps"
	"sync"
)

// Fuse is a service's own merge, from results by component to the answer's items, best first, with scores that fall.
type Fuse func(results map[string]Items) Items

// Fusion emits both answers of sampled queries of a service whose merge is none of the policy's kinds, such as rank
// fusion; the policy has merge.kind REPLAYED_ANSWERS. When the last late result of a query is there, it emits the mature
// answer, the merge of all results. A result that never comes gives none: the quality is 0..1. Safe for many goroutines.
type Fusion struct {
	emit  func(*Answer)
	fuse  Fuse
	most  int
	mutex sync.Mutex
	open  map[string]*openFusion
	// Ids in the order of their answers; those of queries that are complete stay until they are the oldest.
	order []string
}

type openFusion struct {
	answer  Answer
	results map[string]Items
}

// NewFusion keeps at most openQueries that wait for late results, and gives the oldest up.
func NewFusion(emitter *Emitter, fuse Fuse, openQueries int) (*Fusion, error) {
	return newFusion(emitter.EmitAnswer, fuse, openQueries)
}

func newFusion(emit func(*Answer), fuse Fuse, openQueries int) (*Fusion, error) {
	if openQueries < 1 {
		return nil, fmt.Errorf("openQueries is %d; allowed: at least 1", openQueries)
	}
	return &Fusion{emit: emit, fuse: fuse, most: openQueries, open: map[string]*openFusion{}}, nil
}

// Answered emits the answer to a sampled query, with the merge of its in-time results as its items.
func (f *Fusion) Answered(answer Answer, inTime map[string]Items) {
	answer.Items = f.fuse(inTime)
	f.emit(&answer)
	awaited, failed := false, false
	for _, i := range answer.Invocations {
		awaited = awaited || i.Outcome == TimedOut
		failed = failed || i.Outcome == Failed
	}
	if !awaited || failed || answer.Unmeasurable != 0 {
		return
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.open[answer.QueryID] == nil {
		f.order = append(f.order, answer.QueryID)
	}
	f.open[answer.QueryID] = &openFusion{answer, maps.Clone(inTime)}
	for len(f.order) > f.most {
		delete(f.open, f.order[0])
		f.order = f.order[1:]
	}
}

// Late takes a result that came after the answer, and ignores those of other queries.
func (f *Fusion) Late(queryID, component string, items Items) {
	if open := f.take(queryID, component, items); open != nil {
		mature := open.answer
		mature.Kind, mature.AnsweredAtMillis = Replayed, NowMillis()
		mature.Invocations = nil
		for _, i := range open.answer.Invocations {
			if i.Outcome != OutcomeNotAsked {
				mature.Invocations = append(mature.Invocations, Invocation{i.Component, InTime, 0})
			}
		}
		mature.Items = f.fuse(open.results)
		f.emit(&mature)
	}
}

// take adds a result, and returns the query, once, if that was the last one.
func (f *Fusion) take(queryID, component string, items Items) *openFusion {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	open := f.open[queryID]
	if open == nil {
		return nil
	}
	if open.results == nil {
		open.results = map[string]Items{}
	}
	open.results[component] = items
	for _, i := range open.answer.Invocations {
		if _, is := open.results[i.Component]; !is && i.Outcome != OutcomeNotAsked {
			return nil
		}
	}
	delete(f.open, queryID)
	return open
}
