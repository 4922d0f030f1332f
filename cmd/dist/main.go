// Command dist makes the site as it is published: static files for any web host, compressed as far as they go.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"groupscope/web"
)

func main() {
	out := flag.String("out", "dist", "folder of the site")
	flag.Parse()
	fmt.Println("building the site into", *out, "(compressing takes about a minute)")
	if err := web.Build(context.Background(), *out, web.Smallest); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
