import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { analyze } from '../../src/analysis/analysis.ts';
import { analyzeCode } from '../../src/analysis/code.ts';
import { Findings } from '../../src/analysis/signal.ts';
import { judge, SUSPICIOUS_MIN, worstPart } from '../../src/analysis/verdict.ts';
import { CLEAN_CODE, MALICIOUS_CODE } from '../evaluation/cases/code.ts';

/** A typical plugin: documented functions that are hooked in, escape their output and check the caller. */
const plugin = (functions: number): string =>
  Array.from(
    { length: functions },
    (_, index) => `
/**
 * Shows part ${index} of the settings.
 *
 * @since 1.0
 * @param array $options What was saved.
 * @return void
 */
function example_show_part_${index}( $options ) {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	echo '<p>' . esc_html( $options['part_${index}'] ) . '</p>';
}
add_action( 'admin_notices', 'example_show_part_${index}' );
`,
  ).join('');

/** By the rules alone: the model's score of a window depends on the content next to it. */
function scoreOf(content: string): number {
  const findings = new Findings();
  analyzeCode(content, findings);
  return judge(worstPart(findings), 'code').score;
}
const PHP = Object.entries(MALICIOUS_CODE).filter(([, content]) => content.startsWith('<?php '));
const bodyOf = (content: string): string => content.slice('<?php '.length).replace(/\?>\s*$/, '');

describe('malware in PHP is found as when alone', () => {
  test.each(PHP)('after 5, 20 and 40 KB of a plugin: %s', (_, content) => {
    const alone = scoreOf(content);
    for (const functions of [10, 40, 80])
      expect(scoreOf(`<?php ${plugin(functions)} ?>${content}`)).toBeGreaterThanOrEqual(alone - 1);
  });

  test.each(PHP)('before a plugin, in the same tag: %s', (_, content) => {
    expect(scoreOf(`<?php ${bodyOf(content)}\n${plugin(20)}`)).toBeGreaterThanOrEqual(scoreOf(content) - 1);
  });

  test('in a documented function of a plugin', () => {
    const body = bodyOf(MALICIOUS_CODE['a layer of base64'] as string);
    const content = `<?php ${plugin(20)}\n/**\n * Boots.\n *\n * @return void\n */\nfunction example_boot() { ${body} }`;
    expect(analyze({ inputType: 'code', content }).verdict).toBe('malicious');
  });

  test('after many small parts between documented functions', () => {
    const parts = plugin(1).replace('add_action(', '$a = 1; $b = $a; add_action(').repeat(70);
    expect(scoreOf(`<?php ${parts} eval($_POST['x']);`)).toBeGreaterThanOrEqual(75);
  });
});

test('a plugin and the content before it stay clean', () => {
  expect(scoreOf(`<?php ${plugin(40)}`)).toBeLessThan(5);
  for (const content of Object.values(CLEAN_CODE).filter((each) => each.startsWith('<?php '))) {
    const joined = `${content}${content.includes('?>') ? '' : ' ?>'}<?php ${plugin(5)}`;
    expect([content, scoreOf(joined) < SUSPICIOUS_MIN]).toEqual([content, true]);
  }
});

test('a check at the top applies to the code after it, not to the code before it', () => {
  const write = `file_put_contents($_POST['name'], $_POST['body']);`;
  const check = `if (!current_user_can('manage_options')) { die; }`;
  expect(scoreOf(`<?php ${check} ${write}`)).toBeLessThan(30);
  expect(scoreOf(`<?php ${write} ${check}`)).toBeGreaterThanOrEqual(75);
});

test('ordinary functions around malware do not lower its score, in any order', () => {
  const content = MALICIOUS_CODE['two layers, the inner one compressed'] as string;
  const alone = scoreOf(content);
  fc.assert(
    fc.property(fc.nat(12), fc.nat(12), (before, behind) => {
      const score = scoreOf(`<?php ${plugin(before)}\n${bodyOf(content)}\n${plugin(behind)}`);
      expect(score).toBeGreaterThanOrEqual(alone - 1);
    }),
    { numRuns: 30 },
  );
});
