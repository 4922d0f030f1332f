package client

import "time"

// AutoCommit is the loop of most introductions: poll, process every record, leave the commits to the client.
func AutoCommit(timeout, processing time.Duration) Program {
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
			{Do: Poll, Line: 5, For: timeout},
			{Do: ForEach, Line: 6, Body: []Op{{Do: Process, Line: 7, For: processing}}},
		},
	}
}
