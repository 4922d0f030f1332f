package stage

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
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
		"version=8", `group="G1"`, "generation=3", `memberId="C1-1"`, `instanceId=""`, "offsets=[1]", " [0]=",
		"  partition=T1-2", "  offset=40", `  metadata=""`,
	}, rowTexts(fieldRows(body)))
}

func TestFieldsOfEveryKindAreWritten(t *testing.T) {
	body := &kafka.JoinGroupRequest{SessionTimeout: 45 * time.Second, Protocols: []kafka.Protocol{{
		Name: "range", Subscription: &kafka.Subscription{Topics: []string{"T1", "T2"}, Owned: []kafka.TopicPartition{{Topic: "T1"}}},
	}}}
	text := strings.Join(rowTexts(fieldRows(body)), "\n")
	for _, want := range []string{"sessionTimeout=45000 ms", `name="range"`, "topics=[T1, T2]", "owned=[T1-0]", "rebalanceTimeout=0 ms"} {
		require.Contains(t, text, want)
	}
	require.Contains(t, strings.Join(rowTexts(fieldRows(&kafka.SyncGroupResponse{Error: kafka.RebalanceInProgress})), " "), "error=REBALANCE_IN_PROGRESS")
}

func TestFieldsThatArePrivateAreLeftOut(t *testing.T) {
	body := &kafka.MetadataResponse{Cluster: &kafka.Cluster{Epoch: 2, Topics: []kafka.TopicInfo{{Name: "T1", Partitions: []kafka.PartitionInfo{{Leader: "B1"}}}}}}
	require.Contains(t, strings.Join(rowTexts(fieldRows(body)), "\n"), `leader="B1"`)
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
