package client

import (
	"slices"
	"time"
)

// Pattern is a program as the documentation and the field know it, with what it promises about a crash.
type Pattern struct {
	Program  Program
	Settings map[string]string // what it needs beside the defaults; never changed
	Promise  Promise
	Stores   bool // its results go to an external store, and the promise is about them
}

// Promise is what a pattern promises for every record if its process dies, closes or is rebalanced, wherever it is.
type Promise string

// The promises.
const (
	AtLeastOnce Promise = "at least once"    // nothing lost
	AtMostOnce  Promise = "at most once"     // nothing twice
	Effectively Promise = "effectively once" // neither, as far as the external store shows
	Nothing     Promise = "nothing"
)

var manualCommits = map[string]string{"enable.auto.commit": "false"}

// AutoCommit is the loop of most introductions: poll, process every record, leave the commits to the client.
func AutoCommit(poll, process time.Duration) Program {
	return Program{
		Name: "auto-commit",
		Listing: []string{
			`props.put("enable.auto.commit", "true");`,
			`consumer.subscribe(topics);`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`    }`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 5, For: poll},
			{Do: ForEach, Line: 6, Body: []Op{{Do: Process, Line: 7, For: process}}},
		},
	}
}

// Patterns lists the patterns, each polling with the given timeout and taking the given time for a record.
func Patterns(poll, process time.Duration) []Pattern {
	return []Pattern{
		{Program: AutoCommit(poll, process), Promise: AtLeastOnce},
		{Program: commitSyncEachBatch(poll, process), Settings: manualCommits, Promise: AtLeastOnce},
		{Program: commitAsyncEachBatch(poll, process), Settings: manualCommits, Promise: AtLeastOnce},
		{Program: asyncThenSync(poll, process), Settings: manualCommits, Promise: AtLeastOnce},
		{Program: asyncGuarded(poll, process), Settings: manualCommits, Promise: AtLeastOnce},
		{Program: everyN(poll, process), Settings: manualCommits, Promise: AtLeastOnce},
		{Program: commitInListener(poll, process), Settings: manualCommits, Promise: AtLeastOnce},
		{Program: externalStore(poll, process), Settings: manualCommits, Promise: Effectively, Stores: true},
		{Program: commitFirst(poll, process), Settings: manualCommits, Promise: AtMostOnce},
		{Program: workers(poll, process), Promise: Nothing},
		{Program: commitLastNumber(poll, process), Settings: manualCommits, Promise: AtLeastOnce},
	}
}

// PatternNamed finds a pattern by the name of its program.
func PatternNamed(name string, poll, process time.Duration) (Pattern, bool) {
	all := Patterns(poll, process)
	i := slices.IndexFunc(all, func(p Pattern) bool { return p.Program.Name == name })
	if i < 0 {
		return Pattern{}, false
	}
	return all[i], true
}

// PatternNames lists the names of the patterns.
func PatternNames() []string {
	var names []string
	for _, p := range Patterns(0, 0) {
		names = append(names, p.Program.Name)
	}
	return names
}

func commitSyncEachBatch(poll, process time.Duration) Program {
	return Program{
		Name: "commit-sync",
		Listing: []string{
			`consumer.subscribe(topics);`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`    }`,
			`    consumer.commitSync();`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 4, For: poll},
			{Do: ForEach, Line: 5, Body: []Op{{Do: Process, Line: 6, For: process}}},
			{Do: CommitSync, Line: 8},
		},
	}
}

func commitAsyncEachBatch(poll, process time.Duration) Program {
	return Program{
		Name: "commit-async",
		Listing: []string{
			`consumer.subscribe(topics);`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`    }`,
			`    consumer.commitAsync((offsets, error) -> {`,
			`      if (error != null)`,
			`        log.warn("commit of {} failed", offsets, error);`,
			`    });`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 4, For: poll},
			{Do: ForEach, Line: 5, Body: []Op{{Do: Process, Line: 6, For: process}}},
			{Do: CommitAsync, Line: 8, Callback: []Op{
				{Do: If, Line: 9, Test: CommitFailed, Body: []Op{{Do: Sleep, Line: 10}}},
			}},
		},
	}
}

func asyncThenSync(poll, process time.Duration) Program {
	return Program{
		Name: "async-then-sync",
		Listing: []string{
			`consumer.subscribe(topics);`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`    }`,
			`    consumer.commitAsync();`,
			`  }`,
			`} finally {`,
			`  try {`,
			`    consumer.commitSync();`,
			`  } finally {`,
			`    consumer.close();`,
			`  }`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 4, For: poll},
			{Do: ForEach, Line: 5, Body: []Op{{Do: Process, Line: 6, For: process}}},
			{Do: CommitAsync, Line: 8},
		},
		Closing: []Op{{Do: CommitSync, Line: 12}},
	}
}

func asyncGuarded(poll, process time.Duration) Program {
	return Program{
		Name: "async-guarded",
		Listing: []string{
			`var sequence = new AtomicInteger();`,
			`consumer.subscribe(topics);`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`    }`,
			`    int mine = sequence.incrementAndGet();`,
			`    consumer.commitAsync((offsets, error) -> {`,
			`      if (error instanceof RetriableException && mine == sequence.get())`,
			`        retry(offsets);`,
			`    });`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 5, For: poll},
			{Do: ForEach, Line: 6, Body: []Op{{Do: Process, Line: 7, For: process}}},
			{Do: CommitAsync, Line: 10, Callback: []Op{
				{Do: If, Line: 11, Test: CommitRetriable, Body: []Op{
					{Do: If, Line: 11, Test: CommitNewest, Body: []Op{{Do: Retry, Line: 12}}},
				}},
			}},
		},
	}
}

// commitEvery is how many records everyN processes between two commits.
const commitEvery = 3

func everyN(poll, process time.Duration) Program {
	return Program{
		Name: "commit-every-n",
		Listing: []string{
			`var done = new HashMap<TopicPartition, OffsetAndMetadata>();`,
			`int count = 0;`,
			`consumer.subscribe(topics, new ConsumerRebalanceListener() {`,
			`  public void onPartitionsRevoked(Collection<TopicPartition> gone) {`,
			`    done.clear();   // what is no longer owned must not be committed again`,
			`  }`,
			`});`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`      done.put(partitionOf(record), next(record));   // offset + 1`,
			`      if (++count % 3 == 0)`,
			`        consumer.commitAsync(done, null);`,
			`    }`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 10, For: poll},
			{Do: ForEach, Line: 11, Body: []Op{
				{Do: Process, Line: 12, For: process},
				{Do: Track, Line: 13, Offset: 1},
				{Do: Count, Line: 14},
				{Do: If, Line: 14, Test: EveryNth, Every: commitEvery, Body: []Op{
					{Do: CommitAsync, Line: 15, Offsets: Tracked},
				}},
			}},
		},
		OnRevoked: []Op{{Do: Untrack, Line: 5}},
	}
}

func commitInListener(poll, process time.Duration) Program {
	return Program{
		Name: "commit-in-listener",
		Listing: []string{
			`var done = new HashMap<TopicPartition, OffsetAndMetadata>();`,
			`consumer.subscribe(topics, new ConsumerRebalanceListener() {`,
			`  public void onPartitionsRevoked(Collection<TopicPartition> gone) {`,
			`    consumer.commitSync(done);`,
			`    done.clear();`,
			`  }`,
			`  public void onPartitionsLost(Collection<TopicPartition> gone) {`,
			`    done.clear();`,
			`  }`,
			`});`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`      done.put(partitionOf(record), next(record));   // offset + 1`,
			`    }`,
			`    consumer.commitAsync(done, null);`,
			`  }`,
			`} finally {`,
			`  consumer.close();   // runs onPartitionsRevoked`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 13, For: poll},
			{Do: ForEach, Line: 14, Body: []Op{
				{Do: Process, Line: 15, For: process},
				{Do: Track, Line: 16, Offset: 1},
			}},
			{Do: CommitAsync, Line: 18, Offsets: Tracked},
		},
		OnRevoked: []Op{{Do: CommitSync, Line: 4, Offsets: Tracked}, {Do: Untrack, Line: 5}},
		OnLost:    []Op{{Do: Untrack, Line: 8}},
	}
}

func externalStore(poll, process time.Duration) Program {
	return Program{
		Name: "external-store",
		Listing: []string{
			`consumer.subscribe(topics, new ConsumerRebalanceListener() {`,
			`  public void onPartitionsAssigned(Collection<TopicPartition> parts) {`,
			`    for (var part : parts)`,
			`      consumer.seek(part, database.offsetOf(part));`,
			`  }`,
			`});`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      var result = process(record);`,
			`      database.transaction(() -> {`,
			`        database.save(result);`,
			`        database.saveOffset(partitionOf(record), record.offset() + 1);`,
			`      });`,
			`    }`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 9, For: poll},
			{Do: ForEach, Line: 10, Body: []Op{
				{Do: Process, Line: 11, For: process},
				{Do: StoreBoth, Line: 12, Offset: 1},
			}},
		},
		OnAssigned: []Op{{Do: SeekStored, Line: 4}},
	}
}

func commitFirst(poll, process time.Duration) Program {
	return Program{
		Name: "commit-first",
		Listing: []string{
			`consumer.subscribe(topics);`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    consumer.commitSync();`,
			`    for (var record : records) {`,
			`      process(record);`,
			`    }`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 4, For: poll},
			{Do: CommitSync, Line: 5},
			{Do: ForEach, Line: 6, Body: []Op{{Do: Process, Line: 7, For: process}}},
		},
	}
}

func workers(poll, process time.Duration) Program {
	return Program{
		Name: "workers",
		Listing: []string{
			`var pool = Executors.newFixedThreadPool(2);`,
			`props.put("enable.auto.commit", "true");`,
			`consumer.subscribe(topics);`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records)`,
			`      pool.submit(() -> process(record));`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Workers: 2,
		Body: []Op{
			{Do: Poll, Line: 6, For: poll},
			{Do: HandOver, Line: 8, For: process},
		},
	}
}

func commitLastNumber(poll, process time.Duration) Program {
	return Program{
		Name: "commit-last-number",
		Listing: []string{
			`var done = new HashMap<TopicPartition, OffsetAndMetadata>();`,
			`consumer.subscribe(topics, new ConsumerRebalanceListener() {`,
			`  public void onPartitionsRevoked(Collection<TopicPartition> gone) {`,
			`    done.clear();   // what is no longer owned must not be committed again`,
			`  }`,
			`});`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`      done.put(partitionOf(record), last(record));   // offset, not offset + 1`,
			`    }`,
			`    consumer.commitSync(done);`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 9, For: poll},
			{Do: ForEach, Line: 10, Body: []Op{
				{Do: Process, Line: 11, For: process},
				{Do: Track, Line: 12},
			}},
			{Do: CommitSync, Line: 14, Offsets: Tracked},
		},
		OnRevoked: []Op{{Do: Untrack, Line: 4}},
	}
}
