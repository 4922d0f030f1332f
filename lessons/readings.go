package lessons

import (
	"slices"

	"groupscope/core/assign"
	"groupscope/core/kafka"
)

// Readings is every reading there is. README.md lists them from this table, and so can a JSON Schema.
var Readings = []Reading{
	// Who has what.
	{Name: "owner", Type: Name, Among: consumerNames, Meaning: "the consumer that fetches a partition, by its own belief",
		Needs: []string{"group", "partition"}, Frame: owner},
	{Name: "assignment", Type: Names, Among: partitionNamesOf, Meaning: "the partitions a consumer has, by its own belief",
		Needs: []string{"consumer"}, Frame: assignment},
	{Name: "assignment-size", Type: Number, Unit: "partitions", Meaning: "how many partitions a consumer has",
		Needs: []string{"consumer"}, Frame: assignmentSize},
	{Name: "promised", Type: Names, Among: partitionNamesOf, Meaning: "the partitions the coordinator holds for a consumer",
		Needs: []string{"consumer"}, Frame: promised},
	{Name: "knows", Type: Names, Among: consumerNames, Meaning: "the consumers whose partitions a consumer knows because it assigned them",
		Needs: []string{"consumer"}, Frame: knows},
	{Name: "moved", Type: Number, Unit: "partitions", Meaning: "how many partitions have another owner than at the start of the stretch",
		Needs: []string{"group"}, Since: true, Trace: newMoved},
	{Name: "unowned", Type: Duration, Meaning: "how long by now nobody has had a partition that somebody had before; 0s while it has an owner",
		Needs: []string{"group", "partition"}, Trace: newUnowned},
	{Name: "longest-unowned", Type: Duration, Meaning: "the longest such time",
		Needs: []string{"group", "partition"}, Since: true, Trace: newLongestUnowned},

	// The group, as its coordinator knows it.
	{Name: "state", Type: Name, Among: groupStates, Meaning: "a group's state", Needs: []string{"group"}, Frame: groupState},
	{Name: "generation", Type: Number, Meaning: "a group's generation", Needs: []string{"group"}, Frame: generation},
	{Name: "members", Type: Names, Among: consumerNames, Meaning: "the consumers that are members of a group", Needs: []string{"group"}, Frame: members},
	{Name: "member-count", Type: Number, Unit: "members", Meaning: "how many members a group has", Needs: []string{"group"}, Frame: memberCount},
	{Name: "pending", Type: Number, Unit: "members", Meaning: "how many member ids a group has handed out that were not used yet",
		Needs: []string{"group"}, Frame: pending},
	{Name: "leader", Type: Name, Among: consumerNames, Meaning: "the consumer that leads a group", Needs: []string{"group"}, Frame: leader},
	{Name: "protocol", Type: Name, Among: assignors, Meaning: "the assignor that a group has chosen", Needs: []string{"group"}, Frame: protocol},
	{Name: "coordinator", Type: Name, Among: brokerNames, Meaning: "the broker that coordinates a group", Needs: []string{"group"}, Frame: coordinator},
	{Name: "offsets-partition", Type: Number, Meaning: "the partition of __consumer_offsets that a group belongs to",
		Needs: []string{"group"}, Frame: offsetsPartition},
	{Name: "parked", Type: Name, Among: parkingRequests, Meaning: "the request in which the coordinator lets a consumer wait",
		Needs: []string{"consumer"}, Frame: parked},
	{Name: "rebalances", Type: Number, Unit: "rebalances", Meaning: "how often a group began a rebalance",
		Needs: []string{"group"}, Since: true, Trace: newRebalances},
	{Name: "group-records", Type: Number, Unit: "records", Meaning: "how many records about a group went to __consumer_offsets, offsets apart",
		Needs: []string{"group"}, Since: true, Trace: newGroupRecords},

	// Bookmarks and logs.
	{Name: "committed", Type: Number, Unit: "offset", Meaning: "the offset a group has committed", Needs: []string{"group", "partition"}, Frame: committed},
	{Name: "position", Type: Number, Unit: "offset", Meaning: "the next offset that poll will return to a consumer",
		Needs: []string{"consumer", "partition"}, Frame: position},
	{Name: "lag", Type: Number, Unit: "records", Meaning: "records between the committed offset and the high watermark; without a partition, of all that have a committed offset",
		Needs: []string{"group"}, Takes: []string{"partition"}, Frame: lag},
	{Name: "waiting", Type: Number, Unit: "records", Meaning: "records a group has neither processed, nor sent to a topic for dead letters, nor passed over, since it first began to read",
		Needs: []string{"group"}, Takes: []string{"partition"}, Frame: waiting},
	{Name: "duplicates", Type: Number, Unit: "records", Meaning: "how often a group processed a record again",
		Needs: []string{"group"}, Takes: []string{"partition"}, Frame: duplicates},
	{Name: "lost", Type: Number, Unit: "records", Meaning: "records a group has passed over for good",
		Needs: []string{"group"}, Takes: []string{"partition"}, Frame: lost},
	{Name: "dead-letters", Type: Number, Unit: "records", Meaning: "records a group has sent to a topic for dead letters instead of processing them",
		Needs: []string{"group"}, Takes: []string{"partition"}, Frame: deadLetters},
	{Name: "stored", Type: Number, Unit: "records", Meaning: "results of records in an external store, each time one was written",
		Needs: []string{"group"}, Takes: []string{"partition"}, Frame: stored},
	{Name: "stored-twice", Type: Number, Unit: "records", Meaning: "how often the result of a record was written again",
		Needs: []string{"group"}, Takes: []string{"partition"}, Frame: storedTwice},
	{Name: "begin", Type: Number, Unit: "offset", Meaning: "where a group first began to read a partition", Needs: []string{"group", "partition"}, Frame: begin},
	{Name: "end", Type: Number, Unit: "offset", Meaning: "a log's end: the offset the next record will get", Needs: []string{"partition"}, Frame: logEnd},
	{Name: "high-watermark", Type: Number, Unit: "offset", Meaning: "a partition's high watermark", Needs: []string{"partition"}, Frame: highWatermark},
	{Name: "last-stable", Type: Number, Unit: "offset", Meaning: "a partition's last stable offset: the bound for read_committed",
		Needs: []string{"partition"}, Frame: lastStable},
	{Name: "log-start", Type: Number, Unit: "offset", Meaning: "a partition's first offset that was not deleted", Needs: []string{"partition"}, Frame: logStart},
	{Name: "records", Type: Number, Unit: "records", Meaning: "how many records a topic holds", Needs: []string{"topic"}, Frame: records},
	{Name: "in-sync", Type: Names, Among: brokerNames, Meaning: "the brokers whose copies of a partition are in sync", Needs: []string{"partition"}, Frame: inSync},
	{Name: "replica-end", Type: Number, Unit: "offset", Meaning: "the end of a broker's copy of a partition",
		Needs: []string{"partition", "node"}, Frame: replicaEnd},
	{Name: "partition-leader", Type: Name, Among: brokerNames, Meaning: "the broker that leads a partition", Needs: []string{"partition"}, Frame: partitionLeader},

	// Work done.
	{Name: "processed", Type: Number, Unit: "records", Meaning: "records processed, each time counted",
		Takes: []string{"group", "consumer", "partition"}, Since: true, Trace: newProcessed},
	{Name: "delivered", Type: Number, Unit: "records", Meaning: "records that poll returned, each time counted",
		Takes: []string{"group", "consumer", "partition"}, Since: true, Trace: newDelivered},
	{Name: "fetched-bytes", Type: Number, Unit: "bytes", Meaning: "bytes of records that brokers sent to consumers",
		Takes: []string{"consumer"}, Since: true, Trace: newFetchedBytes},
	{Name: "polls", Type: Number, Unit: "calls", Meaning: "how often poll returned", Needs: []string{"consumer"}, Since: true, Trace: newPolls},
	{Name: "empty-polls", Type: Number, Unit: "calls", Meaning: "how often poll returned no record", Needs: []string{"consumer"}, Since: true, Trace: newEmptyPolls},
	{Name: "unreadable", Type: Number, Unit: "records", Meaning: "how often a record could not be deserialized",
		Takes: []string{"group", "consumer", "partition"}, Since: true, Trace: newUnreadable},
	{Name: "in-hand", Type: Number, Unit: "records", Meaning: "records of the last poll that are still to be processed", Needs: []string{"consumer"}, Frame: inHand},
	{Name: "buffered", Type: Number, Unit: "records", Meaning: "records a consumer has fetched and poll has not returned yet",
		Needs: []string{"consumer"}, Frame: buffered},
	{Name: "fetch-memory", Type: Number, Unit: "bytes", Meaning: "what fetches may bring a consumer at once: max.partition.fetch.bytes for each partition it has and, since 0.10.1, at most fetch.max.bytes from each broker",
		Needs: []string{"consumer"}, Frame: fetchMemory},
	{Name: "acked", Type: Number, Unit: "records", Meaning: "records of a producer that a broker has acknowledged", Needs: []string{"producer"}, Frame: acked},
	{Name: "sent", Type: Number, Unit: "records", Meaning: "records a producer has sent", Needs: []string{"producer"}, Frame: sent},

	// A process, as it knows itself.
	{Name: "liveness", Type: Name, Among: livenesses, Meaning: "up, frozen, closed or crashed", Needs: []string{"node"}, Frame: liveness},
	{Name: "join-state", Type: Name, Among: joinStates, Meaning: "where a consumer is with joining: unjoined, preparing, completing, stable", Needs: []string{"consumer"}, Frame: joinState},
	{Name: "member-id", Type: Name, Meaning: "the member id a consumer knows itself by", Needs: []string{"consumer"}, Frame: memberID},
	{Name: "member-generation", Type: Number, Meaning: "the generation a consumer believes in", Needs: []string{"consumer"}, Frame: memberGeneration},
	{Name: "line", Type: Number, Meaning: "the line of its listing that a consumer is at, as it rests after an event", Needs: []string{"consumer"}, Frame: line},
	{Name: "callback", Type: Name, Meaning: "the rebalance callback that runs now", Needs: []string{"consumer"}, Frame: callback},
	{Name: "error", Type: Name, Among: errorNames, Meaning: "the last error a consumer was answered", Needs: []string{"consumer"}, Frame: lastError},
	{Name: "exception", Type: Name, Meaning: "the exception that ended a consumer's program", Needs: []string{"consumer"}, Frame: exception},
	{Name: "timer-left", Type: Duration, Meaning: "how long one of a consumer's timers has to go; session is the coordinator's",
		Needs: []string{"consumer", "timer"}, Frame: timerLeft},
	{Name: "group-timer-left", Type: Duration, Meaning: "how long one of a group's timers has to go",
		Needs: []string{"group", "timer"}, Frame: groupTimerLeft},

	// Messages and time.
	{Name: "requests", Type: Number, Unit: "requests", Meaning: "how many requests were sent",
		Takes: []string{"api", "from", "to"}, Since: true, Trace: newRequests},
	{Name: "request-order", Type: Names, Among: apis, Meaning: "the kinds of requests a node sent, in order, to brokers",
		Needs: []string{"from"}, Since: true, Trace: newRequestOrder},
	{Name: "answers", Type: Number, Unit: "replies", Meaning: "how many replies with that error (or any) were received",
		Takes: []string{"api", "error", "to"}, Since: true, Trace: newAnswers},
	{Name: "listed", Type: Number, Unit: "members", Meaning: "how many members the last JoinGroup reply to a consumer listed",
		Needs: []string{"consumer"}, Since: true, Trace: newListed},
	{Name: "callbacks", Type: Names, Meaning: "the rebalance callbacks a consumer ran, in order, each with its partitions",
		Needs: []string{"consumer"}, Since: true, Trace: newCallbacks},
	{Name: "intercepted", Type: Names, Meaning: "the methods of interceptors that a consumer ran, in order, such as Audit.onConsume; onCommit once for each partition",
		Needs: []string{"consumer"}, Since: true, Trace: newIntercepted},
	{Name: "thrown", Type: Names, Meaning: "the exceptions that a consumer's methods threw, in order, also to threads that are not its own",
		Needs: []string{"consumer"}, Since: true, Trace: newThrown},
	{Name: "flying", Type: Number, Unit: "messages", Meaning: "messages on their way", Takes: []string{"api", "from", "to"}, Frame: flying},
	{Name: "events", Type: Number, Unit: "events", Meaning: "how many events there were", Since: true, Trace: newEventCount},
	{Name: "time", Type: Duration, Meaning: "virtual time since the beginning of the stretch", Since: true, Trace: newClock},
}

// The names that readings can give.
var (
	consumerNames    nameList = func(d *directory) []string { return d.consumers }
	brokerNames      nameList = func(d *directory) []string { return d.brokers }
	partitionNamesOf nameList = (*directory).partitionNames
	errorNames       nameList = func(*directory) []string { return kafka.ErrorNames() }
	apis             nameList = func(*directory) []string { return kafka.APINames() }
	assignors        nameList = func(d *directory) []string { return slices.Concat(assign.Names(), d.assignors) }
	groupStates               = fixed("Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Dead")
	parkingRequests           = fixed("JoinGroup", "SyncGroup")
	livenesses                = fixed("up", "frozen", "closed", "crashed")
	joinStates                = fixed("unjoined", "preparing", "completing", "stable")
)

func fixed(list ...string) nameList { return func(*directory) []string { return list } }
