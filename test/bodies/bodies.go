// Prints request bodies as json.Marshal writes structs without omitempty, a JSON line each.
package main

import (
	"encoding/json"
	"fmt"
	"time"
)

type event struct {
	Type       string         `json:"type"`
	Severity   string         `json:"severity"`
	Message    string         `json:"message"`
	OccurredAt *time.Time     `json:"occurred_at"`
	EventID    string         `json:"event_id"`
	Metadata   map[string]any `json:"metadata"`
}

type report struct {
	SiteUUID string  `json:"site_uuid"`
	Domain   string  `json:"domain"`
	Events   []event `json:"events"`
}

type heartbeat struct {
	SiteURL       string         `json:"site_url"`
	LicenseKey    string         `json:"license_key"`
	PluginVersion *string        `json:"plugin_version"`
	Stats         map[string]any `json:"stats"`
	Events        []event        `json:"events"`
}

type component struct {
	Ecosystem string  `json:"ecosystem"`
	Name      string  `json:"name"`
	NameHash  *string `json:"name_hash"`
	Version   string  `json:"version"`
	Status    string  `json:"status"`
}

func say(route string, body any, odd int) {
	sent, _ := json.Marshal(body)
	line, _ := json.Marshal(map[string]any{"client": "go", "route": route, "odd": odd, "body": string(sent)})
	fmt.Println(string(line))
}

func main() {
	at := time.Unix(1767323045, 120_000_000)
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 5400), time.FixedZone("", -12600)} {
		for _, moment := range []time.Time{at, at.Truncate(time.Second), at.Add(7)} {
			in := moment.In(zone)
			say("telemetry", report{Domain: "bodies.com", Events: []event{{Type: "x", OccurredAt: &in}}}, 0)
		}
	}
	say("telemetry", report{Domain: "bodies.com", Events: []event{{Type: "x"}, {Type: "y", Message: "<b>&"}}}, 0)
	for _, stats := range []map[string]any{nil, {}, {"load": 0.1, "none": nil, "huge": 1e21}} {
		say("telemetry", heartbeat{SiteURL: "https://bodies.com", LicenseKey: "__KEY__\n", Stats: stats}, 0)
	}
	for _, key := range []string{"__KEY__", "__KEY__\n"} {
		say("verify", map[string]any{"api_key": key, "domain": "bodies.com", "modules": nil}, 0)
	}
	for _, version := range []string{"v1.0", "1.0 RC1", ""} {
		odd := 0
		if version == "" {
			odd = 1
		}
		say("components", map[string]any{"components": []component{{Ecosystem: "wordpress-plugin", Name: "hello", Version: version}}}, odd)
	}
}
