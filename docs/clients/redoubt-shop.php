<?php
/** Licenses for the orders of a shop, through Redoubt's admin API, for PHP 7.4 or later with curl; see docs/admin-api.md. */
final class RedoubtShop {
    private string $url, $token;

    /** Keep the token where no visitor gets it: in wp-config.php or the environment. It needs licenses:read and licenses:write. */
    public function __construct(string $url, string $token) {
        [$this->url, $this->token] = [rtrim($url, '/') . '/admin/v1', $token];
    }

    /**
     * Issues the license of an order, once, however often it is called. Gives its id and its key; the key is null for an order
     * that had its license before: rotate() gives such a customer another one.
     */
    public function issue(string $order, string $plan, string $customer, string $email, ?string $ends = null): array {
        $answer = $this->post('/licenses', ['plan' => $plan, 'customer' => self::line($customer), 'email' => $email ?: null,
            'external_id' => $order, 'expires_at' => $ends]);
        if ($answer['code'] === 'EXTERNAL_ID_TAKEN') return ['id' => $answer['error']['license_id'], 'key' => null];
        $data = self::dataOf($answer);
        return ['id' => $data['license']['license_id'], 'key' => $data['key']];
    }

    /** The license of an order as it is now; null when it has none. */
    public function find(string $order): ?array {
        $found = self::dataOf($this->post('/licenses/find', ['text' => $order]))['licenses'];
        foreach ($found as $license) if ($license['external_id'] === $order) return $license;
        return null;
    }

    /** Lets a license end later, such as '2028-01-31'. $renewal is what the shop calls the renewal. */
    public function extend(string $id, string $ends, string $renewal): array {
        return $this->act($id, 'change', ['expires_at' => $ends], $renewal);
    }

    /** Stops a license while a payment is disputed. $case is what the shop calls the dispute. */
    public function suspend(string $id, string $case): array {
        return $this->act($id, 'suspend', ['hold' => 'dispute'], $case);
    }

    /** Lets it go on once the dispute is won. */
    public function resume(string $id, string $case): array {
        return $this->act($id, 'resume', ['hold' => 'dispute'], $case);
    }

    /** Ends a license for good, such as after a refund. */
    public function revoke(string $id, string $case): array {
        return $this->act($id, 'revoke', [], $case);
    }

    /** Another key, which is shown only now; the old one works for so many hours beside it. */
    public function rotate(string $id, int $graceHours = 24): string {
        return self::dataOf($this->post("/licenses/$id/rotate", ['grace_hours' => $graceHours]))['key'];
    }

    private function act(string $id, string $verb, array $body, string $case): array {
        return self::dataOf($this->post("/licenses/$id/$verb", $body + ['reason' => self::line($case)]))['license'];
    }

    /** @throws RuntimeException with the code of the refusal, or when the service does not answer: try it again later then */
    private static function dataOf(array $answer): array {
        if ($answer['data'] === null) throw new RuntimeException("Redoubt: {$answer['code']} {$answer['message']}");
        return $answer['data'];
    }

    /** One line of at most 200 characters; null when nothing is left. */
    private static function line(string $text): ?string {
        $line = trim(preg_replace('/[\p{C}\p{Zl}\p{Zp}]+/u', ' ', $text) ?? '');
        return preg_match('/^.{1,200}/u', $line, $match) ? $match[0] : null;
    }

    /** All but rotate() may be sent again: an order has one license, and what is so already stays so. */
    private function post(string $path, array $body): array {
        $headers = ["Authorization: Bearer $this->token", 'Content-Type: application/json'];
        $curl = curl_init($this->url . $path);
        curl_setopt_array($curl, [CURLOPT_POSTFIELDS => json_encode($body ?: new stdClass()), CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10]);
        $json = json_decode((string) curl_exec($curl), true);
        $error = $json['error'] ?? [];
        return ['data' => $json['data'] ?? null, 'error' => $error, 'code' => $error['code'] ?? 'UNREACHABLE',
            'message' => $error['message'] ?? 'The service did not answer.'];
    }
}
