import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { actingTrailer, mayBeTrailer, messageEnd, trailersOf, withTrailer } from '../../src/series/commitTrailers.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { isSlowEachTime } from '../../../../test/support/cpuTime.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const address = 'https://todo.forge.test/~alice/website/31';

/** Git’s own trailers of each message, one per line. */
function asGit(all: readonly string[]): readonly (readonly string[])[] {
	const script = 'git -c trailer.separators=: interpret-trailers --parse --no-divider message';
	return runCases(
		script,
		all.map((message) => ({ message })),
	).map(({ status, stdout }) => {
		assert.equal(status, 0);
		return stdout
			.toString()
			.split('\n')
			.filter((each) => each !== '');
	});
}

const line = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('', '', ' ', '\t', `Fixes: ${address}`, `closes:${address}`) },
	{
		weight: 3,
		arbitrary: fc.constantFrom(
			'Signed-off-by: Alice <alice@forge.test>',
			'(cherry picked from commit 0123456)',
			'Reviewed-by : Bob',
			'Implements:',
			' goes on',
			'\tand on: further',
			'# a comment',
			'#Fixes: no',
			'plain words',
			'words: with a colon: twice',
			'not a key: at all',
			'https://forge.test/x',
			'- a point',
			'C++: no',
			'key\u00a0: odd blank',
			'---',
		),
	},
	{ weight: 1, arbitrary: fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\r\n\0]/g, '')) },
);
const messages = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

const signed = 'Signed-off-by: Alice';
/** Last paragraphs. */
const blocks: readonly string[] = [
	'A: b', 'A:b', 'A :b', 'A\t: \t b \t', ': b', ' A: b', 'A b: c', 'x A: b', '#A: b', 'A: b\n#', 'A:', 'A: b\nplain',
	'A: b\n c\n\td ', 'A: b\n c\nC: d', ' c\nA: b', 'plain\n c\nA: b', `plain\n${signed}`, `plain\n c\n${signed}`,
	`plain\nplain\nplain\n${signed}`, `plain\nplain\nplain\nplain\n${signed}`, `plain\n c\n d\n${signed}`,
	`plain\n c\n d\n e\n${signed}`, `plain\n: x\n: y\n${signed}`, `plain\n: x\n: y\n: z\n${signed}`, `${signed}\n c\nA: b\n d`,
	`plain\nA: b\n c\n# x\n d\n${signed}`, `# x\n c\n${signed}`, `${signed}\n# x\n c`, `${signed}\nplain\n c`,
	`a\nb\nc\n${signed}\n# x\n c`, `a\nb\n c\n# x\n${signed}`, `a\nb\nc\n c\n# x\n${signed}`,
	'(cherry picked from commit 1)\nplain', `A: b\nplain\n(cherry picked from commit 1)`, ' ', '# x', 'A: b\n\n# x\n \n',
]; // prettier-ignore

suite('trailers of a commit message', function () {
	this.timeout(60_000);
	let byGit: readonly (readonly string[])[] = [];
	suiteSetup(() => {
		byGit = asGit(blocks.map((block) => `Title\n\n${block}\n`));
	});

	test('match git for many last paragraphs, with LF and CRLF', () => {
		const ours = blocks.map((block) => trailersOf(`Title\n\n${block}\n`));
		assert.deepEqual(
			ours.map((all, at) => [blocks[at], all.map(({ key, value }) => `${key}: ${value}`.trimEnd())]),
			byGit.map((all, at) => [blocks[at], all.map((each) => each.trimEnd())]),
		);
		const crlf = blocks.map((block) => trailersOf(`Title\r\n\r\n${block.replaceAll('\n', '\r\n')}\r\n`));
		assert.deepEqual(crlf, ours);
	});

	test('end above the scissors line', () => {
		for (const [text, end] of [
			['', 0],
			['Title\n\nBody\n', 12],
			['Title\n# ------------------------ >8 ------------------------\ndiff', 6],
			['Title\r\n# - >8 -\r\ndiff', 7],
			['# --- >8 ---', 0],
			['Title # - >8 -\nx', 16],
			['T\n# - >8 - x\nx', 14],
		] as const) {
			assert.equal(messageEnd(text), end, text);
		}
	});

	testInBoth('match git for random messages', function () {
		this.timeout(120_000);
		const some = fc.sample(messages, { numRuns: counts({ first: 50, small: 150, full: 2000 }), seed: seed() });
		const all = asGit(some);
		let read = 0;
		for (const [at, message] of some.entries()) {
			const ours = trailersOf(message).map(({ key, value }) => `${key}: ${value}`.trimEnd());
			assert.deepEqual(
				ours,
				all[at]?.map((each) => each.trimEnd()),
				JSON.stringify(message),
			);
			read += ours.length;
		}
		assert.ok(read > some.length / 10, `${read}`);
	});

	test('do not continue after a comment', () => {
		const message = `Title\n\nCloses: ${address}\n# a comment\n goes on\nSigned-off-by: Alice <alice@forge.test>`;
		const closes = { key: 'Closes', value: address };
		assert.deepEqual(trailersOf(message), [closes, { key: 'Signed-off-by', value: 'Alice <alice@forge.test>' }]);
		assert.deepEqual(
			asGit([message])[0],
			trailersOf(message).map(({ key, value }) => `${key}: ${value}`),
		);
	});

	test('belong to the last paragraph, and never to the title', () => {
		assert.deepEqual(trailersOf(`Fixes: ${address}`), []);
		assert.deepEqual(trailersOf(`Title\n\nFixes: ${address}\n\nMore text`), []);
		assert.deepEqual(trailersOf(`Title\n\nText\n\nFixes: ${address}\n`), [{ key: 'Fixes', value: address }]);
	});

	test('have an effect for four names in any case', () => {
		assert.equal(actingTrailer('fixes'), 'Fixes');
		assert.equal(actingTrailer('IMPLEMENTS'), 'Implements');
		assert.equal(actingTrailer('Signed-off-by'), undefined);
	});

	test('are allowed only in the last paragraph, beside other trailers', () => {
		const message = 'Title\n\nBody\n\nSigned-off-by: Alice\n\n# Lines that begin with # are left out';
		const allowed = message.split('\n').map((_, at) => mayBeTrailer(message, at));
		assert.deepEqual(allowed, [false, false, false, true, true, true, false]);
		assert.equal(mayBeTrailer('Fix', 0), false);
		assert.equal(mayBeTrailer('Title\n\nFix', 2), true);
		assert.equal(mayBeTrailer('Title\n\nSome prose\nFix', 3), false);
	});

	test('are readable by git in every allowed place', () => {
		fc.assert(
			fc.property(messages, fc.nat(12), (message, at) => {
				const lines = message.split('\n');
				fc.pre(at < lines.length && mayBeTrailer(message, at));
				const added = lines.with(at, `Fixes: ${address}`).join('\n');
				assert.ok(trailersOf(added).some(({ key, value }) => key === 'Fixes' && value.startsWith(address)));
			}),
			{ numRuns: counts({ small: 2000, full: 50_000 }), seed: seed() },
		);
	});

	test('are read in linear time', () => {
		const blanks = ' '.repeat(200_000);
		const read = (): void =>
			assert.deepEqual(trailersOf(`T\n\nFixes: ${blanks}a${blanks}b${blanks}\n`), [
				{ key: 'Fixes', value: `a${blanks}b` },
			]);
		// A quadratic algorithm takes half a minute.
		assert.ok(!isSlowEachTime(read, { limitMs: 500, repeats: 3 }));
	}).timeout(120_000);

	test('are appended once, after existing ones', () => {
		const trailer = { key: 'Fixes', value: address };
		assert.equal(withTrailer('', trailer), `\n\nFixes: ${address}`);
		assert.equal(withTrailer('Title', trailer), `Title\n\nFixes: ${address}`);
		const before = `Title\n\n${signed}`;
		assert.equal(withTrailer(before, trailer), `${before}\nFixes: ${address}`);
		for (const there of [`T\n\nFixes:${address}`, `T\n\nFixes: ${address}\n\nMore`, `T\r\nFixes: ${address}\r\nMore`]) {
			assert.equal(withTrailer(there, trailer), there);
		}
		for (const other of [`T\n\nCloses: ${address}`, 'T\n\nFixes: this', `T\n\nno Fixes: ${address}`]) {
			assert.ok(withTrailer(other, trailer).endsWith(`\nFixes: ${address}`));
		}
		fc.assert(
			fc.property(messages, (message) => {
				const once = withTrailer(message, trailer);
				assert.ok(once.startsWith(message.trimEnd()));
				assert.equal(withTrailer(once, trailer), once);
			}),
			{ numRuns: counts({ small: 2000, full: 50_000 }), seed: seed() },
		);
	});
});
