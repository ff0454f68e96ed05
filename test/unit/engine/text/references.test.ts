import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { referencesIn, type FoundReference } from '../../../../src/engine/text/references.ts';
import { counts, seed } from '../../../support/counts.ts';
import { isSlowEachTime } from '../../../support/cpuTime.ts';

/** CPU time: these texts take some milliseconds, and a quadratic algorithm takes seconds. */
const slow = { limitMs: 500, repeats: 3 } as const;

const todo = 'https://todo.forge.test';
const local = 'http://127.0.0.1:4101';

function texts(text: string, origins: readonly string[] = [todo, local]): readonly string[] {
	return referencesIn(text, origins).map(({ start, end }) => text.slice(start, end));
}

function only(text: string): FoundReference | undefined {
	const all = referencesIn(text, [todo, local]);
	assert.ok(all.length <= 1, text);
	return all[0];
}

suite('references in text', () => {
	test('follow the start of the text, a blank or an opening parenthesis', () => {
		assert.deepEqual(texts('#12 see #13, (#14) and\n#15\t#16'), ['#12', '#13', '#14', '#15', '#16']);
		for (const text of ['a#12b', 'x/#12', '[#12', '"#12', '&#12', '-~alice', 'mail~alice', '##12', 'é~bob']) {
			assert.deepEqual(texts(text), [], text);
		}
	});

	test('name a ticket in this tracker, in another one, or in another user’s tracker', () => {
		assert.deepEqual(only('#12'), {
			start: 0,
			end: 3,
			written: { kind: 'ticket', owner: undefined, name: undefined, id: 12 },
		});
		assert.deepEqual(only('see lantern.js-2_x#7.'), {
			start: 4,
			end: 20,
			written: { kind: 'ticket', owner: undefined, name: 'lantern.js-2_x', id: 7 },
		});
		assert.deepEqual(only('(~al-ice/lantern#7)'), {
			start: 1,
			end: 18,
			written: { kind: 'ticket', owner: '~al-ice', name: 'lantern', id: 7 },
		});
	});

	test('name people, but not paths below them', () => {
		assert.deepEqual(only('ask ~alice, please'), { start: 4, end: 10, written: { kind: 'user', owner: '~alice' } });
		assert.deepEqual(texts('~alice/lantern ~ ~1 ~/home'), []);
	});

	test('exclude invalid numbers', () => {
		for (const text of ['#0', '#012', '#1234567890', '#12x', '#12é', '#', '# 12', '~alice/#12', '..#3']) {
			assert.deepEqual(texts(text), [], text);
		}
	});

	test('may be addresses of tickets, entries and trackers on known forges', () => {
		assert.deepEqual(only(`<${todo}/~alice/website/31#event-9>`), {
			start: 1,
			end: 50,
			origin: todo,
			address: { kind: 'ticket', owner: '~alice', name: 'website', id: 31, eventId: 9 },
		});
		assert.deepEqual(texts(`"${local}/%7Ealice/website/31", ${todo}/~alice/web.site.`), [
			`${local}/%7Ealice/website/31`,
			`${todo}/~alice/web.site`,
		]);
		assert.deepEqual(texts(`${todo.toUpperCase()}/~alice/website/31/`), [`${todo.toUpperCase()}/~alice/website/31/`]);
	});

	test('exclude addresses of other sites, deeper pages and disguised names', () => {
		for (const text of [
			'https://todo.forge.test.evil.example/~alice/website/31',
			'https://todo.forge.test@evil.example/~alice/website/31',
			'https://git.forge.test/~alice/website',
			`${todo}/~alice`,
			`${todo}/~alice/../x`,
			`${todo}/~alice/website/settings/details`,
			`${todo}/~alice/website/31/edit`,
			`${todo}/~alice/web%2Fsite/3`,
			`x${todo}/~alice/website/31`,
		]) {
			assert.deepEqual(texts(text), [], text);
		}
	});

	test('exclude a person at the beginning of an address', () => {
		assert.deepEqual(texts(`~${local}/~alice/website`), [`${local}/~alice/website`]);
		assert.deepEqual(texts(`~${todo}/~alice/website/31 ~bob`), [`${todo}/~alice/website/31`, '~bob']);
	});

	test('are in order, without overlap, and inside the text', () => {
		const word = fc.constantFrom(
			...'# ~ / 1 ( ) . - _ a é 😀 [ \u202E'.split(' '),
			' ',
			'\n',
			...`12 %7e https:// ${todo} ${local} ~alice/website #event-3 /31`.split(' '),
		);
		fc.assert(
			fc.property(fc.array(word, { maxLength: 40 }), (words) => {
				const text = words.join('');
				let last = 0;
				for (const { start, end } of referencesIn(text, [todo, local])) {
					assert.ok(start >= last && end > start && end <= text.length, text);
					last = end;
				}
			}),
			{ numRuns: counts({ small: 3000, full: 100_000 }), seed: seed() },
		);
	});

	test('match in every allowed position', () => {
		const reference = fc.constantFrom('#12', 'web#3', '~alice/web#3', '~alice', `${todo}/~a/b/3`, `${todo}/~a/b`);
		const before = fc.constantFrom('', ' ', '\n', '(', 'words (', 'é ', '#x ');
		const after = fc.constantFrom('', ' ', ')', ', words', '.\n', ' #x');
		fc.assert(
			fc.property(before, reference, after, (left, middle, right) => {
				assert.deepEqual(texts(left + middle + right), [middle]);
			}),
			{ numRuns: counts({ small: 1000, full: 20_000 }), seed: seed() },
		);
	});

	test('are found in linear time', function () {
		this.timeout(60_000);
		const parts = ['~a', 'a', '#', '~a/', '1', `${todo}/~a/`, 'https://', '(', '.', '%7e'];
		for (const part of parts) {
			const short = part.repeat(Math.ceil(20_000 / part.length));
			const long = short.repeat(20);
			assert.ok(!isSlowEachTime(() => referencesIn(long, [todo, local]), slow), `slow with ${part}`);
		}
	});
});
