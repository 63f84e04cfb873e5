<?php
/**
 * Scans the files of a site with Redoubt: php redoubt-site-check.php --help. PHP 7.4 or later, with curl or allow_url_fopen. See
 * docs/whole-sites.md. Unchanged files are not sent again. Follows no links, and uses little memory.
 */
final class RedoubtSiteCheck {
    private const ITEMS_MAX = 64;
    /** Of a request. */
    private const BYTES_MAX = 1048576;
    /** Longer files are sent in parts, which overlap so that nothing is missed between them. */
    private const PART_BYTES = 458752;
    private const SHARED_BYTES = 8192;
    /** Larger files are not sent, and above the second limit not even searched for PHP. */
    private const SENT_MAX = 16777216;
    private const READ_MAX = 1073741824;
    private const PENDING_MAX = 2000;
    private const TRIES_MAX = 5;
    /** The root of the system, with a dot so that no path below it begins with two slashes; and its folders without files on a disk. */
    private const TOP = '/.';
    private const NO_FILES = ['/./proc', '/./sys', '/./dev'];
    /** Increase it when other files are sent or the state's format changes: everything is scanned again then. */
    private const FORMAT = 3;
    private const RANKS = ['clean' => 0, 'unchecked' => 1, 'suspicious' => 2, 'malicious' => 3];
    private const ENDINGS = '/\.(?:php\d?|phtml|phar|inc|module|install|theme|tpl|m?js|html?|svg|htaccess|user\.ini'
        . '|jspx?|as[hmp]x|asp|cfml?|cgi|pl|py|rb|ps1|sh)$/i';
    /**
     * Files with other endings are sent if they contain PHP. Short tags also occur in pictures by chance, so they must be followed
     * by a comment, or by more text than chance produces.
     */
    private const PHP = '/<\?(?:php(?:\s|[\t\r\n\x20-\x7e]{12})'
        . '|[= \t\r\n](?:[\t\r\n\x20-\x7e]{10}|\s*\/[\/*]|\s*(?:[#"\'$`].{0,400}?|.{0,64}?)[\t\r\n\x20-\x7e]{12}))/is';
    /** Byte order of UTF-16 by its mark, and what cannot occur in it even if the mark says so. */
    private const UTF16 = ["\xff\xfe" => '\u$2$1', "\xfe\xff" => '\u$1$2'];
    private const ONE_BYTE_TEXT = '/[\t\r\n\x20-\x7e]{64}/';
    private const PAGE = '/^(?:\xef\xbb\xbf)?\s*(?:<!doctype|<html|<head|<body|<script|<div|<!--|<meta)/i';
    /** Where each context of a PHP file (HTML, code, string, comment) can end, or another one begin. */
    private const SIGNS = [
        '' => '/<\?(?:php\b|=|\s)|<\/?script\b/i',
        '<?' => '/\?>|\/\*|\/\/|#(?!\[)|[\'"`]|<<<[ \t]*(["\']?)([\w\x80-\xff]+)\1\r?\n/',
        "'" => '/\\\\.|\'/s', '"' => '/\\\\.|"/s', '`' => '/\\\\.|`/s', '/*' => '/\*\//', '//' => '/[\r\n]|\?>/',
    ];
    private string $url, $key, $root, $state, $site, $accept, $why = '';
    private bool $all, $isOlder = false;
    private float $until;
    /** What waits to be written, in the order of the walk; what waits to be sent; and the file that is being split. */
    private SplQueue $pending;
    private array $items = [];
    private ?stdClass $current = null;
    private int $bytes = 0, $number = 0;
    private $lock, $old, $new, $report;
    private array $next = [], $accepted = [], $before = [];
    /** Replaces the number of finished parts in the state, if the file must be read again. */
    private const AGAIN = -1;
    private const TYPES = 'string,integer,integer,integer,string,string,integer,string,integer';
    private array $told = ['checked' => 0, 'unchanged' => 0, 'nothing_to_send' => 0, 'unchecked' => 0, 'findings' => 0, 'accepted' => 0,
        'requests' => 0, 'complete' => false, 'error' => null, 'message' => null];

    /** @param array $settings url, key, root, state (a file outside the web root); optional: site, seconds, accept, all */
    public function __construct(array $settings) {
        foreach (['url', 'key', 'root', 'state', 'site', 'accept'] as $name) $this->$name = (string) ($settings[$name] ?? '');
        if (preg_match('/^\/+$/D', $this->root)) $this->root = self::TOP;
        [$this->url, $this->root, $this->key] = [rtrim($this->url, '/'), rtrim($this->root, '/'), trim($this->key)];
        $this->all = (bool) ($settings['all'] ?? false);
        $this->until = ($settings['seconds'] ?? 0) > 0 ? microtime(true) + $settings['seconds'] : INF;
        $this->pending = new SplQueue();
    }

    /**
     * Scans as long as time allows, and continues in the next run.
     * @param callable $report gets ['path', 'verdict', 'score', 'reason', 'is_new', 'line'] of each finding and each unchecked file.
     *   is_new is false if the last run reported the same content, or could not scan the file either. line is one line for a log,
     *   with special characters of the path escaped
     */
    public function run(callable $report): array {
        $this->report = $report;
        try {
            $this->begin();
            foreach ($this->files($this->root, '') as $path) $this->look($path);
            $this->send();
            fclose($this->new);
            $this->new = null;
            if (!@rename("$this->state.new", $this->state)) throw $this->notWritable();
            $this->told['complete'] = true;
        } catch (RedoubtSiteCheckStop $stop) {
            [$this->told['error'], $this->told['message']] = [$stop->error === 'TIME' ? null : $stop->error, $stop->getMessage()];
            if ($this->new) $this->end();
        }
        $this->lock = null;
        return $this->told;
    }

    private function begin(): void {
        clearstatcache();
        if (!is_dir($this->root) || !@scandir($this->root) || !@lstat("$this->root/.")) {
            throw new RedoubtSiteCheckStop('ROOT_NOT_READABLE', "this user cannot read the root '$this->root', or it is not a folder");
        }
        $example = ($this->state === '' ? '/var/lib/redoubt-check' : rtrim($this->state, '/')) . '/site';
        if ($this->state === '' || is_dir($this->state)) throw new RedoubtSiteCheckStop('STATE_NOT_WRITABLE', "the state '$this->state' is not a file. Name one, such as $example");
        $folder = dirname($this->state);
        $above = realpath(is_dir($folder) ? $folder : dirname($folder)) . DIRECTORY_SEPARATOR;
        // The web server would publish it.
        if ($this->root !== self::TOP && strpos($above, realpath($this->root) . DIRECTORY_SEPARATOR) === 0) {
            throw new RedoubtSiteCheckStop('STATE_IN_ROOT', "$this->state is inside the root. Store the state outside the folders that the web server serves");
        }
        if (!is_dir($folder)) @mkdir($folder, 0700);
        $lock = @fopen("$this->state.lock", 'c');
        if (!$lock) throw $this->notWritable();
        if (!flock($lock, LOCK_EX | LOCK_NB)) throw new RedoubtSiteCheckStop('RUNNING', "another run uses $this->state");
        $this->lock = $lock;
        if ($this->accept !== '') $this->readAccepted();
        $version = $this->greet();
        $this->keepWhatWasDone();
        $this->old = is_file($this->state) ? $this->open($this->state) : null;
        // A newer service may find more.
        $this->isOlder = $this->old && $this->headOf($this->old) !== [$version, self::FORMAT];
        $this->new = $this->create("$this->state.new");
        $this->write([$version, self::FORMAT]);
    }

    /** Checks the key, so that a wrong one is reported even if nothing must be sent. Returns the service's version. */
    private function greet(): string {
        for ($tries = 1; ; $this->pause($status, $headers, $tries++)) {
            [$status, $headers, $body] = $this->ask('GET', '/me');
            if ($status !== 429 && ($status < 500 || $tries >= self::TRIES_MAX || !isset($headers['x-service-version']))) break;
        }
        $this->refuseElsewhere($status, $headers);
        $version = $headers['x-service-version'] ?? '';
        if ($version === '') throw new RedoubtSiteCheckStop('UNREACHABLE', $status ? "$this->url answers $status, but not as a Redoubt service" : $this->why);
        $answer = json_decode($body, true);
        if ($status !== 200) throw new RedoubtSiteCheckStop((string) ($answer['error']['code'] ?? "HTTP_$status"), (string) ($answer['error']['message'] ?? ''));
        $plan = $answer['data']['plan'] ?? '';
        if (in_array($plan, ['free', 'starter'], true)) throw new RedoubtSiteCheckStop('PLAN_REQUIRED', "the key has the plan $plan, but pro is required");
        return $version;
    }

    private function refuseElsewhere(int $status, array $headers): void {
        $to = preg_replace('/\/api\/v1\/.*$/Ds', '', $headers['location'] ?? 'somewhere else');
        if ($status >= 300 && $status < 400) throw new RedoubtSiteCheckStop('UNREACHABLE', "$this->url redirects to $to. Use that address as --url");
        if ($status === 404) throw new RedoubtSiteCheckStop('NOT_FOUND', "$this->url answers 404. Check --url: it must have no path, and must not be the address of the admin API");
    }

    /** Waits as long as Retry-After says. */
    private function pause(int $status, array $headers, int $tries): void {
        $pause = max(1, min(3600, (int) ($headers['retry-after'] ?? 2 ** $tries)));
        $why = ($status === 429 ? 'the rate limit is reached' : 'the service does not answer') . ": the next try is in $pause s, after the end of --seconds";
        if (microtime(true) + $pause > $this->until) throw $this->outOfTime($why);
        sleep($pause);
    }

    /** Stores the progress of a run that stops, also within a file. Progress that cannot be stored is repeated. */
    private function end(): void {
        try {
            $this->flush();
            $begun = $this->pending->isEmpty() ? $this->current : $this->pending->bottom();
            if ($begun && $begun->done > 0 && $begun->kept) $this->keep($begun, $begun->done);
            fclose($this->new);
            $this->keepWhatWasDone();
        } catch (RedoubtSiteCheckStop $full) {
            [$this->told['error'], $this->told['message']] = [$full->error, $full->getMessage()];
        }
    }

    private function outOfTime(string $why = 'the time of --seconds is over'): RedoubtSiteCheckStop {
        return new RedoubtSiteCheckStop('TIME', "$why; the next run continues here");
    }

    private function notWritable(): RedoubtSiteCheckStop {
        $folder = dirname($this->state);
        foreach (['.lock', '', '.new', '.merged'] as $ending) {
            $file = $this->state . $ending;
            if (!file_exists($file) || (is_readable($file) && is_writable($file))) continue;
            $owner = function_exists('posix_getpwuid') ? posix_getpwuid(fileowner($file))['name'] ?? fileowner($file) : fileowner($file);
            return new RedoubtSiteCheckStop('STATE_NOT_WRITABLE', "$file belongs to the user $owner, and this user cannot write to it. Run as that user, or remove the file");
        }
        return new RedoubtSiteCheckStop('STATE_NOT_WRITABLE', is_dir($folder)
            ? "$this->state cannot be written. Let this user write to its folder, and check the free disk space"
            : "the folder $folder does not exist. Create it as this user: mkdir -p -m 700 '$folder'");
    }

    /** Reads lines of sha256sum, with paths inside the root. */
    private function readAccepted(): void {
        $lines = is_dir($this->accept) ? false : @file($this->accept, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES);
        if ($lines === false) throw new RedoubtSiteCheckStop('ACCEPT_NOT_READABLE', "$this->accept cannot be read");
        foreach ($lines as $line) {
            if (!preg_match('/^(\\\\?)([0-9a-f]{64}) [ *](?:\.\/)?(?!\/|\.\.\/)(.+)$/D', $line, $found)) {
                throw new RedoubtSiteCheckStop('ACCEPT_MALFORMED', "$this->accept has a line that is not output of sha256sum, or a path that is not relative to the root: $line");
            }
            $path = $found[1] === '' ? $found[3] : strtr($found[3], ['\\\\' => '\\', '\n' => "\n", '\r' => "\r"]);
            $this->accepted["$found[2]  $path"] = true;
        }
    }

    /** Paths below the root, in the order of the state. An unreadable folder gives its own path with a slash. */
    private function files(string $folder, string $below): Generator {
        $names = @scandir($folder, SCANDIR_SORT_NONE);
        // Without the right to search a folder, its names can be read, but not its files.
        if ($names === false || !@lstat("$folder/.")) {
            if (is_dir($folder)) yield $below;
            return;
        }
        sort($names, SORT_STRING);
        foreach ($names as $name) {
            if ($name === '.' || $name === '..' || is_link("$folder/$name") || in_array("$folder/$name", self::NO_FILES, true)) continue;
            if (is_dir("$folder/$name")) yield from $this->files("$folder/$name", "$below$name/");
            elseif (is_file("$folder/$name")) yield $below . $name;
        }
    }

    private function look(string $path): void {
        $stat = @lstat("$this->root/$path");
        if (!$stat) return;
        $mark = [$stat['size'], $stat['mtime'], $stat['ctime']];
        $known = $this->known($path);
        $wasFinding = $known && $known[5] !== 'unchecked';
        // Nothing was reported about unfinished files.
        $this->before = $known && $known[8] <= 0 && $known[5] !== 'clean' ? [$wasFinding, $wasFinding ? $known[4] : ''] : [];
        $isKnown = $known && $known[8] === 0;
        if ($isKnown && !$this->all && array_slice($known, 1, 3) === $mark) {
            $this->pend($this->entry('unchanged', array_slice($known, 0, 5), $known));
            return;
        }
        // A file changed within this second may change again with the same times.
        $line = [$path, $stat['size'], $stat['mtime'], $stat['ctime'] >= time() - 1 ? 0 : $stat['ctime'], ''];
        $isCode = preg_match(self::ENDINGS, $path) === 1;
        if ($stat['size'] > ($isCode ? self::SENT_MAX : self::READ_MAX)) {
            $this->pend($this->fail($this->entry('checked', $line), $isCode ? 'larger than 16 MiB' : 'larger than 1 GiB', true));
            return;
        }
        $file = substr($path, -1) === '/' ? false : @fopen("$this->root/$path", 'rb');
        $read = $file && fstat($file)['ino'] === $stat['ino'] ? $this->search($file) : null;
        if (!$read) {
            if (file_exists("$this->root/$path")) $this->pend($this->fail($this->entry('checked', $line), 'not readable'));
            return;
        }
        [$bytes, $line[4], $holdsPhp, $readings] = $read;
        $isSame = $known && $known[4] === $line[4];
        if ($isSame && $isKnown) $this->pend($this->entry('unchanged', $line, $known));
        elseif ($bytes === 0 || !($isCode || $holdsPhp)) $this->pend($this->entry('nothing_to_send', $line));
        elseif ($bytes > self::SENT_MAX) $this->pend($this->fail($this->entry('checked', $line), 'larger than 16 MiB', true));
        else $this->cut($file, $bytes, $this->entry('checked', $line, $isSame && $known[8] > 0 ? $known : []), $readings);
    }

    /** Length, SHA-256, whether the file contains PHP, and how to read it; null if it cannot be read. */
    private function search($file): ?array {
        [$bytes, $sum, $end, $holdsPhp, $readings] = [0, hash_init('sha256'), '', false, ['']];
        while ($bytes < self::READ_MAX && ($text = @fread($file, self::PART_BYTES)) !== '') {
            if ($text === false) return null;
            hash_update($sum, $text);
            $bytes += strlen($text);
            if ($bytes === strlen($text)) $readings = [self::UTF16[substr($text, 0, 2)] ?? ''];
            $holdsPhp = $holdsPhp || preg_match(self::PHP, $end . $text) === 1;
            // Browsers trust the mark. PHP and shells run what follows a false one.
            if ($readings[0] !== '' && ($holdsPhp || preg_match(self::ONE_BYTE_TEXT, $end . $text))) $readings[1] = '';
            $end = substr($text, -512);
        }
        // A failing disk can look like the end of the file.
        return $bytes < fstat($file)['size'] && $bytes < self::READ_MAX ? null : [$bytes, hash_final($sum), $holdsPhp, $readings];
    }

    /** Sends a file, in parts if it is long. */
    private function cut($file, int $bytes, stdClass $entry, array $readings): void {
        $this->current = $entry;
        [$skipped, $isJs] = [$entry->done, preg_match('/\.m?js$/i', $entry->line[0]) === 1];
        foreach ($readings as $utf16) {
            foreach ($parts = $this->parts($file, $bytes, $isJs, $utf16) as [$item, $lines]) {
                if ($skipped-- > 0) continue;
                if (count($this->items) >= self::ITEMS_MAX || $this->bytes + strlen($item) + 12 > self::BYTES_MAX) $this->send();
                $entry->waiting++;
                $this->items[] = [$item, $entry, $lines];
                $this->bytes += strlen($item) + 1;
            }
            if ($parts->getReturn() !== $entry->line[4]) $this->fail($entry, 'changed while it was read');
        }
        $this->current = null;
        $this->pend($entry);
    }

    /**
     * Parts as items of a request, each with the number of lines before it, and finally the SHA-256 of what was read. A part that
     * begins inside PHP, a string or a script gets an opening, as the service's windows do.
     */
    private function parts($file, int $bytes, bool $isJs, string $utf16): Generator {
        [$sum, $inside, $script, $isMarkup, $opening, $lines] = [hash_init('sha256'), '', false, false, '', 0];
        for ($at = 0; ; $at += $step) {
            fseek($file, $at);
            $read = (string) stream_get_contents($file, min(self::PART_BYTES, $bytes - $at));
            $isLast = $at + strlen($read) >= $bytes || $read === '';
            $text = $utf16 === '' ? $read : self::fromUtf16($read, $utf16);
            // Escaped characters and bytes outside UTF-8 take more space in the request than in the file.
            for (; ; [$text, $isLast] = [substr($text, 0, strlen($text) >> 1), false]) {
                // A character that continues in the next part starts there again.
                $item = $this->itemOf($opening . ($isLast ? $text : preg_replace('/[\xc0-\xff][\x80-\xbf]{0,2}$/D', '', $text)));
                if (strlen($item) + 12 <= self::BYTES_MAX || strlen($text) <= 4 * self::SHARED_BYTES) break;
            }
            yield [$item, $lines - substr_count($opening, "\n")];
            if ($isLast) {
                hash_update($sum, $read);
                return hash_final($sum);
            }
            $cut = self::placeToCut($text);
            if ($at === 0) $isMarkup = !$isJs && preg_match(self::PAGE, $text) === 1;
            if (!$isJs) $cut = self::readTo($cut, $text, $inside, $script, $isMarkup);
            if ($at === 0 && strncmp($text, '#!', 2) === 0) $opening = strstr(substr($text, 0, 1024), "\n", true) . "\n";
            if ($isMarkup) $opening = self::openingOf($inside, $script);
            // Characters; surrogate pairs count twice.
            $step = $utf16 === '' ? $cut : 2 * preg_match_all('/[^\x80-\xbf]|(?<=[\xf0-\xff])./s', substr($text, 0, $cut));
            hash_update($sum, substr($read, 0, $step));
            $lines += substr_count($text, "\n", 0, $cut);
        }
    }

    /** Uses JSON, because not every PHP has mbstring or iconv, and they treat half pairs differently. Drops a half pair at the end. */
    private static function fromUtf16(string $read, string $order): string {
        $halves = ['/(..)(..)/', '/\\\\ud[89ab]..$/D', '/\\\\ud[89ab]..\\\\ud[c-f]..(*SKIP)(*FAIL)|\\\\ud[89a-f]../'];
        return json_decode('"' . preg_replace($halves, [$order, '', '\ufffd'], bin2hex(substr($read, 0, strlen($read) & ~1))) . '"');
    }

    /** Start of the next part: at a line if one is near, otherwise after a semicolon, and never inside a character. */
    private static function placeToCut(string $text): int {
        $from = strlen($text) - 2 * self::SHARED_BYTES;
        $near = substr($text, $from, self::SHARED_BYTES);
        $end = strrpos($near, "\n") ?: strrpos($near, ';');
        if ($end) return $from + $end + 1;
        for ($place = $from + self::SHARED_BYTES; $place > $from + self::SHARED_BYTES - 3 && (ord($text[$place]) & 0xc0) === 0x80; ) $place--;
        return $place;
    }

    /** Reads up to a position, or to the end of a token across it, and returns the context there. */
    private static function readTo(int $place, string $text, string &$inside, bool &$script, bool &$isMarkup): int {
        for ($at = 0; ; $at = $found[0][1] + strlen($found[0][0])) {
            $sign = self::SIGNS[$inside] ?? '/^[ \t]*' . substr($inside, 3) . '(?![\w\x80-\xff])/m';
            if (!preg_match($sign, $text, $found, PREG_OFFSET_CAPTURE, $at) || $found[0][1] >= $place) return max($at, $place);
            $met = $found[0][0];
            if ($inside === '' && $met[1] !== '?') $script = $met[1] !== '/';
            elseif ($inside === '') [$inside, $isMarkup] = ['<?', true];
            elseif ($inside !== '<?') $inside = $met === '?>' ? '' : ($met[0] === '\\' ? $inside : '<?');
            elseif ($met === '?>') $inside = '';
            else $inside = $met === '#' ? '//' : ($met[0] === '<' ? '<<<' . $found[2][0] : $met);
        }
    }

    private static function openingOf(string $inside, bool $script): string {
        if ($inside === '') return $script ? '<script>' : '<!---->';
        return ($script ? '<script>' : '') . '<?php ' . ($inside === '<?' ? '' : $inside . ($inside[0] === '<' ? "\n" : ''));
    }

    private function itemOf(string $content): string {
        // Bytes outside UTF-8 are sent as the characters with their numbers.
        if (!preg_match('//u', $content)) $content = preg_replace_callback('/[\x80-\xff]/', static function ($found) {
            return chr(0xc0 | ord($found[0]) >> 6) . chr(0x80 | ord($found[0]) & 0x3f);
        }, $content);
        return json_encode(['id' => (string) $this->number++, 'input_type' => 'code', 'content' => $content]
            + ($this->site === '' ? [] : ['site_url' => $this->site]), JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
    }

    /** Result of a file: `as` is how it counts, `kept` whether its verdict is stored, and how many parts are done and waiting. */
    private function entry(string $as, array $line, array $known = []): stdClass {
        [$verdict, $score, $reason, $done] = array_slice($known, 5) ?: ['clean', 0, '', 0];
        return (object) ['as' => $as, 'line' => $line, 'verdict' => $verdict, 'score' => $score, 'reason' => $reason, 'done' => $done,
            'waiting' => 0, 'kept' => true, 'before' => $this->before];
    }

    /** A failure may not happen again, so only facts about the file itself are stored. */
    private function fail(stdClass $entry, string $reason, bool $isRemembered = false): stdClass {
        $this->judge($entry, 'unchecked', 0, $reason);
        $entry->kept = $isRemembered;
        return $entry;
    }

    private function judge(stdClass $entry, string $verdict, int $score, string $reason): void {
        if ([self::RANKS[$verdict] ?? 2, $score] <= [self::RANKS[$entry->verdict] ?? 2, $entry->score]) return;
        [$entry->verdict, $entry->score, $entry->reason] = [$verdict, $score, $reason];
    }

    private function pend(stdClass $entry): void {
        $this->pending->enqueue($entry);
        if (count($this->pending) >= self::PENDING_MAX || microtime(true) > $this->until) $this->send();
    }

    /** Sends waiting items and stores the results. */
    private function send(): void {
        if (microtime(true) > $this->until) throw $this->outOfTime();
        $items = $this->items;
        [$this->items, $this->bytes] = [[], 0];
        if ($items) $this->check($items);
        $this->flush();
    }

    /** Reports and stores finished files, up to the first unfinished one. */
    private function flush(): void {
        while (!$this->pending->isEmpty() && $this->pending->bottom()->waiting === 0) {
            $entry = $this->pending->dequeue();
            [$path, $verdict] = [$entry->line[0], $entry->verdict];
            $this->told[$verdict === 'unchecked' ? 'unchecked' : $entry->as]++;
            $isFinding = $verdict !== 'clean' && $verdict !== 'unchecked';
            $isAccepted = $isFinding && isset($this->accepted[$entry->line[4] . "  $path"]);
            if ($isFinding) $this->told[$isAccepted ? 'accepted' : 'findings']++;
            if ($verdict !== 'clean' && !$isAccepted) {
                // Line breaks and terminal controls must not get into a log.
                $shown = preg_match('/^[^\p{C}\\\\]+$/Du', $path) ? $path : addcslashes($path, "\0..\37\\\177..\377");
                ($this->report)(['path' => $path, 'verdict' => $verdict, 'score' => $entry->score, 'reason' => $entry->reason,
                    'is_new' => $entry->before !== [$isFinding, $isFinding ? $entry->line[4] : ''], 'line' => "$verdict $entry->score $shown: $entry->reason"]);
            }
            $this->keep($entry, $entry->kept ? 0 : self::AGAIN);
        }
    }

    private function keep(stdClass $entry, int $done): void {
        $this->write(array_merge($entry->line, [$entry->verdict, $entry->score, $entry->reason, $done]));
    }

    /** Halves a refused batch until the cause is alone. */
    private function check(array $items): void {
        for ($tries = 0; ; ) {
            [$status, $headers, $body] = $this->ask('POST', '/brain/analyze/batch', '{"items":[' . implode(',', array_column($items, 0)) . ']}');
            $answer = json_decode($body, true);
            $verdicts = $answer['data']['items'] ?? null;
            if ($status === 200 && is_array($verdicts) && count($verdicts) === count($items)) {
                foreach ($items as $index => [, $entry, $lines]) $this->take($entry, $verdicts[$index], $lines);
                return;
            }
            $this->refuseElsewhere($status, $headers);
            $code = (string) ($answer['error']['code'] ?? ($status === 0 ? 'UNREACHABLE' : "HTTP_$status"));
            $message = (string) ($answer['error']['message'] ?? ($status === 0 ? $this->why : 'the answer is not from Redoubt. Check the proxies in between'));
            // An error in a common field, such as the site, is not the fault of one item.
            $isOfAll = $status === 400 && isset($answer['error']['message']) && !preg_match('/\bcontent\b/', $message);
            // If a firewall refuses one content, the others are still scanned.
            $isBetween = in_array($code, ['HTTP_403', 'HTTP_413'], true);
            if ($isOfAll || (in_array($status, [401, 403], true) && !$isBetween)) throw new RedoubtSiteCheckStop($code, $message);
            if ($isBetween || in_array($status, [400, 413, 500], true)) {
                if (count($items) > 1) {
                    foreach (array_chunk($items, (int) ceil(count($items) / 2)) as $half) $this->check($half);
                    return;
                }
                $this->fail($items[0][1], $isBetween ? "refused by a proxy or firewall, HTTP $status" : $code);
                $items[0][1]->waiting--;
                return;
            }
            // A rate limit is not a failure.
            if ($status !== 429 && ++$tries >= self::TRIES_MAX) throw new RedoubtSiteCheckStop($code, $message);
            $this->pause($status, $headers, $tries);
        }
    }

    private function take(stdClass $entry, array $judged, int $lines): void {
        $reason = preg_replace_callback('/\bline \K\d+/', static function ($found) use ($lines) {
            return $found[0] + $lines;
        }, (string) ($judged['reasons'][0] ?? ''));
        $this->judge($entry, (string) $judged['verdict'], (int) $judged['score'], $reason);
        $entry->waiting--;
        $entry->done++;
    }

    /** What the last run stored about a file. Both are read in the same order, so neither must fit in memory. */
    private function known(string $path): ?array {
        while ($this->old && (!$this->next || self::order($this->next[0], $path) < 0)) {
            $this->next = $this->lineOf($this->old, $this->isOlder) ?? [];
            if (!$this->next) $this->old = null;
        }
        return $this->next && $this->next[0] === $path ? $this->next : null;
    }

    private static function order(string $one, string $other): int {
        return strcmp(str_replace('/', "\0", $one), str_replace('/', "\0", $other));
    }

    private function create(string $name) {
        $file = @fopen($name, 'wb');
        if (!$file) throw $this->notWritable();
        chmod($name, 0600);
        return $file;
    }

    private function write(array $line): void {
        $line[0] = addcslashes($line[0], "\0..\37\\\177..\377");
        $text = json_encode($line, JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
        if (@fwrite($this->new, $text) !== strlen($text)) throw $this->notWritable();
    }

    private function open(string $name) {
        $file = @fopen($name, 'rb');
        if (!$file) throw $this->notWritable();
        return $file;
    }

    private function headOf($file): array {
        return (array) json_decode((string) fgets($file), true);
    }

    /** The next complete line; others are ignored. After a new version of the service, each file must be scanned again. */
    private function lineOf($file, bool $isOlder): ?array {
        while (($text = fgets($file)) !== false) {
            $line = json_decode($text, true);
            if (!is_array($line) || implode(',', array_map('gettype', $line)) !== self::TYPES) continue;
            [$line[0], $line[8]] = [stripcslashes($line[0]), $isOlder ? self::AGAIN : $line[8]];
            return $line;
        }
        return null;
    }

    /** The progress of an interrupted run comes first, then what the run before it knew about the rest. */
    private function keepWhatWasDone(): void {
        if (!is_file("$this->state.new")) return;
        [$done, $before] = [$this->open("$this->state.new"), is_file($this->state) ? $this->open($this->state) : null];
        $this->new = $this->create("$this->state.merged");
        [$head, $last] = [$this->headOf($done), ''];
        if ($head) $this->write($head);
        for (; $head && ($line = $this->lineOf($done, false)); $last = $line[0]) $this->write($line);
        $isOlder = $before && $this->headOf($before) !== $head;
        while ($head && $before && ($line = $this->lineOf($before, $isOlder))) if (self::order($line[0], $last) > 0) $this->write($line);
        fclose($this->new);
        $this->new = null;
        if ($head && !@rename("$this->state.merged", $this->state)) throw $this->notWritable();
        unlink("$this->state.new");
    }

    /** Status, headers with lower-case names, and body; status 0 without an answer. Follows no redirect, which would pass the key on. */
    private function ask(string $method, string $path, string $body = ''): array {
        $this->told['requests']++;
        $headers = ["Authorization: Bearer $this->key", 'Content-Type: application/json', 'Expect:'];
        if (function_exists('curl_init')) {
            curl_setopt_array($curl = curl_init("$this->url/api/v1$path"), [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $headers,
                CURLOPT_TIMEOUT => 120, CURLOPT_HEADER => true, CURLOPT_RETURNTRANSFER => true] + ($body === '' ? [] : [CURLOPT_POSTFIELDS => $body]));
            $text = (string) curl_exec($curl);
            $this->why = curl_error($curl);
            $size = curl_getinfo($curl, CURLINFO_HEADER_SIZE);
            [$head, $answer] = [explode("\n", substr($text, 0, $size)), substr($text, $size)];
        } else {
            $http = ['method' => $method, 'header' => array_slice($headers, 0, 2), 'content' => $body, 'timeout' => 120, 'ignore_errors' => true, 'follow_location' => 0];
            $stream = @fopen("$this->url/api/v1$path", 'rb', false, stream_context_create(['http' => $http]));
            $this->why = $stream ? '' : (string) (error_get_last()['message'] ?? '');
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

final class RedoubtSiteCheckStop extends Exception {
    public string $error;

    public function __construct(string $error, string $message) {
        parent::__construct($message);
        $this->error = $error;
    }
}

if (PHP_SAPI === 'cli' && realpath($_SERVER['argv'][0] ?? '') === __FILE__) {
    $options = [
        '--url' => ['URL', 'address of the service, such as https://licenses.example.com'],
        '--root' => ['FOLDER', 'the files to check, such as /var/www/html'],
        '--state' => ['FILE', 'data for the next run; outside the folders that the web server serves, one per site'],
        '--site' => ['URL', 'address of the site, sent as site_url; the built-in analysis of code ignores it'],
        '--key-file' => ['FILE', 'file with the license key; by default, the key is read from the environment variable REDOUBT_KEY'],
        '--seconds' => ['N', 'stop after N seconds; the next run continues there'],
        '--accept' => ['FILE', 'list of false positives: output of sha256sum, run in the root'],
        '--all' => ['', 'read every file, even if its size and times are unchanged'],
        '--help' => ['', 'print this help'],
    ];
    $wrong = static function (string $what) {
        fwrite(STDERR, "$what\nphp redoubt-site-check.php --help explains the options.\n");
        exit(2);
    };
    $given = [];
    for ($words = array_slice($_SERVER['argv'], 1); $words; ) {
        [$name, $value] = explode('=', $word = array_shift($words), 2) + [1 => null];
        if (!isset($options[$name])) $wrong("Unknown option $word.");
        [$kind, $meaning] = $options[$name];
        if ($kind !== '') $value = $value ?? array_shift($words);
        if ($kind !== '' && ($value === null || $value === '')) $wrong("$name needs a value: $kind, $meaning.");
        $given[substr($name, 2)] = $kind === '' ? true : $value;
    }
    if (isset($given['help'])) {
        echo "Scans the files of a site for malware with Redoubt.\n\nphp redoubt-site-check.php --url URL --root FOLDER --state FILE [more options]\n\n";
        foreach ($options as $name => [$kind, $meaning]) echo str_pad("  $name $kind", 20), $meaning, "\n";
        echo "\nExit codes: 0 nothing found, 1 findings, 2 not finished or wrong usage, 3 nothing found but some files unchecked.\n";
        exit(0);
    }
    foreach (['url', 'root', 'state'] as $name) if (!isset($given[$name])) $wrong("--$name is missing: {$options["--$name"][1]}.");
    if (!preg_match('/^https?:\/\/[^\s\/]+\S*$/iD', $given['url'])) $wrong("--url does not start with https:// or http://: $given[url]");
    if (isset($given['seconds']) && !preg_match('/^[1-9]\d{0,8}$/D', $given['seconds'])) $wrong("--seconds is not a whole number such as 3000: $given[seconds]");
    $key = isset($given['key-file']) ? @file_get_contents($given['key-file']) : (string) getenv('REDOUBT_KEY');
    if ($key === false) $wrong("--key-file cannot be read by this user: {$given['key-file']}");
    if (!preg_match('/^\s*\S+\s*$/D', $key)) $wrong((isset($given['key-file']) ? "{$given['key-file']} must contain" : 'REDOUBT_KEY must be') . ' the license key and nothing else.');
    $told = (new RedoubtSiteCheck(['key' => $key] + $given))->run(static function (array $found) {
        echo $found['line'], "\n";
    });
    echo json_encode($told, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
    exit($told['complete'] ? ($told['findings'] > 0 ? 1 : ($told['unchecked'] > 0 ? 3 : 0)) : 2);
}
