package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Serve shows traces at an address until the context ends. ready is told the page's
// address once it can be opened.
func Serve(ctx context.Context, address string, ready func(url string), files ...*File) error {
	var page bytes.Buffer
	if err := write(&page, files, true); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler(page.Bytes(), files, listener.Addr()), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() {
		wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if server.Shutdown(wait) != nil {
			_ = server.Close() // a reader holds on: it is cut off
		}
	})
	defer stop()
	ready(fmt.Sprintf("http://%s/", listener.Addr()))
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler answers with the page at /, and with ranges of the traces.
func handler(page []byte, files []*File, at net.Addr) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(page))
	})
	for i, f := range files {
		mux.HandleFunc(fmt.Sprintf("GET /trace/%d", i), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f.file, 0, f.size))
		})
	}
	return known(mux, at)
}

// known refuses, on an address of this machine alone, names that other pages may
// have bound to it (DNS rebinding).
func known(next http.Handler, at net.Addr) http.Handler {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "this server answers to localhost", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
