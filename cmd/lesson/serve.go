package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
func serve(args []string, out io.Writer) error {
	port, err := wantedPort(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	flags := newFlags("serve", "[FOLDER]", "Builds the site and serves it on this machine. With a lesson's FOLDER it shows that lesson, and again after each change.", out)
	dist := flags.String("dist", "dist", "`FOLDER` of the site")
	flags.IntVar(&port, "port", port, "`PORT` on 127.0.0.1; the variable PORT sets it too")
	folders, err := flags.parse(args)
	if err != nil {
		return err
	}
	if len(folders) > 1 {
		return fmt.Errorf("%w: serve: %d folders given; expected one lesson's folder or none", errUsage, len(folders))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	handler, err := siteHandler(ctx, *dist, folders)
	if err != nil {
		return err
	}
	listener, err := web.Listen(port)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "building the site into", *dist)
	if err := web.Build(ctx, *dist, web.Quick); err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	fmt.Fprintf(out, "groupscope is at http://%s/ (stop with Ctrl+C)\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// siteHandler serves the site, with the preview of a lesson if one is named.
func siteHandler(ctx context.Context, dist string, folders []string) (http.Handler, error) {
	if len(folders) == 0 {
		return web.Handler(dist), nil
	}
	preview, err := web.NewPreview(dist, folders[0])
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
