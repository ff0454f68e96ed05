import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { actingTrailer, mayBeTrailer, trailersOf, withTrailer } from '../../../../src/engine/text/commitTrailers.ts';
import { counts, seed } from '../../../support/counts.ts';
import { isSlowEachTime } from '../../../support/cpuTime.ts';
import { runCases } from '../../../support/shellCases.ts';

const address = 'https://todo.forge.test/~alice/website/31';

/** What git itself reads of each message, a line per trailer. */
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

suite('trailers of a commit message', function () {
	this.timeout(60_000);

	test('are those that git reads itself', function () {
		this.timeout(120_000);
		const some = fc.sample(messages, { numRuns: counts({ small: 150, full: 2000 }), seed: seed() });
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

	test('do not go on behind a comment', () => {
		const message = `Title\n\nCloses: ${address}\n# a comment\n goes on\nSigned-off-by: Alice <alice@forge.test>`;
		const closes = { key: 'Closes', value: address };
		assert.deepEqual(trailersOf(message), [closes, { key: 'Signed-off-by', value: 'Alice <alice@forge.test>' }]);
		assert.deepEqual(
			asGit([message])[0],
			trailersOf(message).map(({ key, value }) => `${key}: ${value}`),
		);
	});

	test('stand in the last paragraph and never in the title', () => {
		assert.deepEqual(trailersOf(`Fixes: ${address}`), []);
		assert.deepEqual(trailersOf(`Title\n\nFixes: ${address}\n\nMore text`), []);
		assert.deepEqual(trailersOf(`Title\n\nText\n\nFixes: ${address}\n`), [{ key: 'Fixes', value: address }]);
	});

	test('are acted upon by four names in any case', () => {
		assert.equal(actingTrailer('fixes'), 'Fixes');
		assert.equal(actingTrailer('IMPLEMENTS'), 'Implements');
		assert.equal(actingTrailer('Signed-off-by'), undefined);
	});

	test('may be written in the last paragraph beside other trailers, and nowhere else', () => {
		const message = 'Title\n\nBody\n\nSigned-off-by: Alice\n\n# Lines that begin with # are left out';
		const allowed = message.split('\n').map((_, at) => mayBeTrailer(message, at));
		assert.deepEqual(allowed, [false, false, false, true, true, true, false]);
		assert.equal(mayBeTrailer('Fix', 0), false);
		assert.equal(mayBeTrailer('Title\n\nFix', 2), true);
		assert.equal(mayBeTrailer('Title\n\nSome prose\nFix', 3), false);
	});

	test('where one may be written, git reads it', () => {
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

	test('are read in time that grows with the text and not faster', () => {
		const blanks = ' '.repeat(200_000);
		const read = (): void =>
			assert.deepEqual(trailersOf(`T\n\nFixes: ${blanks}a${blanks}b${blanks}\n`), [
				{ key: 'Fixes', value: `a${blanks}b` },
			]);
		// A quadratic way takes half a minute.
		assert.ok(!isSlowEachTime(read, { limitMs: 500, repeats: 3 }));
	}).timeout(120_000);

	test('one is added after what stands there, once', () => {
		const trailer = { key: 'Fixes', value: address };
		assert.equal(withTrailer('', trailer), `\n\nFixes: ${address}`);
		assert.equal(withTrailer('Title', trailer), `Title\n\nFixes: ${address}`);
		const signed = 'Title\n\nSigned-off-by: Alice';
		assert.equal(withTrailer(signed, trailer), `${signed}\nFixes: ${address}`);
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
