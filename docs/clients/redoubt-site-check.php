<?php
/**
 * Has Redoubt check the files of a site: php redoubt-site-check.php --url https://licenses.example.com --root /var/www/html --state /var/lib/my-plugin/site
 * PHP 7.4 or later, with curl or allow_url_fopen; see docs/whole-sites.md. The key comes from the environment (REDOUBT_KEY) or --key-file.
 * What has not changed since the last time is not sent again. Follows no link, and keeps little in memory however many files there are.
 */
final class RedoubtSiteCheck {
    private const ITEMS_MAX = 64;
    private const BYTES_MAX = 1048576;
    private const PENDING_MAX = 2000;
    private const TRIES_MAX = 5;
    /** Of files with another ending, those that hold PHP are sent: more of a text behind a tag than chance makes in a picture. */
    private const PHP = '/<\?(?:php|=|\s)[\t\r\n\x20-\x7e]{12}/i';
    private const ENDINGS = '/\.(?:php\d?|phtml|phar|inc|module|install|theme|tpl|js|mjs|html?|svg|htaccess|user\.ini)$/i';
    private array $pending = [], $items = [], $next = [];
    private int $bytes = 0, $number = 0;
    private $old, $new;
    private float $until;
    private string $url, $key, $root, $state, $site;
    private bool $all;
    private array $told = ['checked' => 0, 'unchanged' => 0, 'unchecked' => 0, 'findings' => 0, 'requests' => 0, 'complete' => false, 'error' => null];

    /** @param array $settings url, key, root, state (a file that the web server does not serve), and if you like site, seconds and all */
    public function __construct(array $settings) {
        foreach (['url', 'key', 'root', 'state', 'site'] as $name) $this->$name = rtrim((string) ($settings[$name] ?? ''), "/ \n");
        $this->all = (bool) ($settings['all'] ?? false);
        $this->until = ($settings['seconds'] ?? 0) > 0 ? microtime(true) + $settings['seconds'] : INF;
    }

    /** Checks what time allows, and goes on there the next time. @param callable $report gets ['path', 'verdict', 'score', 'reason'] of each finding */
    public function run(callable $report): array {
        $lock = @fopen("$this->state.lock", 'c');
        if (!$lock || !flock($lock, LOCK_EX | LOCK_NB)) return ['error' => $lock ? 'RUNNING' : 'STATE_NOT_WRITABLE'] + $this->told;
        try {
            $this->keepWhatWasDone();
            $version = $this->ask('GET', '/status')[1]['x-service-version'] ?? '';
            if ($version === '') throw new RuntimeException('UNREACHABLE');
            $this->old = is_file($this->state) ? fopen($this->state, 'rb') : null;
            // A newer service may know more: everything is checked again.
            if ($this->old && $this->lineOf($this->old) !== [$version]) $this->old = null;
            $this->new = @fopen("$this->state.new", 'wb');
            if (!$this->new) throw new RuntimeException('STATE_NOT_WRITABLE');
            chmod("$this->state.new", 0600);
            $this->write([$version]);
            foreach ($this->files($this->root, '') as $path) $this->look($path, $report);
            $this->send($report);
            fclose($this->new);
            rename("$this->state.new", $this->state);
            $this->told['complete'] = true;
        } catch (RuntimeException $stop) {
            if ($this->new) fclose($this->new);
            $this->keepWhatWasDone();
            if ($stop->getMessage() !== 'TIME') $this->told['error'] = $stop->getMessage();
        }
        flock($lock, LOCK_UN);
        return $this->told;
    }

    /** Paths below the root, in the order of the state. */
    private function files(string $folder, string $below): Generator {
        $names = @scandir($folder, SCANDIR_SORT_NONE);
        if ($names === false) return;
        sort($names, SORT_STRING);
        foreach ($names as $name) {
            if ($name === '.' || $name === '..' || is_link("$folder/$name")) continue;
            if (is_dir("$folder/$name")) yield from $this->files("$folder/$name", "$below$name/");
            elseif (is_file("$folder/$name")) yield $below . $name;
        }
    }

    private function look(string $path, callable $report): void {
        $stat = @lstat("$this->root/$path");
        if (!$stat) return;
        $mark = [$stat['size'], $stat['mtime'], $stat['ctime']];
        $known = $this->known($path);
        if ($known && !$this->all && array_slice($known, 1, 3) === $mark) {
            $this->told['unchanged']++;
            $this->pend(array_merge([$path], $mark, array_slice($known, 4)), null, $report);
            return;
        }
        // What was changed in this very second may change once more without showing it.
        $line = [$path, $stat['size'], $stat['mtime'], $stat['ctime'] >= time() - 1 ? 0 : $stat['ctime']];
        $content = $stat['size'] > self::BYTES_MAX ? null : $this->read($path, $stat['ino']);
        if ($content === null) {
            $reason = $stat['size'] > self::BYTES_MAX ? 'larger than 1 MiB' : 'not readable';
            $this->pend(array_merge($line, ['', 'unchecked', 0, $reason]), null, $report);
            return;
        }
        $hash = hash('sha256', $content);
        if ($known && $known[4] === $hash) {
            $this->told['unchanged']++;
            $this->pend(array_merge($line, array_slice($known, 4)), null, $report);
            return;
        }
        $line[] = $hash;
        if ($content === '' || (!preg_match(self::ENDINGS, $path) && !preg_match(self::PHP, $content))) {
            $this->pend(array_merge($line, ['clean', 0, '']), null, $report);
            return;
        }
        // What is no UTF-8 is sent byte by byte as the characters of those numbers.
        if (!preg_match('//u', $content)) $content = preg_replace_callback('/[\x80-\xff]/', static function ($found) {
            return chr(0xc0 | ord($found[0]) >> 6) . chr(0x80 | ord($found[0]) & 0x3f);
        }, $content);
        $item = json_encode(['id' => (string) $this->number++, 'input_type' => 'code', 'content' => $content]
            + ($this->site === '' ? [] : ['site_url' => $this->site]), JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        if (strlen($item) + 12 > self::BYTES_MAX) $this->pend(array_merge($line, ['unchecked', 0, 'larger than 1 MiB']), null, $report);
        else $this->pend($line, $item, $report);
    }

    private function pend(array $line, ?string $item, callable $report): void {
        if ($item !== null && (count($this->items) >= self::ITEMS_MAX || $this->bytes + strlen($item) + 13 > self::BYTES_MAX)) $this->send($report);
        if ($item !== null) {
            $this->items[count($this->pending)] = $item;
            $this->bytes += strlen($item) + 1;
        }
        $this->pending[] = $line;
        if (count($this->pending) >= self::PENDING_MAX) $this->send($report);
    }

    /** Has what waits checked, and keeps it. */
    private function send(callable $report): void {
        if (microtime(true) > $this->until) throw new RuntimeException('TIME');
        foreach ($this->items ? $this->verdicts($this->items) : [] as $index => $verdict) {
            $this->told[$verdict[0] === 'unchecked' ? 'unchecked' : 'checked']++;
            array_push($this->pending[$index], ...$verdict);
        }
        foreach ($this->pending as $index => $line) {
            [$path, , , , , $verdict, $score, $reason] = $line;
            if ($verdict === 'unchecked' && !isset($this->items[$index])) $this->told['unchecked']++;
            if ($verdict !== 'clean') $report(['path' => $path, 'verdict' => $verdict, 'score' => $score, 'reason' => $reason]);
            if ($verdict === 'malicious' || $verdict === 'suspicious') $this->told['findings']++;
            $this->write($line);
        }
        [$this->pending, $this->items, $this->bytes] = [[], [], 0];
    }

    /** Of each item: verdict, score, first reason. What the service cannot take is halved, until the one is left that it is about. */
    private function verdicts(array $items): array {
        for ($tries = 0; ; ) {
            [$status, $headers, $body] = $this->ask('POST', '/brain/analyze/batch', '{"items":[' . implode(',', $items) . ']}');
            $answer = json_decode($body, true);
            if ($status === 200 && is_array($answer['data']['items'] ?? null) && count($answer['data']['items']) === count($items)) {
                return array_combine(array_keys($items), array_map(static function ($item) {
                    return [$item['verdict'], $item['score'], $item['reasons'][0] ?? ''];
                }, $answer['data']['items']));
            }
            $code = (string) ($answer['error']['code'] ?? ($status === 0 ? 'UNREACHABLE' : "HTTP_$status"));
            if (in_array($status, [401, 403, 404], true)) throw new RuntimeException($code);
            if (in_array($status, [400, 413, 500], true)) {
                if (count($items) === 1) return [key($items) => ['unchecked', 0, $code]];
                [$first, $second] = array_chunk($items, (int) ceil(count($items) / 2), true);
                return $this->verdicts($first) + $this->verdicts($second);
            }
            // A limit is no failure: it is over when Retry-After says so.
            if ($status !== 429 && ++$tries >= self::TRIES_MAX) throw new RuntimeException($code);
            $pause = max(1, min(3600, (int) ($headers['retry-after'] ?? 2 ** $tries)));
            if (microtime(true) + $pause > $this->until) throw new RuntimeException('TIME');
            sleep($pause);
        }
    }

    /** A file's content, if it is still the one that was looked at; null when it cannot be read. */
    private function read(string $path, int $inode): ?string {
        $file = @fopen("$this->root/$path", 'rb');
        if (!$file) return null;
        $content = fstat($file)['ino'] === $inode ? stream_get_contents($file, self::BYTES_MAX) : false;
        fclose($file);
        return $content === false ? null : $content;
    }

    /** What the last run kept of a file. Both go through the paths in one order, so that neither is ever kept as a whole. */
    private function known(string $path): ?array {
        while ($this->old && (!$this->next || self::order($this->next[0], $path) < 0)) {
            $this->next = $this->lineOf($this->old) ?? [];
            if (!$this->next) $this->old = null;
        }
        return $this->next && $this->next[0] === $path ? $this->next : null;
    }

    private static function order(string $one, string $other): int {
        return strcmp(str_replace('/', "\0", $one), str_replace('/', "\0", $other));
    }

    private function write(array $line): void {
        $line[0] = addcslashes($line[0], "\0..\37\\\177..\377");
        if (!fwrite($this->new, json_encode($line, JSON_INVALID_UTF8_SUBSTITUTE) . "\n")) throw new RuntimeException('STATE_NOT_WRITABLE');
    }

    private function lineOf($file): ?array {
        $line = json_decode((string) fgets($file), true);
        if (!is_array($line)) return null;
        $line[0] = stripcslashes($line[0]);
        return $line;
    }

    /** What a run that was cut off has done goes before what the one before it knew of the rest. */
    private function keepWhatWasDone(): void {
        if (!is_file("$this->state.new")) return;
        [$done, $before] = [fopen("$this->state.new", 'rb'), is_file($this->state) ? fopen($this->state, 'rb') : null];
        $this->new = fopen("$this->state.merged", 'wb');
        [$head, $last] = [$this->lineOf($done), ''];
        if ($head) $this->write($head);
        for (; $head && ($line = $this->lineOf($done)); $last = $line[0]) if (count($line) === 8) $this->write($line);
        if ($before && $this->lineOf($before) === $head) while ($line = $this->lineOf($before)) if (self::order($line[0], $last) > 0) $this->write($line);
        fclose($this->new);
        $this->new = null;
        chmod("$this->state.merged", 0600);
        if ($head) rename("$this->state.merged", $this->state);
        unlink("$this->state.new");
    }

    /** Status, headers by their names in lower case, and body; a status of 0 when there is no answer. Follows no redirect, which would take the key along. */
    private function ask(string $method, string $path, string $body = ''): array {
        $this->told['requests']++;
        $headers = ["Authorization: Bearer $this->key", 'Content-Type: application/json', 'Expect:'];
        if (function_exists('curl_init')) {
            curl_setopt_array($curl = curl_init("$this->url/api/v1$path"), [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $headers,
                CURLOPT_TIMEOUT => 120, CURLOPT_HEADER => true, CURLOPT_RETURNTRANSFER => true] + ($body === '' ? [] : [CURLOPT_POSTFIELDS => $body]));
            $text = (string) curl_exec($curl);
            $size = curl_getinfo($curl, CURLINFO_HEADER_SIZE);
            [$head, $answer] = [explode("\n", substr($text, 0, $size)), substr($text, $size)];
        } else {
            $http = ['method' => $method, 'header' => array_slice($headers, 0, 2), 'content' => $body, 'timeout' => 120, 'ignore_errors' => true, 'follow_location' => 0];
            $stream = @fopen("$this->url/api/v1$path", 'rb', false, stream_context_create(['http' => $http]));
            [$head, $answer] = $stream ? [stream_get_meta_data($stream)['wrapper_data'], stream_get_contents($stream)] : [[], ''];
        }
        [$status, $named] = [0, []];
        foreach ($head as $line) {
            if (preg_match('/^HTTP\/\S+ (\d{3})/', $line, $found)) [$status, $named] = [(int) $found[1], []];
            elseif (strpos($line, ':')) $named[strtolower(strstr($line, ':', true))] = trim(substr(strstr($line, ':'), 1));
        }
        return [$status, $named, $answer];
    }
}

if (PHP_SAPI === 'cli' && realpath($_SERVER['argv'][0] ?? '') === __FILE__) {
    $given = getopt('', ['url:', 'root:', 'state:', 'site:', 'key-file:', 'seconds:', 'all']);
    $given['key'] = isset($given['key-file']) ? (string) file_get_contents($given['key-file']) : (string) getenv('REDOUBT_KEY');
    $given['all'] = isset($given['all']);
    if (!isset($given['url'], $given['root'], $given['state']) || trim($given['key']) === '' || !is_dir($given['root'])) {
        fwrite(STDERR, "php redoubt-site-check.php --url URL --root FOLDER --state FILE [--site URL] [--key-file FILE] [--seconds N] [--all]\n");
        exit(2);
    }
    $told = (new RedoubtSiteCheck($given))->run(static function (array $found) {
        echo $found['verdict'], ' ', $found['score'], ' ', addcslashes($found['path'], "\0..\37\\\177..\237"), ': ', $found['reason'], "\n";
    });
    echo json_encode($told), "\n";
    exit($told['complete'] ? ($told['findings'] > 0 ? 1 : 0) : 2);
}
