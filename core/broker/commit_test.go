package broker

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// commitRows are the rows of the table of coordinator.md section 10. A row holds for the states of its cells.
var commitRows = []struct {
	name    string
	release string
	who     func(g *trio) person
	gen     int32 // added to the group's generation; noGen stands for -1
	cells   map[state]kafka.ErrorCode
}{
	{"generation < 0 and group Empty", "3.9", nobody, noGen, map[state]kafka.ErrorCode{empty: kafka.None}},
	{"generation -1, no ids, and group not Empty", "3.9", nobody, noGen, map[state]kafka.ErrorCode{
		preparingRebalance: kafka.UnknownMemberID, completingRebalance: kafka.UnknownMemberID, stable: kafka.UnknownMemberID,
	}},
	{"Dead", "3.9", theB, 0, map[state]kafka.ErrorCode{dead: kafka.CoordinatorNotAvailable}},
	{"Dead, before 2.3", "2.2", theB, 0, map[state]kafka.ErrorCode{dead: kafka.UnknownMemberID}},
	{"unknown member id", "3.9", stranger, 0, map[state]kafka.ErrorCode{
		preparingRebalance: kafka.UnknownMemberID, completingRebalance: kafka.UnknownMemberID, stable: kafka.UnknownMemberID, empty: kafka.UnknownMemberID,
	}},
	{"generation -1 with a member id", "3.9", stranger, noGen, map[state]kafka.ErrorCode{stable: kafka.UnknownMemberID, empty: kafka.None}},
	{"instance mapped to other member id", "3.9", impostor, 0, map[state]kafka.ErrorCode{
		preparingRebalance: kafka.FencedInstanceID, completingRebalance: kafka.FencedInstanceID, stable: kafka.FencedInstanceID,
	}},
	{"generation differs", "3.9", theB, -1, map[state]kafka.ErrorCode{
		preparingRebalance: kafka.IllegalGeneration, completingRebalance: kafka.IllegalGeneration, stable: kafka.IllegalGeneration,
	}},
	{"member and generation valid", "3.9", theB, 0, map[state]kafka.ErrorCode{
		preparingRebalance: kafka.None, completingRebalance: kafka.RebalanceInProgress, stable: kafka.None,
	}},
	{"up to 2.3 the state comes before the member", "2.3", stranger, 0, map[state]kafka.ErrorCode{
		preparingRebalance: kafka.UnknownMemberID, completingRebalance: kafka.RebalanceInProgress, stable: kafka.UnknownMemberID,
	}},
}

const noGen = -100

func nobody(*trio) person   { return person{client: "N"} }
func stranger(*trio) person { return person{client: "N", id: "N-1"} }
func impostor(*trio) person { return person{client: "N", id: "s-9", instance: "s"} }
func theB(g *trio) person   { return *g.b }

func TestOffsetCommitTable(t *testing.T) {
	for _, row := range commitRows {
		for s, want := range row.cells {
			t.Run(row.name+"/"+string(s), func(t *testing.T) {
				g := groupIn(t, newRig(t, row.release, nil), s)
				generation := g.group().generation + row.gen
				if row.gen == noGen {
					generation = kafka.NoGeneration
				}
				require.Equal(t, want, g.commit(row.who(g), generation, 7))
			})
		}
	}
}

func TestOffsetCommitWithoutGroup(t *testing.T) {
	for _, c := range []struct {
		name       string
		release    string
		version    int16
		generation int32
		want       kafka.ErrorCode
	}{
		{"generation < 0", "3.9", 9, kafka.NoGeneration, kafka.None},
		{"generation >= 0", "3.9", 9, 3, kafka.IllegalGeneration},
		{"generation >= 0, Java coordinator, v9", "4.0", 9, 3, kafka.GroupIDNotFound},
		{"generation >= 0, Java coordinator, v8", "4.0", 8, 3, kafka.IllegalGeneration},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, c.release, nil)
			request := r.commitOf(person{client: "N"}, c.generation, 7)
			request.Version = c.version
			require.Equal(t, c.want, answer[*kafka.OffsetCommitResponse](r, r.send("N", request)).Partitions[0].Error)
			if c.want == kafka.None {
				require.Equal(t, string(empty), r.state())
				require.Empty(t, r.group().protocolType, "a simple group")
			}
		})
	}
}

func TestCommitResetsTheSessionTimer(t *testing.T) {
	for release, resets := range map[string]bool{"3.9": true, "0.10.0": true, "0.9": false} {
		for _, s := range []state{stable, preparingRebalance} {
			t.Run(release+"/"+string(s), func(t *testing.T) {
				g := groupIn(t, newRig(t, release, nil), s)
				before := g.sessionEnd(*g.b)
				g.pass(second)
				require.Equal(t, kafka.None, g.commit(*g.b, g.group().generation, 1))
				require.Equal(t, resets, g.sessionEnd(*g.b) > before)
			})
		}
	}
}

func TestOffsetCommitPartitionByPartition(t *testing.T) {
	r := newRig(t, "3.9", map[string]string{"offset.metadata.max.bytes": "5"})
	request := r.commitOf(person{client: "N"}, kafka.NoGeneration, 3)
	request.Offsets = []kafka.CommitOffset{
		{TopicPartition: t1(0), OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: 3, Metadata: "五个汉字符"}},
		{TopicPartition: t1(1), OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: 4, Metadata: "sixsix"}},
		{TopicPartition: t1(9), OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: 5}},
	}
	require.Equal(t, []kafka.PartitionError{
		{TopicPartition: t1(0)},
		{TopicPartition: t1(1), Error: kafka.OffsetMetadataTooLarge},
		{TopicPartition: t1(9), Error: kafka.UnknownTopicOrPartition},
	}, answer[*kafka.OffsetCommitResponse](r, r.send("N", request)).Partitions)
	require.Equal(t, []kafka.CommitOffset{request.Offsets[0]}, r.broker.Committed("G1"))
}

func TestCommitsMayGoBackwardsAndBeyondTheLog(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), stable)
	for _, offset := range []int64{7, 1000, 3} {
		require.Equal(t, kafka.None, g.commit(*g.b, g.group().generation, offset)) // B was assigned another partition
		require.Equal(t, offset, g.committed())
	}
}

// committed asks, as somebody outside the group, for the offset of T1-0.
func (r *rig) committed() int64 {
	c := r.send("N", &kafka.OffsetFetchRequest{Group: "G1", Partitions: []kafka.TopicPartition{t1(0)}})
	return answer[*kafka.OffsetFetchResponse](r, c).Partitions[0].Offset
}

func TestOffsetFetch(t *testing.T) {
	for _, s := range []state{empty, preparingRebalance, completingRebalance, stable, dead} {
		t.Run(string(s), func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), s)
			require.Equal(t, kafka.NoOffset, g.committed(), "nothing stored")
			g.broker.offsets["G1"] = groupOffsets{t1(0): {OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: 12}}}
			require.Equal(t, int64(12), g.committed(), "anyone may ask")
		})
	}
	t.Run("missing group", func(t *testing.T) {
		require.Equal(t, kafka.NoOffset, newRig(t, "3.9", nil).committed())
	})
}

func TestCommitsAreRecordsOfTheOffsetsTopic(t *testing.T) {
	r := newRig(t, "3.9", nil)
	require.Equal(t, kafka.None, r.commit(person{client: "N"}, kafka.NoGeneration, 12))
	log := r.broker.logs[kafka.TopicPartition{Topic: kafka.OffsetsTopic, Partition: 0}] // of G1: coordinator.md section 12
	require.Equal(t, int64(1), log.highWatermark)
	record := log.records.at(0)
	require.Equal(t, "offset G1 T1-0", record.Key)
	require.Equal(t, "12", record.Value)
	require.Contains(t, r.texts(view.OffsetCommitted), "  12")
}

func TestCommitTooLargeForTheOffsetsTopic(t *testing.T) {
	r := newRig(t, "3.9", map[string]string{"message.max.bytes": "10"})
	require.Equal(t, kafka.InvalidCommitOffsetSize, r.commit(person{client: "N"}, kafka.NoGeneration, 12))
	require.Empty(t, r.broker.Committed("G1"))
}

func TestCommitAppendErrors(t *testing.T) {
	for append, want := range map[kafka.ErrorCode]kafka.ErrorCode{
		kafka.UnknownTopicOrPartition:      kafka.CoordinatorNotAvailable,
		kafka.NotEnoughReplicas:            kafka.CoordinatorNotAvailable,
		kafka.NotEnoughReplicasAfterAppend: kafka.CoordinatorNotAvailable,
		kafka.RequestTimedOut:              kafka.CoordinatorNotAvailable,
		kafka.NotLeaderOrFollower:          kafka.NotCoordinator,
		kafka.KafkaStorageError:            kafka.NotCoordinator,
		kafka.MessageTooLarge:              kafka.InvalidCommitOffsetSize,
		kafka.UnknownServerError:           kafka.UnknownServerError,
	} {
		t.Run(append.String(), func(t *testing.T) { require.Equal(t, want, commitStoreError(append)) })
	}
}

func TestLongGroupRecordFailsTheSync(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", map[string]string{"message.max.bytes": "100"}), completingRebalance)
	a := g.sync(*g.a, kafka.MemberAssignment{MemberID: g.a.id, Partitions: []kafka.TopicPartition{{Topic: strings.Repeat("t", 100)}}})
	require.Equal(t, kafka.UnknownServerError, answer[*kafka.SyncGroupResponse](g.rig, a).Error)
	require.Equal(t, kafka.UnknownServerError, answer[*kafka.SyncGroupResponse](g.rig, g.parked[0]).Error)
	require.Equal(t, string(preparingRebalance), g.state())
}
