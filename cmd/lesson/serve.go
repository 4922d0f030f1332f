package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"groupscope/web"
)

const defaultPort = 8080

// serve builds the site and serves it on this machine; with a lesson's folder it shows that lesson and loads it again
// whenever a file of it changes.
func serve(args []string) error {
	port, err := wantedPort(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	dist := flags.String("dist", "dist", "folder of the site")
	flags.IntVar(&port, "port", port, "port on 127.0.0.1; the variable PORT sets it too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 1 {
		return fmt.Errorf("serve: %d paths given; expected one lesson's folder or none", flags.NArg())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	listener, err := web.Listen(port)
	if err != nil {
		return err
	}
	handler, err := siteHandler(ctx, *dist, flags.Arg(0))
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	fmt.Printf("groupscope is at http://%s/ (stop with Ctrl+C)\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// siteHandler builds the site and gives what serves it, with the preview of a lesson if one is named.
func siteHandler(ctx context.Context, dist, lesson string) (http.Handler, error) {
	fmt.Println("building the site into", dist)
	if err := web.Build(ctx, dist, web.Quick); err != nil {
		return nil, err
	}
	if lesson == "" {
		return web.Handler(dist), nil
	}
	preview, err := web.NewPreview(dist, lesson)
	if err != nil {
		return nil, err
	}
	go func() {
		if err := preview.Watch(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	return preview, nil
}

func wantedPort(text string) (int, error) {
	if text == "" {
		return defaultPort, nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port >= 1<<16 {
		return 0, fmt.Errorf("PORT=%s is no port; expected a number from 0 to 65535", text)
	}
	return port, nil
}
