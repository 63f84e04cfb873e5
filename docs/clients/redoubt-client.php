<?php
/** A client of Redoubt for PHP 7.4 or later, with curl or allow_url_fopen. It never throws or logs. See docs/clients.md. */
final class RedoubtClient {
    private const DEFAULTS = [
        'cache_seconds' => 21600, // how long a valid verdict is reused
        'invalid_seconds' => 300, // the same for an invalid one
        'grace_days' => 7,        // how long the last valid verdict applies while the service does not answer
        'feed_seconds' => 300,    // how long the feed is reused
        'retry_seconds' => 60,    // pause after a failure, doubled each time up to an hour
        'timeout_seconds' => 5, 'queue_max' => 400, // queued events; beyond that, the oldest are dropped
    ];
    private const HOUR = 3600, DAY = 86400, REQUESTS_MAX = 10, BYTES_MAX = 16777216;
    private const BATCH_MAX = 40; // so many of the largest events fit into the 256 KiB of a request
    private const JSON = JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR;
    private const STATE = ['kept' => [], 'at' => 0, 'etag' => '"none"', 'retry_at' => 0, 'failures' => 0, 'error' => null,
        'next_at' => 0, 'events_at' => 0, 'batch' => self::BATCH_MAX, 'queue' => [], 'dropped' => 0,
        'site' => '', 'told' => '', 'told_at' => 0, 'found_in' => ''];
    private string $url, $key, $domain, $files;
    private array $options;

    /** Stores its state in $directory, which must be outside the web root. */
    public function __construct(string $url, string $key, string $domain, string $directory, array $options = []) {
        [$this->url, $this->domain, $this->options] = [rtrim($url, '/') . '/api/v1', $domain, $options + self::DEFAULTS];
        $this->key = preg_replace('/[^\x21-\x7e]/', '', $key); // a pasted key may contain spaces
        $this->files = "$directory/redoubt-" . substr(hash('sha256', "$this->url $this->key $domain"), 0, 16) . '-';
        is_dir($directory) || @mkdir($directory, 0700, true);
    }

    /** What the license allows. $ask = false sends no request: use it while a visitor waits. */
    public function verify(bool $ask = true): array {
        $state = $this->read('license');
        $fresh = $this->options[$state['kept']['valid'] ?? false ? 'cache_seconds' : 'invalid_seconds'];
        if ($ask && abs(time() - $state['at']) >= $fresh) {
            $state = $this->ask('license', '/license/verify', ['domain' => $this->domain], fn(array $a): ?array =>
                $a['status'] === 200 && isset($a['json']['valid']) ? ['kept' => $a['json'], 'at' => time()] : null);
        }
        $patience = max($fresh, $this->options['grace_days'] * self::DAY);
        return (abs(time() - $state['at']) < $patience ? $state['kept'] : []) + ['valid' => false, 'plan' => 'free',
            'modules_allowed' => [], 'checked_at' => $state['at'], 'error' => $state['error']];
    }

    /** The threat feed, renewed when it is old. If that fails, the last one. */
    public function feed(): array {
        $state = $this->read('feed');
        if (abs(time() - $state['at']) >= $this->options['feed_seconds']) {
            $state = $this->ask('feed', '/threat-feed', null, fn(array $a): ?array => $a['status'] === 304 ? ['at' => time()]
                : (isset($a['json']['data']) ? ['kept' => $a['json']['data'], 'etag' => $a['etag'], 'at' => time()] : null));
        }
        return $state['kept'] + ['entries' => [], 'checked_at' => $state['at'], 'error' => $state['error']];
    }

    /** Queues an event for the next heartbeat: type, and optionally severity, message and metadata. */
    public function record(array $event): void {
        $event += ['event_id' => bin2hex(random_bytes(16)), 'occurred_at' => gmdate('Y-m-d\TH:i:s\Z'), 'message' => ''];
        $this->change('telemetry', function (array $state) use ($event): array {
            $event['message'] = substr($event['message'], 0, 1000);
            // The service refuses NUL.
            array_walk_recursive($event, function (mixed &$value): void {
                if (is_string($value)) $value = str_replace("\0", "\u{FFFD}", $value);
            });
            $queue = array_slice([...$state['queue'], $event], -$this->options['queue_max']);
            return ['queue' => $queue, 'dropped' => $state['dropped'] + count($state['queue']) + 1 - count($queue)];
        });
    }

    /** Call it every minute. It sends queued events when a heartbeat is due, or at once with $now. */
    public function heartbeat(string $version, array $stats = [], bool $now = false): array {
        $body = ['site_url' => $this->domain, 'license_key' => $this->key, 'plugin_version' => $version, 'stats' => $stats];
        [$sent, $state] = [0, $this->read('telemetry')];
        $goesOn = $now || !self::isAhead($state['next_at']);
        for ($request = 0; $goesOn && $request < self::REQUESTS_MAX; $request++) {
            $isCapped = self::isAhead($state['events_at']);
            $events = $isCapped ? [] : array_slice($state['queue'], 0, $state['batch']);
            $suspect = $isCapped || $state['batch'] > 0 ? [] : array_slice($state['queue'], 0, 1);
            $state = $this->ask('telemetry', '/telemetry', $body + ['events' => $events],
                fn(array $answer, array $state): ?array => self::settle($answer, $state, $events, $suspect));
            $sent += $state['status'] === 200 ? count($events) : 0;
            $goesOn = $state['error'] === null && ($state['status'] !== 200 || (!$isCapped && $state['queue']));
        }
        return ['sent' => $sent, 'queued' => count($state['queue']), 'dropped' => $state['dropped'],
            'next_in' => max(0, $state['next_at'] - time()), 'error' => $state['error']];
    }

    /**
     * Sends the components of the site when they change, and once a day: ecosystem, name, version and, for inactive ones,
     * 'status' => 'inactive'. Only hashes of names leave the site.
     */
    public function components(array $components): array {
        $told = array_map([self::class, 'hashed'], array_values($components));
        $digest = hash('sha256', json_encode($told, self::JSON));
        $state = $this->read('site');
        if ($state['told'] !== $digest || abs(time() - $state['told_at']) >= self::DAY) {
            $state = $this->askOfSite('/components', ['components' => $told], fn(array $answer): ?array =>
                $answer['status'] === 200 ? ['told' => $digest, 'told_at' => time()] : null);
        }
        return ['told' => $state['told'] === $digest, 'checked_at' => $state['told_at'], 'error' => $state['error']];
    }

    /** Vulnerable components, the most urgent first. Asks once an hour, and after each new list. */
    public function vulnerabilities(): array {
        $state = $this->read('site');
        if ($state['found_in'] !== $state['told'] || abs(time() - $state['at']) >= self::HOUR) {
            $state = $this->askOfSite('/vulnerabilities', null, fn(array $answer, array $state): ?array =>
                isset($answer['json']['data']['findings'])
                    ? ['kept' => $answer['json']['data'], 'at' => time(), 'found_in' => $state['told']] : null);
        }
        return $state['kept'] + ['findings' => [], 'checked_at' => $state['at'], 'error' => $state['error']];
    }

    /** A component with the hash of its name. WordPress names a plugin by its file, but the folder counts. */
    private static function hashed(array $component): array {
        $component += ['ecosystem' => '', 'name' => '', 'version' => ''];
        [$ecosystem, $name] = [$component['ecosystem'], strtolower($component['name'])];
        if ($ecosystem === 'wordpress-plugin') $name = basename(explode('/', $name)[0], '.php');
        if ($ecosystem === 'pypi') $name = preg_replace('/[-_.]+/', '-', $name);
        $hash = hash('sha256', "redoubt-component-v1\n$ecosystem\n$name", true);
        $version = substr(preg_replace('/[^0-9A-Za-z.+:~!_-]+/', '-', $component['version']), 0, 64);
        return ['ecosystem' => $ecosystem, 'name_hash' => rtrim(strtr(base64_encode($hash), '+/', '-_'), '='),
            'version' => $version === '' ? 'unknown' : $version] + array_intersect_key($component, ['status' => 0]);
    }

    /** Asks about the site by its id, which GET /sites shows after the first heartbeat. */
    private function askOfSite(string $path, ?array $body, callable $keep): array {
        $state = $this->read('site');
        $retry_at = time() + $this->options['retry_seconds'];
        $missing = ['site' => '', 'told' => '', 'error' => 'SITE_NOT_FOUND', 'retry_at' => $retry_at];
        $query = '?limit=200';
        for ($request = 0; $state['site'] === '' && $query !== '' && $request < self::REQUESTS_MAX; $request++) {
            [$page, $query] = ["/sites$query", ''];
            $state = $this->ask('site', $page, null, function (array $answer) use (&$query, $missing): ?array {
                $data = $answer['json']['data'] ?? [];
                if (!isset($data['sites'])) return null;
                $ids = array_column($data['sites'], 'id', 'url');
                foreach ($ids as $url => $id) if (self::hostOf($url) === self::hostOf($this->domain)) return ['site' => $id];
                if (isset($data['next_cursor'])) $query = "?limit=200&cursor=$data[next_cursor]";
                return $query === '' ? $missing : [];
            });
        }
        return $state['site'] === '' ? $state : $this->ask('site', "/sites/$state[site]$path", $body,
            fn(array $answer, array $state): ?array =>
                $answer['error'] === 'SITE_NOT_FOUND' ? $missing : $keep($answer, $state));
    }

    private static function hostOf(string $site): string {
        return preg_replace('~^([a-z]+://)?(www\.)?([^/:]*).*$~s', '$3', strtolower(trim($site)));
    }

    /** Halves refused batches until one event is left, which is dropped if the heartbeat is accepted without it. */
    private static function settle(array $answer, array $state, array $events, array $suspect): ?array {
        if ($events && in_array($answer['status'], [400, 413], true)) return ['batch' => intdiv(count($events), 2)];
        if ($events && $answer['error'] === 'DAILY_CAP_EXCEEDED') return ['events_at' => time() + $answer['retry_after']];
        $seconds = $answer['json']['data']['next_heartbeat_seconds'] ?? null;
        $gone = array_column([...$events, ...$suspect], 'event_id');
        $rest = array_filter($state['queue'], fn(array $event): bool => !in_array($event['event_id'], $gone, true));
        return $seconds === null ? null : ['next_at' => time() + $seconds, 'queue' => array_values($rest),
            'batch' => min(self::BATCH_MAX, max(1, 2 * $state['batch'])), 'dropped' => $state['dropped'] + count($suspect)];
    }

    /** Asks, unless it is too early after a failure. $keep returns what to store of an answer, or null for a failure. */
    private function ask(string $name, string $path, ?array $body, callable $keep): array {
        $state = $this->read($name);
        if (self::isAhead($state['retry_at'])) return ['status' => 0] + $state;
        [$head, $text] = $this->send($path, $body === null ? null : json_encode($body, self::JSON), $state['etag']);
        $status = preg_match_all('~^HTTP/\S+ (\d+)~m', $head, $found) ? (int) end($found[1]) : 0;
        $etag = preg_match('~^etag: *(\S+)~im', $head, $found) ? $found[1] : self::STATE['etag'];
        $retry_after = preg_match('~^retry-after: *(\d{1,9})~im', $head, $found) ? min((int) $found[1], self::DAY) : 0;
        $json = json_decode($text, true);
        $code = $json['error']['code'] ?? $json['error'] ?? '';
        $isCode = is_string($code) && preg_match('/^[A-Z_]{1,64}$/D', $code);
        $error = $isCode ? $code : ($status ? "HTTP_$status" : 'UNREACHABLE');
        $answer = compact('json', 'status', 'etag', 'retry_after', 'error');
        return ['status' => $status] + $this->change($name, function (array $state) use ($answer, $keep): array {
            $isLasting = in_array($answer['status'], [400, 401, 403, 404, 413], true); // until the configuration changes
            $pause = $isLasting ? self::HOUR : $this->options['retry_seconds'] * 2 ** min($state['failures'], 10);
            $pause = $answer['retry_after'] ?: (int) ceil(min(self::HOUR, $pause) * random_int(50, 100) / 100);
            $failed = ['failures' => $state['failures'] + 1, 'retry_at' => time() + $pause, 'error' => $answer['error']];
            return ($keep($answer, $state) ?? $failed) + ['failures' => 0, 'retry_at' => 0, 'error' => null];
        });
    }

    /** Head and body of an answer. Both are empty after a timeout, or if the answer is too long. */
    private function send(string $path, ?string $body, string $etag): array {
        [$seconds, $text] = [$this->options['timeout_seconds'], ''];
        $headers = ["Authorization: Bearer $this->key", 'Content-Type: application/json', "If-None-Match: $etag"];
        $http = ['method' => $body === null ? 'GET' : 'POST', 'content' => (string) $body, 'timeout' => $seconds,
            'header' => $headers, 'follow_location' => 0, 'ignore_errors' => true];
        if (function_exists('curl_init')) {
            curl_setopt_array($curl = curl_init($this->url . $path), [CURLOPT_CUSTOMREQUEST => $http['method'],
                CURLOPT_POSTFIELDS => (string) $body, CURLOPT_HTTPHEADER => [...$headers, 'Expect:'], CURLOPT_TIMEOUT => $seconds,
                CURLOPT_ENCODING => '', CURLOPT_HEADER => true, CURLOPT_WRITEFUNCTION => function ($curl, $part) use (&$text) {
                    return strlen($text .= $part) > self::BYTES_MAX ? 0 : strlen($part);
                }]);
            [$isWhole, $length] = [curl_exec($curl), curl_getinfo($curl, CURLINFO_HEADER_SIZE)];
            return $isWhole ? [substr($text, 0, $length), substr($text, $length)] : ['', ''];
        }
        $until = time() + $seconds;
        $stream = @fopen($this->url . $path, 'rb', false, stream_context_create(['http' => $http]));
        while ($stream && !feof($stream) && time() <= $until && strlen($text) <= self::BYTES_MAX) $text .= fread($stream, 8192);
        return $stream && feof($stream) ? [implode("\n", stream_get_meta_data($stream)['wrapper_data']), $text] : ['', ''];
    }

    /** Changes a state under a lock, because requests run in parallel. Readers see the old state or the new one. */
    private function change(string $name, callable $change): array {
        ($lock = @fopen("$this->files$name.lock", 'c')) && flock($lock, LOCK_EX);
        $state = $change($this->read($name)) + $this->read($name);
        $text = json_encode($state, self::JSON);
        $new = (string) @tempnam(dirname($this->files), 'redoubt'); // mode 0600
        @file_put_contents($new, $text) === strlen($text) && @rename($new, "$this->files$name.json") || @unlink($new);
        return $state;
    }

    private function read(string $name): array {
        return (json_decode((string) @file_get_contents("$this->files$name.json"), true) ?: []) + self::STATE;
    }

    private static function isAhead(int $at): bool { // more than a day ahead only if the clock was set back
        return $at > time() && $at <= time() + self::DAY;
    }
}
