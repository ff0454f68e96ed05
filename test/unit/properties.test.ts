import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The calls of `fc.assert` in a text, each up to its closing line, found by the indentation. */
function assertsOf(text: string): readonly string[] {
	const lines = text.split('\n');
	return lines.flatMap((line, at) => {
		if (!/\bfc\.assert\(/.test(line)) {
			return [];
		}
		const indent = /^\t*/.exec(line)?.[0] ?? '';
		const length = lines
			.slice(at)
			.findIndex((each) => each.startsWith(indent) && each.endsWith(');') && !each.startsWith(`${indent}\t`));
		return [lines.slice(at, at + length + 1).join('\n')];
	});
}

/** Whether its last argument sets the number of runs and the seed, directly or by a constant of the file. */
function isSeeded(call: string, text: string): boolean {
	const last = /(?:inRounds\([^()]*\)|\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}|\b\w+),?\s*\);$/.exec(call)?.[0] ?? '';
	const constant = /^(\w+),?\s*\);$/.exec(last)?.[1];
	const said = constant === undefined ? last : (new RegExp(`const ${constant} = .*`).exec(text)?.[0] ?? '');
	return /\binRounds\(/.test(said) || (/\bseed: seed\(\)/.test(said) && /\bnumRuns\b/.test(said));
}

suite('property tests', () => {
	test('use the number of runs from `counts.ts`, and its seed', () => {
		let calls = 0;
		const others: string[] = [];
		for (const file of globSync('{test,packages/*/test}/**/*.ts', { cwd: root })) {
			const text = readFileSync(join(root, file), 'utf8');
			if (relative(root, import.meta.filename) === file) {
				continue;
			}
			for (const call of assertsOf(text)) {
				calls += 1;
				if (!isSeeded(call, text)) {
					others.push(`${file}: ${call.slice(0, 300)} … ${call.slice(-100)}`);
				}
			}
		}
		assert.deepEqual(others, []);
		assert.ok(calls > 100, String(calls));
	});

	test('the check finds a call without them', () => {
		const text = [
			'const few = { numRuns: 100 };',
			'const runs = { numRuns: counts({ small: 1, full: 2 }), seed: seed() };',
			...['', ', few', ', runs', ', { numRuns: 100 }', ', inRounds({ small: 1, full: 2 })'].map(
				(last) => `\tfc.assert(fc.property(fc.string(), (text) => f(text))${last});`,
			),
			'\tfc.assert(',
			'\t\tfc.property(fc.string(), (text) => {',
			'\t\t\tseed: seed();',
			'\t\t\tg(text);',
			'\t\t}),',
			'\t);',
		].join('\n');
		assert.deepEqual(
			assertsOf(text).map((call) => isSeeded(call, text)),
			[false, false, true, false, true, false],
		);
	});
});
