package kafka

import "time"

// InitProducerIDRequest asks for a producer id: any broker if the producer is only idempotent, else the coordinator of its
// transactional id, which ends what an older producer of that name has left open, and raises the epoch.
type InitProducerIDRequest struct {
	TransactionalID string
	Timeout         time.Duration // transaction.timeout.ms
}

// InitProducerIDResponse gives it.
type InitProducerIDResponse struct {
	Error      ErrorCode
	ProducerID int64
	Epoch      int16
}

// ProducerIdentity is how a transactional producer names itself in every request of a transaction.
type ProducerIdentity struct {
	TransactionalID string
	ProducerID      int64
	Epoch           int16
}

// AddPartitionsToTxnRequest tells the coordinator of partitions that a transaction is about to write to.
type AddPartitionsToTxnRequest struct {
	ProducerIdentity
	Partitions []TopicPartition
}

// AddPartitionsToTxnResponse answers it.
type AddPartitionsToTxnResponse struct {
	Error ErrorCode
}

// AddOffsetsToTxnRequest tells the coordinator of a group whose offsets a transaction is about to commit.
type AddOffsetsToTxnRequest struct {
	ProducerIdentity
	Group string
}

// AddOffsetsToTxnResponse answers it.
type AddOffsetsToTxnResponse struct {
	Error ErrorCode
}

// TxnOffsetCommitRequest commits offsets as a part of a transaction; it goes to the group's coordinator. Member and
// generation are checked since 2.5, if they are given (KIP-447).
type TxnOffsetCommitRequest struct {
	ProducerIdentity
	Group      string
	MemberID   string
	InstanceID string
	Generation int32
	Offsets    []CommitOffset
}

// TxnOffsetCommitResponse answers partition by partition.
type TxnOffsetCommitResponse struct {
	Partitions []PartitionError
}

// EndTxnRequest ends a transaction.
type EndTxnRequest struct {
	ProducerIdentity
	Commit bool
}

// EndTxnResponse says that the end is decided; the markers are still to be written.
type EndTxnResponse struct {
	Error ErrorCode
}

// WriteTxnMarkersRequest has a leader write the end of a transaction into its partitions.
type WriteTxnMarkersRequest struct {
	TransactionalID string
	ProducerID      int64
	Epoch           int16
	Marker          Marker
	Partitions      []TopicPartition
}

// WriteTxnMarkersResponse answers partition by partition.
type WriteTxnMarkersResponse struct {
	TransactionalID string // the model's own, like Epoch: the real coordinator remembers what it asked
	Epoch           int16
	Partitions      []PartitionError
}

func firstError(parts []PartitionError) ErrorCode {
	for _, p := range parts {
		if p.Error != None {
			return p.Error
		}
	}
	return None
}

func (*InitProducerIDRequest) API() API         { return InitProducerIDAPI }
func (*InitProducerIDRequest) Reply() bool      { return false }
func (*InitProducerIDResponse) API() API        { return InitProducerIDAPI }
func (*InitProducerIDResponse) Reply() bool     { return true }
func (*AddPartitionsToTxnRequest) API() API     { return AddPartitionsToTxnAPI }
func (*AddPartitionsToTxnRequest) Reply() bool  { return false }
func (*AddPartitionsToTxnResponse) API() API    { return AddPartitionsToTxnAPI }
func (*AddPartitionsToTxnResponse) Reply() bool { return true }
func (*AddOffsetsToTxnRequest) API() API        { return AddOffsetsToTxnAPI }
func (*AddOffsetsToTxnRequest) Reply() bool     { return false }
func (*AddOffsetsToTxnResponse) API() API       { return AddOffsetsToTxnAPI }
func (*AddOffsetsToTxnResponse) Reply() bool    { return true }
func (*TxnOffsetCommitRequest) API() API        { return TxnOffsetCommitAPI }
func (*TxnOffsetCommitRequest) Reply() bool     { return false }
func (*TxnOffsetCommitResponse) API() API       { return TxnOffsetCommitAPI }
func (*TxnOffsetCommitResponse) Reply() bool    { return true }
func (*EndTxnRequest) API() API                 { return EndTxnAPI }
func (*EndTxnRequest) Reply() bool              { return false }
func (*EndTxnResponse) API() API                { return EndTxnAPI }
func (*EndTxnResponse) Reply() bool             { return true }
func (*WriteTxnMarkersRequest) API() API        { return WriteTxnMarkersAPI }
func (*WriteTxnMarkersRequest) Reply() bool     { return false }
func (*WriteTxnMarkersResponse) API() API       { return WriteTxnMarkersAPI }
func (*WriteTxnMarkersResponse) Reply() bool    { return true }
