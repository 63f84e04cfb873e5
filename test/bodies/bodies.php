<?php
// Prints request bodies as plugins write them with json_encode and wp_json_encode, a JSON line each: client, route, body.
date_default_timezone_set('Europe/Berlin');
const AT = 1767323045;

function say(string $client, string $route, $body, int $flags = 0, int $odd = 0): void {
    $text = json_encode($body, $flags);
    echo json_encode(['client' => $client, 'route' => $route, 'odd' => $odd, 'body' => $text]), "\n";
}

$event = ['type' => 'login_failed'];
$key = '__KEY__';
$moment = (new DateTimeImmutable('@' . AT))->setTimezone(new DateTimeZone('America/St_Johns'));
$micro = DateTimeImmutable::createFromFormat('U.u', AT . '.123456');
$moments = [
    date(DATE_ATOM, AT), date(DATE_ISO8601, AT), date('c', AT), date(DATE_RFC3339, AT), date(DATE_W3C, AT),
    gmdate('Y-m-d\TH:i:s\Z', AT), gmdate('c', AT), gmdate(DATE_ISO8601, AT), gmdate('Ymd\THis\Z', AT), gmdate('Y-m-d\TH:iP', AT),
    $moment->format(DATE_ATOM), $moment->format(DATE_ISO8601), $micro->format('Y-m-d\TH:i:s.uP'), $micro->format(DATE_RFC3339_EXTENDED),
    $micro->format('Y-m-d\TH:i:s.vO'), null, '',
];
// serialize_precision: 17 up to PHP 7.0 and where it is set, -1 since 7.1.
foreach (['17' => 'php7', '-1' => 'php8'] as $precision => $client) {
    ini_set('serialize_precision', (string) $precision);
    foreach ($moments as $at) say($client, 'telemetry', ['domain' => 'bodies.com', 'events' => [$event + ['occurred_at' => $at]]]);
    foreach (['severity', 'message', 'metadata', 'event_id'] as $field)
        foreach ([null, ''] as $empty) say($client, 'telemetry', ['site_url' => 'https://bodies.com/', 'event_type' => 'x', $field => $empty]);
    foreach ([[], ['a' => 0.1 + 0.2], ['list' => []], ['x' => null, 'y' => false, 'z' => '1']] as $metadata)
        say($client, 'telemetry', ['domain' => 'bodies.com', 'site_uuid' => '', 'events' => [$event + ['metadata' => $metadata]]]);
    foreach ([[], null, '', ['load' => 0.1 + 0.2, 'free' => 1e25], ['n' => '12', 'on' => 1, 'off' => false, 'none' => null]] as $stats)
        say($client, 'telemetry', ['site_url' => 'https://bodies.com', 'license_key' => "$key\n", 'plugin_version' => null, 'stats' => $stats]);
    foreach ([null, '', [], [$event]] as $events)
        say($client, 'telemetry', ['site_url' => 'https://bodies.com', 'license_key' => $key, 'acme_plugin_version' => 'v1.2', 'events' => $events]);
    foreach ([0, JSON_PRETTY_PRINT, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE] as $flags)
        say($client, 'telemetry', ['site_url' => 'https://bodies.com/blog/', 'event_type' => 'x', 'message' => "Größe \u{1f600} </script>"], $flags);
    foreach ([$key, "$key\n", " $key ", "\u{feff}$key", "$key\u{200b}"] as $sent)
        say($client, 'verify', ['api_key' => $sent, 'domain' => 'https://bodies.com/']);
    say($client, 'verify', ['api_key' => $key, 'domain' => 'bodies.com', 'wp_version' => null, 'multisite' => 0, 'modules' => []]);
    foreach ([['v1.4.2', 0], ['1.0 RC1', 0], ["1.2.3\n", 0], [null, 1], ['', 1], [1.4, 1], [2, 0]] as [$version, $odd])
        say($client, 'components', ['components' => [['ecosystem' => 'wordpress-plugin', 'name' => 'hello', 'version' => $version]]], 0, $odd);
    foreach ([[null, 0], ['', 0], ['inactive', 0], [1, 1], [true, 1]] as [$status, $odd])
        say($client, 'components', ['components' => [['ecosystem' => 'wordpress-theme', 'name' => 'two', 'version' => '1', 'status' => $status]]], 0, $odd);
    foreach ([['My Plugin (old)', 1], ['LayerSlider', 0], ['WooCommerce', 0], ['plugin,copy', 1], ['', 1], [null, 1]] as [$name, $odd])
        say($client, 'components', ['components' => [['ecosystem' => 'wordpress-plugin', 'name' => $name, 'version' => '1']]], 0, $odd);
    foreach ([7, 9007199254740991] as $id)
        say($client, 'telemetry', ['domain' => 'bodies.com', 'events' => [$event + ['event_id' => $id]]]);
    say($client, 'components', ['components' => []]);
}
