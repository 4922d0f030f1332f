package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/internal/sharing"
	"groupscope/core/kafka"
	"groupscope/core/node"
)

// transactionRig is a broker that coordinates transactions too, and a producer that has begun one on T1-0.
func transactionRig(t *testing.T, release string) (*rig, kafka.ProducerIdentity) {
	r := newRig(t, release, nil)
	image := *r.broker.cluster
	image.Epoch++
	image.Topics = append(image.Topics[:2:2], dealTopic(image.Brokers, TopicPlan{Name: kafka.TransactionsTopic, Partitions: 5}))
	r.send(kafka.Controller, &kafka.UpdateMetadataRequest{Cluster: &image})
	reply := answer[*kafka.InitProducerIDResponse](r, r.send("P1", &kafka.InitProducerIDRequest{TransactionalID: "x", Timeout: 60 * second}))
	p := kafka.ProducerIdentity{TransactionalID: "x", ProducerID: reply.ProducerID, Epoch: reply.Epoch}
	added := answer[*kafka.AddPartitionsToTxnResponse](r, r.send("P1", &kafka.AddPartitionsToTxnRequest{ProducerIdentity: p, Partitions: []kafka.TopicPartition{t1(0)}}))
	require.Equal(t, kafka.None, added.Error)
	return r, p
}

func (r *rig) write(p kafka.ProducerIdentity, sequence int32) kafka.ErrorCode {
	stamp := &kafka.Stamp{ProducerID: p.ProducerID, Epoch: p.Epoch, Sequence: sequence, Transactional: true}
	return answer[*kafka.ProduceResponse](r, r.send("P1", &kafka.ProduceRequest{Acks: acksAll, Partitions: []kafka.ProducePartition{{
		TopicPartition: t1(0), Stamp: stamp, Records: []kafka.Record{{Size: 9}},
	}}})).Partitions[0].Error
}

func (r *rig) end(p kafka.ProducerIdentity, commit bool) kafka.ErrorCode {
	return answer[*kafka.EndTxnResponse](r, r.send("P1", &kafka.EndTxnRequest{ProducerIdentity: p, Commit: commit})).Error
}

func TestSequenceNumbers(t *testing.T) {
	r, p := transactionRig(t, "3.9")
	for _, c := range []struct {
		name     string
		sequence int32
		want     kafka.ErrorCode
		end      int64
	}{
		{"the first", 0, kafka.None, 1}, {"the next", 1, kafka.None, 2}, {"a duplicate is not appended again", 0, kafka.None, 2},
		{"a gap", 3, kafka.OutOfOrderSequenceNumber, 2}, {"the next again", 2, kafka.None, 3},
	} {
		require.Equal(t, c.want, r.write(p, c.sequence), c.name)
		require.Equal(t, c.end, r.broker.logs[t1(0)].end(), c.name)
	}
}

func TestOffsetsOfATransactionCountWhenItIsCommitted(t *testing.T) {
	for commit, want := range map[bool]int64{true: 7, false: kafka.NoOffset} {
		r, p := transactionRig(t, "3.9")
		answer[*kafka.AddOffsetsToTxnResponse](r, r.send("P1", &kafka.AddOffsetsToTxnRequest{ProducerIdentity: p, Group: "G1"}))
		c := r.send("P1", &kafka.TxnOffsetCommitRequest{ProducerIdentity: p, Group: "G1", Offsets: []kafka.CommitOffset{{
			TopicPartition: t1(0), OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: 7},
		}}})
		require.Equal(t, kafka.None, answer[*kafka.TxnOffsetCommitResponse](r, c).Partitions[0].Error)
		fetch := func(stable bool) kafka.FetchedOffset {
			return answer[*kafka.OffsetFetchResponse](r, r.send("C1", &kafka.OffsetFetchRequest{
				Group: "G1", Partitions: []kafka.TopicPartition{t1(0)}, RequireStable: stable,
			})).Partitions[0]
		}
		require.Equal(t, kafka.UnstableOffsetCommit, fetch(true).Error)
		require.Equal(t, kafka.NoOffset, fetch(false).Offset)
		require.Empty(t, sharing.Between(r.broker, r.broker.Clone()))
		require.Equal(t, kafka.None, r.end(p, commit))
		require.Equal(t, want, fetch(true).Offset)

		r.broker = r.broker.Restart(r.broker.cluster, r.broker.config)
		r.handle(node.Input{Kind: node.Start})
		require.Equal(t, want, fetch(true).Offset, "it is in the log")
	}
}

func TestWhoMayNotGoOnWithATransaction(t *testing.T) {
	for release, fenced := range map[string]kafka.ErrorCode{"3.9": kafka.ProducerFenced, "2.6": kafka.InvalidProducerEpoch} {
		r, p := transactionRig(t, release)
		require.Equal(t, kafka.None, r.write(p, 0))
		stranger, old := p, p
		stranger.ProducerID += 100
		require.Equal(t, kafka.InvalidProducerIDMapping, r.end(stranger, true))
		first := r.send("P2", &kafka.InitProducerIDRequest{TransactionalID: "x", Timeout: 60 * second})
		require.Equal(t, kafka.ConcurrentTransactions, answer[*kafka.InitProducerIDResponse](r, first).Error, "the open one is aborted first")
		successor := answer[*kafka.InitProducerIDResponse](r, r.send("P2", &kafka.InitProducerIDRequest{TransactionalID: "x", Timeout: 60 * second}))
		require.Equal(t, p.ProducerID, successor.ProducerID)
		require.Greater(t, successor.Epoch, p.Epoch)
		require.Equal(t, fenced, r.end(old, true))
		require.Equal(t, kafka.InvalidProducerEpoch, r.write(old, 1), "the marker carries the new epoch")
	}
}

func TestAProducerMayNotAskForTooLongATimeout(t *testing.T) {
	r, _ := transactionRig(t, "3.9")
	reply := answer[*kafka.InitProducerIDResponse](r, r.send("P2", &kafka.InitProducerIDRequest{TransactionalID: "y", Timeout: 901 * second}))
	require.Equal(t, kafka.InvalidTransactionTimeout, reply.Error)
}
