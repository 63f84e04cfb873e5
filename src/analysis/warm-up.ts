import type { AnalysisRequest, InputType } from './analysis.ts';

const SAMPLES: Readonly<Record<InputType, readonly string[]>> = {
  code: [
    '<?php function show( $id ) { $post = get_post( $id ); if ( ! $post ) { return ""; } return esc_html( $post->title ); } ?>\n',
    '<script>var list = document.querySelectorAll("a"); list.forEach(function (a) { a.href = "/" + a.id; });</script>\n',
  ],
  request: [
    'POST /cart?item=17&note=%3Cb%3Egift%3C/b%3E HTTP/1.1\nCookie: a=b\n\nname=O%27Neil&sort=price+desc\n',
  ],
  log: [
    '192.0.2.7 - - [21/Nov/2026:07:00:00 +0000] "GET /shop/?page=2 HTTP/1.1" 200 512 "-" "Mozilla/5.0"\n',
  ],
  url: ['https://shop.example/cart?item=17\n'],
  text: ['Thank you for the quick delivery, see https://shop.example/reviews for my review.\n'],
};
const SAMPLE_CHARACTERS = 8 * 1024;

/** Ordinary contents of each type, which make the runtime compile the engines before the first real one. */
export const WARM_UP: readonly AnalysisRequest[] = Object.entries(SAMPLES).flatMap(([inputType, samples]) =>
  samples.map((sample) => ({
    inputType: inputType as InputType,
    content: sample.repeat(SAMPLE_CHARACTERS / sample.length),
  })),
);
