package stage

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

func rowTexts(rows []row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, strings.Repeat(" ", r.indent)+r.name+"="+r.value)
	}
	return out
}

func TestFieldsAreListedInTheOrderOfTheMessage(t *testing.T) {
	body := &kafka.OffsetCommitRequest{
		Version: 8, Group: "G1", Generation: 3, MemberID: "C1-1",
		Offsets: []kafka.CommitOffset{{
			TopicPartition: kafka.TopicPartition{Topic: "T1", Partition: 2}, OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: 40},
		}},
	}
	require.Equal(t, []string{
		"version=8", `groupId="G1"`, "generationId=3", `memberId="C1-1"`, `groupInstanceId=""`, "offsets=[1]", " [0]=",
		"  partition=T1-2", "  committedOffset=40", `  committedMetadata=""`,
	}, rowTexts(fieldRows(body)))
}

func TestFieldsOfEveryKindAreWritten(t *testing.T) {
	body := &kafka.JoinGroupRequest{SessionTimeout: 45 * time.Second, Protocols: []kafka.Protocol{{
		Name: "range", Subscription: &kafka.Subscription{Topics: []string{"T1", "T2"}, Owned: []kafka.TopicPartition{{Topic: "T1"}}},
	}}}
	text := strings.Join(rowTexts(fieldRows(body)), "\n")
	for _, want := range []string{"sessionTimeoutMs=45000 ms", `name="range"`, "topics=[T1, T2]", "ownedPartitions=[T1-0]", "rebalanceTimeoutMs=0 ms"} {
		require.Contains(t, text, want)
	}
	require.Contains(t, strings.Join(rowTexts(fieldRows(&kafka.SyncGroupResponse{Error: kafka.RebalanceInProgress})), " "), "errorCode=REBALANCE_IN_PROGRESS")
}

func TestFieldsThatArePrivateAreLeftOut(t *testing.T) {
	body := &kafka.MetadataResponse{Cluster: &kafka.Cluster{Epoch: 2, Topics: []kafka.TopicInfo{{Name: "T1", Partitions: []kafka.PartitionInfo{{Leader: "B1"}}}}}}
	require.Contains(t, strings.Join(rowTexts(fieldRows(body)), "\n"), `leaderId="B1"`)
}

func TestProtocolNamesAreWrittenAsTheProtocolDoes(t *testing.T) {
	for in, want := range map[string]string{"MemberID": "memberId", "Error": "error", "MaxWait": "maxWait", "ID": "id", "ReadCommitted": "readCommitted"} {
		require.Equal(t, want, camel(in))
	}
}

func TestAnEventLinksToItsCause(t *testing.T) {
	run := played(t, "two-consumers")
	s := New(run, Session{Event: 311})
	in := s.input(311)
	rows := in.detailRows()
	require.Equal(t, in.eventLead(in.entry), rows[0].value)
	require.Equal(t, Visit, rows[2].action.Do)
	require.Equal(t, eventID(in.entry.Cause), rows[2].action.Arg)
}

func TestSentencesNameWhoDoesWhat(t *testing.T) {
	in := New(played(t, "one-consumer"), Session{}).input(0)
	ask := &kafka.Message{From: "C1", To: "B1", Body: &kafka.HeartbeatRequest{}}
	refuse := &kafka.Message{From: "B1", To: "C1", Body: &kafka.HeartbeatResponse{Error: kafka.RebalanceInProgress}}
	answer := &kafka.Message{From: "B1", To: "C1", Body: &kafka.JoinGroupResponse{Generation: 4}}
	require.Equal(t, "C1 sends Heartbeat to B1", in.messageSentence(ask, false))
	require.Equal(t, "C1's Heartbeat reaches B1", in.messageSentence(ask, true))
	require.Equal(t, "B1 answers C1's Heartbeat: REBALANCE_IN_PROGRESS", in.messageSentence(refuse, true))
	require.Equal(t, "B1 answers C1: JoinGroup: generation 4", in.messageSentence(answer, true))
}

func TestTimesAreWrittenInTheUnitThatSuitsThem(t *testing.T) {
	w := languages()["en"]
	require.Equal(t, "12\u00a0ms", w.seconds(12*time.Millisecond))
	require.Equal(t, "62.4\u00a0s", w.seconds(62400*time.Millisecond))
	require.Equal(t, "5\u00a0min", w.seconds(5*time.Minute))
	require.Equal(t, "0\u00a0s", w.seconds(0))
	require.Equal(t, "37.9\u00a0s", w.left(37900*time.Millisecond))
	require.Equal(t, "12.30\u00a0s", w.clock(12304*time.Millisecond))
	require.Equal(t, "initial rebalance delay", w.timerName("initial delay G1"))
	require.Equal(t, "session", w.timerName("session G1/C1-1"))
	require.Equal(t, "unheard of", w.timerName("unheard of"))
}

func TestFieldsThatTheModelWritesOtherwiseAreWrittenAsTheProtocolDoes(t *testing.T) {
	require.Equal(t, []string{`key="G1"`, "keyType=0 (group)"}, rowTexts(fieldRows(&kafka.FindCoordinatorRequest{Group: "G1"})))
	require.Equal(t, []string{`key="tx"`, "keyType=1 (transaction)"}, rowTexts(fieldRows(&kafka.FindCoordinatorRequest{TransactionalID: "tx"})))
	require.Contains(t, rowTexts(fieldRows(&kafka.FetchRequest{ReadCommitted: true})), "isolationLevel=1 (read_committed)")
	require.Contains(t, rowTexts(fieldRows(&kafka.EndTxnRequest{Commit: true})), "committed=true")
	require.Contains(t, rowTexts(fieldRows(&kafka.EndTxnRequest{})), "producerEpoch=0", "an embedded structure has the names of the one around it")
}

func TestEveryNameOfTheProtocolBelongsToAField(t *testing.T) {
	fields := map[string]bool{}
	var visit func(v, around reflect.Type)
	visit = func(v, around reflect.Type) {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice {
			v = v.Elem()
			around = v
		}
		if v.Kind() != reflect.Struct {
			return
		}
		for i := range v.NumField() {
			field := v.Field(i)
			fields[around.Name()+"."+field.Name], fields[field.Name] = true, true
			if next := field.Type; field.Anonymous {
				visit(next, around)
			} else {
				visit(next, next)
			}
		}
	}
	for _, body := range []kafka.Body{
		&kafka.FindCoordinatorRequest{}, &kafka.FindCoordinatorResponse{}, &kafka.JoinGroupRequest{}, &kafka.JoinGroupResponse{},
		&kafka.SyncGroupRequest{}, &kafka.SyncGroupResponse{}, &kafka.OffsetCommitRequest{}, &kafka.OffsetFetchResponse{},
		&kafka.FetchRequest{}, &kafka.FetchResponse{}, &kafka.ProduceRequest{}, &kafka.InitProducerIDRequest{}, &kafka.InitProducerIDResponse{},
		&kafka.AddPartitionsToTxnRequest{}, &kafka.AddOffsetsToTxnRequest{}, &kafka.TxnOffsetCommitRequest{}, &kafka.EndTxnRequest{},
		&kafka.WriteTxnMarkersRequest{}, &kafka.OffsetForLeaderEpochRequest{}, &kafka.OffsetForLeaderEpochResponse{},
		&kafka.AlterPartitionRequest{}, &kafka.UpdateMetadataRequest{},
	} {
		visit(reflect.TypeOf(body), nil)
	}
	for name := range protocolNames {
		require.True(t, fields[name], "%s is no field of a message", name)
	}
}

func TestWhyLeadsBackToACommandOrATimer(t *testing.T) {
	run := played(t, "consumer-crashes")
	in := New(run, Session{}).input(0)
	longest := 0
	for event := 1; event <= run.History.Len(); event++ {
		chain := in.causes(event)
		longest = max(longest, len(chain))
		at := event
		for i, cause := range chain {
			require.Equal(t, run.History.Entry(at).Cause, cause)
			at = cause
			kind := run.History.Entry(cause).Kind
			ends := kind == view.Commanded || kind == view.Fired || run.History.Entry(cause).Cause == 0
			require.Equal(t, i == len(chain)-1, ends, "event %d", event)
		}
	}
	require.Greater(t, longest, longChain, "the test sees a chain that is folded")
}

func TestALongChainOfCausesIsFoldedInTheMiddle(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{Panel: "details"})
	in := s.input(0)
	for event := 1; event <= s.track.len(); event++ {
		chain := in.causes(event)
		if len(chain) <= longChain {
			continue
		}
		rows := in.whyRows(event)
		require.Len(t, rows, chainFirst+1+chainLast)
		require.Equal(t, eventID(chain[0]), rows[0].action.Arg)
		require.Equal(t, Unfold, rows[chainFirst].action.Do)
		require.Equal(t, eventID(chain[len(chain)-1]), rows[len(rows)-1].action.Arg)
		require.True(t, s.Do(rows[chainFirst].action))
		require.Len(t, in.whyRows(event), len(chain))
		return
	}
	t.Fatal("no chain is long")
}

func TestAThingLinksToItsLastEvent(t *testing.T) {
	for _, id := range []string{"node:C2", "node:P1", "partition:T1-2", "group:G1"} {
		s := New(played(t, "consumer-crashes"), Session{Event: 4000, Selected: id})
		var last *row
		for _, r := range s.input(4000).detailRows() {
			if r.name == "last event" {
				last = &r
			}
		}
		require.NotNil(t, last, id)
		require.True(t, s.Do(last.action), id)
		require.True(t, acts(s.run.History.Entry(s.Session().Event), id), id)
	}
}

func TestTheEventsOfAKindAreListedAroundThePresentOne(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{Event: 3500, Mark: "commit"})
	var listed []string
	for _, r := range s.input(3500).detailRows() {
		if strings.HasPrefix(r.id, "near:") && r.action.Do == Visit {
			listed = append(listed, r.action.Arg)
		}
	}
	require.Len(t, listed, 2*nearEvents)
	next, _ := s.markAfter("commit", 3500)
	require.Equal(t, eventID(next), listed[nearEvents])
}
