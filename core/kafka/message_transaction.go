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

func (*InitProducerIDRequest) API() API     { return InitProducerIDAPI }
func (*InitProducerIDRequest) Reply() bool  { return false }
func (*InitProducerIDResponse) API() API    { return InitProducerIDAPI }
func (*InitProducerIDResponse) Reply() bool { return true }
