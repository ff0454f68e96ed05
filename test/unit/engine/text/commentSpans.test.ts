import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { languageFamilies, commentSpans, proseSpans } from '../../../../src/engine/text/commentSpans.ts';
import { counts, seed } from '../../../support/counts.ts';
import { isSlowEachTime } from '../../../support/cpuTime.ts';

/** CPU time: these texts take some milliseconds, and a quadratic algorithm takes seconds. */
const slow = { limitMs: 500, repeats: 3 } as const;

function insides(text: string, languageId: string): readonly string[] {
	return commentSpans(text, languageId).map(({ start, end }) => text.slice(start, end));
}

function prose(text: string): string {
	return proseSpans(text)
		.map(({ start, end }) => text.slice(start, end))
		.join('|');
}

suite('comments in code', () => {
	test('follow their language’s comment markers, but not inside strings', () => {
		const cases: readonly (readonly [string, string, readonly string[]])[] = [
			['typescript', 'const a = "// no"; // yes\n/* two\nlines */ `// no ${b}`', [' yes', ' two\nlines ']],
			['c', "char q = '\"'; // yes", [' yes']],
			['rust', "fn f<'a>(x: &'a str) {} // yes", [' yes']],
			['python', 'a = "# no"  # yes\nb = \'#no\'', [' yes']],
			['shellscript', 'echo $# ${a#b} a#b # yes', [' yes']],
			['yaml', "key: don't # yes", [' yes']],
			['lua', '-- yes', [' yes']],
			['sql', "select '-- no' -- yes", [' yes']],
			['html', 'a <!-- yes --> b', [' yes ']],
			['css', 'a { color: #123; } /* yes */', [' yes ']],
			['ini', 'a=b ; yes', [' yes']],
			['latex', '100\\% no % yes', [' yes']],
			['go', 'a := `// no` // yes', [' yes']],
			['verilog', '`timescale 1ns/1ps // yes\n`define X', [' yes']],
			['javascript', 'const a = /["\'`/]/; // yes', [' yes']],
			['typescript', 'f(/`/g, /a\\/"/) // yes\nreturn /\'/ // too', [' yes', ' too']],
			['typescript', 'a = b / c; // "yes` / 2\nd()[1] / "// no" / e', [' "yes` / 2']],
			['typescriptreact', '<A b={c} /> // yes\n/> // too', [' yes', ' too']],
			['c', '"a\\\n// no"; // yes', [' yes']],
			['javascript', '/* open to the end', [' open to the end']],
			['plaintext', '// no', []],
		];
		for (const [languageId, text, expected] of cases) {
			assert.deepEqual(insides(text, languageId), expected, languageId);
		}
	});

	test('lie inside the text, in order, for any text', () => {
		const part = fc.constantFrom(
			'"',
			"'",
			'`',
			'\\',
			'//',
			'/*',
			'*/',
			'#',
			'--',
			'<!--',
			'-->',
			'\n',
			' ',
			'a',
			'%',
			';',
		);
		fc.assert(
			fc.property(
				fc.array(part, { maxLength: 60 }),
				fc.constantFrom(...languageFamilies.keys()),
				(parts, languageId) => {
					const text = parts.join('');
					let last = 0;
					for (const { start, end } of commentSpans(text, languageId)) {
						assert.ok(start >= last && end >= start && end <= text.length);
						last = end;
					}
				},
			),
			{ numRuns: counts({ small: 2000, full: 50_000 }), seed: seed() },
		);
	});

	test('are found in linear time', function () {
		this.timeout(60_000);
		for (const languageId of ['c', 'typescript', 'php', 'python', 'lua', 'scheme', 'latex', 'html', 'css']) {
			for (const part of [
				'"',
				"'",
				'`',
				'\\"',
				'/*',
				'//',
				'#',
				'<!--',
				'--',
				"'a",
				' #',
				'{-',
				'/',
				'=/',
				'=/[',
				'=/a',
				' /',
			]) {
				const text = part.repeat(50_000 / part.length);
				assert.ok(!isSlowEachTime(() => commentSpans(text, languageId), slow), `${languageId} with ${part}`);
			}
		}
	});
});

suite('prose in Markdown', () => {
	test('excludes fences, code spans and link targets', () => {
		assert.equal(prose('a `#1` b ``x ` y`` c'), 'a | b | c');
		assert.equal(prose('a\n```sh\n#1\n```\nb'), 'a\n|\nb');
		assert.equal(prose('a\n~~~\n#1\n'), 'a\n');
		assert.equal(prose('[here](#1) and [#2](x)'), '[here|) and [#2|)');
		assert.equal(prose('one ` tick'), 'one ` tick');
	});

	test('is found in linear time', function () {
		this.timeout(60_000);
		for (const part of ['`', '``` ', '\n```', '](', '` `` ', '~~~\n', '[', '`a']) {
			// After a letter, so that a fence becomes a run inside a line.
			const text = `a${part.repeat(100_000 / part.length)}`;
			assert.ok(!isSlowEachTime(() => proseSpans(text), slow), part);
		}
	});
});
