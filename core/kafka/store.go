package kafka

// The requests to an external store, such as a database, are no part of Kafka's protocol; their numbers are below its own.
const (
	StoreWriteAPI API = -1
	StoreReadAPI  API = -2
)

// StoreWriteRequest writes the result of one record, and with it maybe offsets, in one transaction.
type StoreWriteRequest struct {
	Group        string
	Result       TopicPartition
	ResultOffset int64
	Offsets      []CommitOffset
}

// StoreWriteResponse acknowledges a write.
type StoreWriteResponse struct{}

// StoreReadRequest asks for the offsets that a group has stored.
type StoreReadRequest struct {
	Group      string
	Partitions []TopicPartition
}

// StoreReadResponse gives them; partitions without one are left out.
type StoreReadResponse struct {
	Offsets []CommitOffset
}

func (*StoreWriteRequest) API() API     { return StoreWriteAPI }
func (*StoreWriteRequest) Reply() bool  { return false }
func (*StoreWriteResponse) API() API    { return StoreWriteAPI }
func (*StoreWriteResponse) Reply() bool { return true }
func (*StoreReadRequest) API() API      { return StoreReadAPI }
func (*StoreReadRequest) Reply() bool   { return false }
func (*StoreReadResponse) API() API     { return StoreReadAPI }
func (*StoreReadResponse) Reply() bool  { return true }
