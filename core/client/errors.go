package client

import (
	"maps"
	"slices"

	"groupscope/core/kafka"
)

// The exceptions that a consumer's methods throw, by the names of their Java classes.
const (
	commitFailedException         = "CommitFailedException"
	rebalanceInProgressException  = "RebalanceInProgressException"
	retriableCommitException      = "RetriableCommitFailedException"
	timeoutException              = "TimeoutException"
	wakeupException               = "WakeupException"
	noOffsetForPartitionException = "NoOffsetForPartitionException"
	offsetOutOfRangeException     = "OffsetOutOfRangeException"
	logTruncationException        = "LogTruncationException"
	kafkaException                = "KafkaException"
	illegalStateException         = "IllegalStateException"
	deserializationException      = "RecordDeserializationException"
	storeException                = "SQLException"

	concurrentModificationException = "ConcurrentModificationException"

	stackOverflowError = "StackOverflowError"
)

var exceptions = map[kafka.ErrorCode]string{
	kafka.FencedInstanceID:          "FencedInstanceIdException",
	kafka.InconsistentGroupProtocol: "InconsistentGroupProtocolException",
	kafka.InvalidGroupID:            "InvalidGroupIdException",
	kafka.InvalidSessionTimeout:     "InvalidSessionTimeoutException",
	kafka.GroupMaxSizeReached:       "GroupMaxSizeReachedException",
	kafka.GroupAuthorizationFailed:  "GroupAuthorizationException",
	kafka.OffsetMetadataTooLarge:    "OffsetMetadataTooLarge",
	kafka.InvalidCommitOffsetSize:   "InvalidCommitOffsetSizeException",
	kafka.MessageTooLarge:           "RecordTooLargeException",
	kafka.TopicAuthorizationFailed:  "TopicAuthorizationException",
}

// kafkaExceptions are the classes above that extend KafkaException, beside those of errors.
var kafkaExceptions = []string{
	commitFailedException, rebalanceInProgressException, retriableCommitException, timeoutException,
	noOffsetForPartitionException, offsetOutOfRangeException, logTruncationException, kafkaException, deserializationException,
}

// asKafkaException is the class of what poll throws for an exception of a rebalance callback: those that are no
// KafkaException are wrapped in one (ConsumerCoordinator.onJoinComplete).
func asKafkaException(class string) string {
	if slices.Contains(kafkaExceptions, class) || slices.Contains(slices.Collect(maps.Values(exceptions)), class) {
		return class
	}
	return kafkaException
}

// exceptionOf is the class of the exception that an error code becomes in the Java client.
func exceptionOf(e kafka.ErrorCode) string {
	if class, ok := exceptions[e]; ok {
		return class
	}
	return kafkaException
}
