package lessons

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

func tp(n int32) kafka.TopicPartition { return kafka.TopicPartition{Topic: "T1", Partition: n} }

// scene is a frame with something in it for every reading: group G1, whose C1 has read T1-0 up to 8, has 3 records of it
// twice, has passed over 2 and has committed 9. C2 was its second member; it crashed.
func sceneFrame() *view.Frame {
	return &view.Frame{
		At:      10 * time.Second,
		Brokers: []view.Broker{{ID: "B1"}},
		Topics: []view.Topic{{Name: "T1", Partitions: []view.Partition{
			{TopicPartition: tp(0), Leader: "B1", LogStart: 1, HighWatermark: 12, LastStable: 11, LogEnd: 14,
				Replicas: []view.Replica{{Broker: "B1", LogEnd: 14, InSync: true}, {Broker: "B2", LogEnd: 12}}},
			{TopicPartition: tp(1), Leader: "B1", HighWatermark: 5, LogEnd: 5},
		}}},
		Groups: []view.Group{{
			ID: "G1", Coordinator: "B1", OffsetsPartition: 7, State: "Stable", Generation: 3, Protocol: "range",
			Members: []view.Member{
				{ID: "C2-1", Client: "C2", Parked: "SyncGroup", Assignment: []kafka.TopicPartition{tp(1)}},
				{ID: "C1-1", Client: "C1", Leader: true, Session: view.Timer{Name: "session", From: 9 * time.Second, To: 54 * time.Second}},
			},
			Pending: []string{"C3-1"},
			Timers:  []view.Timer{{Name: "rebalance", From: 8 * time.Second, To: 12 * time.Second}},
			Work: []view.Work{
				{TopicPartition: tp(0), Committed: 9, Owner: "C1", Begin: 1,
					Done:   []view.Run{{Span: view.Span{From: 1, To: 4}, Times: 2}, {Span: view.Span{From: 6, To: 8}, Times: 1}},
					Stored: []view.Run{{Span: view.Span{From: 1, To: 3}, Times: 3}},
					Lost:   []view.Span{{From: 4, To: 5}}, Letters: []view.Span{{From: 5, To: 6}}},
				{TopicPartition: tp(1), Committed: kafka.NoOffset, Begin: kafka.NoOffset},
			},
		}},
		Consumers: []view.Consumer{
			{ID: "C1", Group: "G1", MemberID: "C1-1", JoinState: "stable", Generation: 3, InHand: 2, Callback: "onPartitionsRevoked", Program: view.Program{Line: 4},
				Owned:       []view.Owned{{TopicPartition: tp(0), Position: 8, Fetched: view.Span{From: 8, To: 12}, Buffered: 3}},
				FetchMemory: 1 << 20,
				Computed:    []view.MemberPartitions{{Member: "C2-1"}, {Member: "C1-1"}},
				LastError:   kafka.RebalanceInProgress, Exception: "WakeupException",
				Timers: []view.Timer{{Name: "poll", From: 9 * time.Second, To: 309 * time.Second}}},
			{ID: "C2", Group: "G1", MemberID: "C2-1", Generation: kafka.NoGeneration, Liveness: view.Crashed,
				Owned: []view.Owned{{TopicPartition: tp(1), Position: kafka.NoOffset}}},
		},
		Producers: []view.Producer{{ID: "P1", Sent: 19, Acked: 17}},
		Flying:    []view.Flight{{Message: &kafka.Message{From: "C1", To: "B1", Body: &kafka.JoinGroupRequest{}}}},
	}
}

// sceneTrace is a trace with something in it for every reading. The beat before is reached after its third entry.
func sceneTrace() []view.Entry {
	group := func(kind view.FactKind, f view.Fact) view.Fact {
		f.Kind, f.Group = kind, "G1"
		return f
	}
	join := &kafka.JoinGroupResponse{Members: make([]kafka.JoinedMember, 2)}
	return []view.Entry{
		{At: time.Second, Node: "C1", Sent: []kafka.Message{{From: "C1", To: "B1", Body: &kafka.JoinGroupRequest{}}}},
		{At: 2 * time.Second, Node: "B1", Facts: []view.Fact{
			group(view.GroupState, view.Fact{Node: "B1", Text: "PreparingRebalance"}),
			group(view.OffsetsAppended, view.Fact{Node: "B1", Text: "group G1"}),
			group(view.OffsetsAppended, view.Fact{Node: "B1", Text: "offset G1 T1-0: 3"}),
		}},
		{At: 3 * time.Second, Node: "C1", Message: &kafka.Message{From: "B1", To: "C1", Body: join}, Facts: []view.Fact{
			group(view.Assigned, view.Fact{Node: "C1", Partitions: []kafka.TopicPartition{tp(0)}}),
			group(view.Assigned, view.Fact{Node: "C2", Partitions: []kafka.TopicPartition{tp(1)}}),
			group(view.Processed, view.Fact{Node: "C1", Partition: tp(0)}),
			group(view.RecordsReturned, view.Fact{Node: "C1", Partition: tp(0), From: 3, To: 8, Count: 4}),
		}},
		{At: 4 * time.Second, Node: "C2", Facts: []view.Fact{{Kind: view.NodeCrashed, Node: "C2"}}},
		{At: 7 * time.Second, Node: "C1", Message: &kafka.Message{From: "B1", To: "C1", Body: &kafka.HeartbeatResponse{Error: kafka.RebalanceInProgress}},
			Facts: []view.Fact{
				group(view.CallbackStarted, view.Fact{Node: "C1", Text: "onPartitionsAssigned", Partitions: []kafka.TopicPartition{tp(0), tp(1)}}),
				group(view.Assigned, view.Fact{Node: "C1", Partitions: []kafka.TopicPartition{tp(0), tp(1)}}),
				group(view.PollReturned, view.Fact{Node: "C1", To: 2}), group(view.PollReturned, view.Fact{Node: "C1"}),
				group(view.Processed, view.Fact{Node: "C1", Partition: tp(1)}),
				group(view.RecordUnreadable, view.Fact{Node: "C1", Partition: tp(1)}),
				group(view.ExceptionThrown, view.Fact{Node: "C1", Text: "TimeoutException"}),
				group(view.OnCommit, view.Fact{Node: "C1", Text: "Audit", Partition: tp(0), To: 3}),
				group(view.OnConsume, view.Fact{Node: "C1", Text: "Audit", To: 2}),
				group(view.RecordsReturned, view.Fact{Node: "C1", Partition: tp(1), From: 0, To: 2, Count: 2}),
			},
			Sent: []kafka.Message{{From: "C1", To: "B1", Body: &kafka.FetchRequest{}}, {From: "B2", To: "B1", Body: &kafka.FetchRequest{Replica: "B2"}}}},
		{At: 9 * time.Second, Node: "B1", Sent: []kafka.Message{{From: "B1", To: "C1", Body: &kafka.FetchResponse{
			Partitions: []kafka.FetchedPartition{{Records: []kafka.Record{{Size: 100}, {Size: 50}}}}}},
			{From: "B1", To: "B2", Body: &kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{Records: []kafka.Record{{Size: 7}}}}}}}},
		{At: 10 * time.Second, Node: "C1", Facts: []view.Fact{
			group(view.Assigned, view.Fact{Node: "C1", Partitions: []kafka.TopicPartition{tp(0)}}),
		}},
	}
}

// sceneNames are the names that queries about the scene may use.
func sceneNames() directory {
	return directory{
		brokers: []string{"B1", "B2"}, consumers: []string{"C1", "C2"}, producers: []string{"P1"}, groups: []string{"G1"},
		topics: []topicSize{{"T1", 2}},
	}
}

// ask reads a query, written as in words, off the scene.
func ask(t *testing.T, query string) Value {
	t.Helper()
	d := &decoder{names: sceneNames()}
	q := d.inlineQuery(query, place{})
	require.Empty(t, d.problems)
	if q.Reading.Frame != nil {
		return q.Reading.Frame(sceneFrame(), &q.Arguments)
	}
	fold, now := q.Reading.Trace(&q.Arguments), time.Duration(0)
	trace := sceneTrace()
	for i := range trace {
		fold.Step(&trace[i])
		if now = trace[i].At; i == 2 && q.Since == SinceBeat {
			fold.Mark(now)
		}
	}
	return fold.Value(now)
}

var readingCases = []struct{ query, gives string }{
	{"owner group=G1 partition=T1-0", "C1"},
	{"owner group=G1 partition=T1-1", "none"},
	{"assignment consumer=C1", "[T1-0]"},
	{"assignment consumer=C2", "[]"}, // it is dead
	{"assignment-size consumer=C1", "1"},
	{"promised consumer=C2", "[T1-1]"},
	{"knows consumer=C1", "[C1, C2]"},
	{"knows consumer=C2", "[]"},
	{"moved group=G1 since=beat", "0"},
	{"moved group=G1", "1"},
	{"unowned group=G1 partition=T1-0", "0 s"},
	{"unowned group=G1 partition=T1-1", "0 s"},
	{"longest-unowned group=G1 partition=T1-1", "3 s"},
	{"longest-unowned group=G1 partition=T1-0", "0 s"},
	{"state group=G1", "Stable"},
	{"generation group=G1", "3"},
	{"members group=G1", "[C1, C2]"},
	{"member-count group=G1", "2"},
	{"pending group=G1", "1"},
	{"leader group=G1", "C1"},
	{"protocol group=G1", "range"},
	{"coordinator group=G1", "B1"},
	{"offsets-partition group=G1", "7"},
	{"parked consumer=C2", "SyncGroup"},
	{"parked consumer=C1", "none"},
	{"rebalances group=G1", "1"},
	{"rebalances group=G1 since=beat", "0"},
	{"group-records group=G1", "1"},
	{"committed group=G1 partition=T1-0", "9"},
	{"committed group=G1 partition=T1-1", "none"},
	{"position consumer=C1 partition=T1-0", "8"},
	{"position consumer=C1 partition=T1-1", "none"},
	{"lag group=G1", "3"},
	{"lag group=G1 partition=T1-1", "none"},
	{"waiting group=G1", "4"}, // of the 11 from 1 to the high watermark 5 are done, 1 is a dead letter and 1 lost
	{"duplicates group=G1", "3"},
	{"lost group=G1 partition=T1-0", "1"},
	{"dead-letters group=G1 partition=T1-0", "1"},
	{"stored group=G1", "6"},
	{"stored-twice group=G1 partition=T1-0", "4"},
	{"unreadable consumer=C1", "1"},
	{"begin group=G1 partition=T1-0", "1"},
	{"end partition=T1-0", "14"},
	{"high-watermark partition=T1-0", "12"},
	{"last-stable partition=T1-0", "11"},
	{"log-start partition=T1-0", "1"},
	{"records topic=T1", "18"},
	{"in-sync partition=T1-0", "[B1]"},
	{"replica-end partition=T1-0 node=B2", "12"},
	{"replica-end partition=T1-1 node=B2", "none"},
	{"partition-leader partition=T1-1", "B1"},
	{"processed group=G1", "2"},
	{"processed partition=T1-1", "1"},
	{"delivered consumer=C1", "6"},
	{"delivered consumer=C1 since=beat", "2"},
	{"fetched-bytes", "150"},
	{"fetched-bytes consumer=C2", "0"},
	{"polls consumer=C1", "2"},
	{"empty-polls consumer=C1", "1"},
	{"in-hand consumer=C1", "2"},
	{"buffered consumer=C1", "3"},
	{"fetch-memory consumer=C1", "1048576"},
	{"fetch-memory consumer=C2", "0"},
	{"acked producer=P1", "17"},
	{"sent producer=P1", "19"},
	{"liveness node=C2", "crashed"},
	{"liveness node=B1", "up"},
	{"liveness node=P1", "up"},
	{"join-state consumer=C1", "stable"},
	{"member-id consumer=C1", "C1-1"},
	{"member-generation consumer=C1", "3"},
	{"member-generation consumer=C2", "none"},
	{"line consumer=C1", "4"},
	{"line consumer=C2", "none"},
	{"callback consumer=C1", "onPartitionsRevoked"},
	{"error consumer=C1", "REBALANCE_IN_PROGRESS"},
	{"error consumer=C2", "none"},
	{"exception consumer=C1", "WakeupException"},
	{"timer-left consumer=C1 timer=session", "44 s"},
	{"timer-left consumer=C1 timer=poll", "299 s"},
	{"timer-left consumer=C1 timer=heartbeat", "none"},
	{"group-timer-left group=G1 timer=rebalance", "2 s"},
	{"group-timer-left group=G1 timer=initial-delay", "none"},
	{"events", "7"},
	{"requests", "3"},
	{"requests api=JoinGroup from=C1 to=B1", "1"},
	{"requests api=JoinGroup since=beat", "0"},
	{"request-order from=C1", "[JoinGroup, Fetch]"},
	{"answers", "2"},
	{"answers to=C1 api=Heartbeat error=REBALANCE_IN_PROGRESS", "1"},
	{"listed consumer=C1", "2"},
	{"listed consumer=C1 since=beat", "none"},
	{"callbacks consumer=C1", "[onPartitionsAssigned T1-0 T1-1]"},
	{"thrown consumer=C1", "[TimeoutException]"},
	{"thrown consumer=C2", "[]"},
	{"intercepted consumer=C1", "[Audit.onCommit, Audit.onConsume]"},
	{"intercepted consumer=C2", "[]"},
	{"flying api=JoinGroup", "1"},
	{"flying api=Fetch", "0"},
	{"events since=beat", "4"},
	{"time", "10 s"},
	{"time since=beat", "7 s"},
}

func TestReadings(t *testing.T) {
	for _, c := range readingCases {
		t.Run(c.query, func(t *testing.T) { require.Equal(t, c.gives, ask(t, c.query).String()) })
	}
}

func TestEveryReadingIsTested(t *testing.T) {
	for _, r := range Readings {
		require.True(t, slices.ContainsFunc(readingCases, func(c struct{ query, gives string }) bool {
			return strings.HasPrefix(c.query+" ", r.Name+" ")
		}), r.Name)
	}
}

func TestReadingsOfAnEmptyFrameAreAbsentOrNothing(t *testing.T) {
	for _, c := range readingCases {
		d := &decoder{names: sceneNames()}
		q := d.inlineQuery(c.query, place{})
		if q.Reading.Frame == nil {
			continue
		}
		v := q.Reading.Frame(&view.Frame{}, &q.Arguments)
		require.True(t, v.Absent || v.Number == 0 && len(v.Names) == 0 && v.Name == "", c.query)
		require.Equal(t, q.Reading.Type, v.Type, c.query)
	}
}

func TestReadingTableIsWellFormed(t *testing.T) {
	for _, r := range Readings {
		require.NotEmpty(t, r.Meaning, r.Name)
		require.Regexp(t, slug, r.Name)
		require.NotEqual(t, r.Frame == nil, r.Trace == nil, r.Name)
		require.False(t, r.Since && r.Frame != nil, "%s: a frame knows no stretch of time", r.Name)
		for _, name := range slices.Concat(r.Needs, r.Takes) {
			require.True(t, slices.ContainsFunc(Parameters, func(p Parameter) bool { return p.Name == name }), "%s takes %s", r.Name, name)
		}
		for _, c := range Comparisons {
			require.False(t, slices.Contains(slices.Concat(r.Needs, r.Takes), c.Name), "a parameter hides a comparison")
		}
	}
}
