<?php
/** Issues licenses for the orders of a shop through Redoubt's admin API. PHP 7.4 or later with curl. See docs/admin-api.md. */
final class RedoubtShop {
    private string $url, $token;

    /** Keep the token secret, in wp-config.php or the environment. It needs licenses:read and licenses:write. */
    public function __construct(string $url, string $token) {
        [$this->url, $this->token] = [rtrim($url, '/') . '/admin/v1', $token];
    }

    /**
     * Issues the license of an order once, however often it is called. Returns its id and key. The key is null if the order
     * already had its license: use rotate() for another key.
     */
    public function issue(string $order, string $plan, string $customer, string $email, ?string $ends = null): array {
        $answer = $this->post('/licenses', ['plan' => $plan, 'customer' => self::line($customer), 'email' => $email ?: null,
            'external_id' => $order, 'expires_at' => $ends]);
        if ($answer['code'] === 'EXTERNAL_ID_TAKEN') return ['id' => $answer['error']['license_id'], 'key' => null];
        $data = self::dataOf($answer);
        return ['id' => $data['license']['license_id'], 'key' => $data['key']];
    }

    /** The current license of an order, or null. */
    public function find(string $order): ?array {
        $found = self::dataOf($this->post('/licenses/find', ['text' => $order]))['licenses'];
        foreach ($found as $license) if ($license['external_id'] === $order) return $license;
        return null;
    }

    /** Extends a license, for example until '2028-01-31'. $renewal is the shop's name for the renewal. */
    public function extend(string $id, string $ends, string $renewal): array {
        return $this->act($id, 'change', ['expires_at' => $ends], $renewal);
    }

    /** Suspends a license while a payment is disputed. $case is the shop's name for the dispute. */
    public function suspend(string $id, string $case): array {
        return $this->act($id, 'suspend', ['hold' => 'dispute'], $case);
    }

    /** Resumes it after the dispute is won. */
    public function resume(string $id, string $case): array {
        return $this->act($id, 'resume', ['hold' => 'dispute'], $case);
    }

    /** Revokes a license for good, for example after a refund. */
    public function revoke(string $id, string $case): array {
        return $this->act($id, 'revoke', [], $case);
    }

    /** Returns a new key, which is shown only once. The old one keeps working for so many hours. */
    public function rotate(string $id, int $graceHours = 24): string {
        return self::dataOf($this->post("/licenses/$id/rotate", ['grace_hours' => $graceHours]))['key'];
    }

    private function act(string $id, string $verb, array $body, string $case): array {
        return self::dataOf($this->post("/licenses/$id/$verb", $body + ['reason' => self::line($case)]))['license'];
    }

    /** @throws RuntimeException with the code of the refusal, or if the service does not answer: try again later then */
    private static function dataOf(array $answer): array {
        if ($answer['data'] === null) throw new RuntimeException("Redoubt: {$answer['code']} {$answer['message']}");
        return $answer['data'];
    }

    /** One line of up to 200 characters, or null if nothing is left. */
    private static function line(string $text): ?string {
        $line = trim(preg_replace('/[\p{C}\p{Zl}\p{Zp}]+/u', ' ', $text) ?? '');
        return preg_match('/^.{1,200}/u', $line, $match) ? $match[0] : null;
    }

    /** Everything except rotate() is safe to repeat: an order has one license, and repeated changes have no effect. */
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
