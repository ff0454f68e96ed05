import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Reference } from 'sourcehut/port/repository.ts';
import {
	inReadingOrder,
	referenceOf,
	revisionOf,
	shortName,
} from '../../../../src/store/repositories/repositoryReferences.ts';
import { counts, seed } from '../../../support/counts.ts';
import { idOf } from '../../../support/fakeRepositories.ts';

function references(...names: readonly string[]): readonly Reference[] {
	return names.map((name, at) => ({ name, target: idOf(at) }));
}

function revisions(all: readonly Reference[]): readonly string[] {
	return all.map((reference) => revisionOf(reference, all));
}

suite('revisions of references', () => {
	test('use the short name if it is unambiguous', () => {
		assert.deepEqual(revisions(references('refs/heads/main', 'refs/heads/feature/x', 'refs/tags/v1')), [
			'main',
			'feature/x',
			'v1',
		]);
	});

	test('use the full name if a tag, an id or HEAD would take precedence', () => {
		const id = idOf(5);
		assert.deepEqual(
			revisions(references('refs/heads/v1', 'refs/tags/v1', `refs/heads/${id}`, 'refs/heads/HEAD', 'refs/notes/a')),
			['refs/heads/v1', 'refs/tags/v1', `refs/heads/${id}`, 'refs/heads/HEAD', 'refs/notes/a'],
		);
		assert.deepEqual(revisions(references('refs/heads/a/b', 'refs/tags/a')), ['refs/heads/a/b', 'a']);
		for (const first of ['refs/heads', 'heads', 'tags', 'remotes', 'HEAD']) {
			const name = `refs/heads/${first}/x`;
			assert.deepEqual(revisions(references(name)), [name]);
		}
	});

	test('use the full name if the start may be an object id or a special git name', () => {
		for (const short of ['@', '@/x', 'FETCH_HEAD', 'feed/rss', 'facade/Door', 'DEAD/letter', 'v1-3-gfeed/x']) {
			const name = `refs/heads/${short}`;
			assert.deepEqual(revisions(references(name)), [name]);
		}
		for (const short of ['ahead', 'feed', 'v1-3-gfeed', 'fix/feed/x', 'bad/x', 'feeds/x', 'a@/x']) {
			assert.deepEqual(revisions(references(`refs/heads/${short}`)), [short]);
		}
	});

	test('stay fast for thousands of references', () => {
		let looks = 0;
		const all = references(...Array.from({ length: 3000 }, (_, at) => `refs/tags/rc/v${at}`)).map(
			({ name, target }) => ({
				get name() {
					looks += 1;
					return name;
				},
				target,
			}),
		);
		assert.equal(revisions(all).at(-1), 'rc/v2999');
		assert.equal(referenceOf('rc/v3000', all), undefined);
		assert.equal(referenceOf('rc/v2999', all)?.name, 'refs/tags/rc/v2999');
		assert.ok(looks < 100 * all.length, `${looks}`);
	});

	test('lead back to their own reference', () => {
		const part = fc.constantFrom('a', 'b', '@', 'feed', 'HEAD', 'refs', 'heads', 'tags', idOf(1));
		const name = fc
			.tuple(fc.constantFrom('refs/heads/', 'refs/tags/', 'refs/', ''), fc.array(part, { minLength: 1, maxLength: 3 }))
			.map(([prefix, parts]) => prefix + parts.join('/'));
		fc.assert(
			fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
				const all = references(...names);
				assert.equal(new Set(revisions(all)).size, all.length);
				for (const reference of all) {
					assert.equal(referenceOf(revisionOf(reference, all), all)?.name, reference.name);
				}
			}),
			{ numRuns: counts({ small: 500, full: 20_000 }), seed: seed() },
		);
	});

	test('are sorted with the default branch first, then branches by name and tags by version', () => {
		const all = references('refs/heads/b', 'refs/heads/main', 'refs/tags/v1.9', 'refs/tags/v1.10', 'refs/heads/a');
		assert.deepEqual(
			inReadingOrder(all, 'main')
				.map(shortName)
				.filter((name) => !name.startsWith('v')),
			['main', 'a', 'b'],
		);
		assert.deepEqual(
			inReadingOrder(all, undefined)
				.map(shortName)
				.filter((name) => name.startsWith('v')),
			['v1.10', 'v1.9'],
		);
	});

	test('are sorted with the newest version first and candidates below their release, with or without a prefix', () => {
		const newestFirst = [
			'20250101',
			'v2.0',
			'2.0rc1',
			'v2.0-beta.2',
			'2.0b1',
			'v2.0-alpha',
			'1.12-1',
			'1.12',
			'V1.12-rc10',
			'v1.12-rc2',
			'v1.5.1',
			'v1.5k',
			'v1.5',
			'v1.5-rc2',
			'v1.5-pre1',
			'lantern-1.10.0',
			'lantern-1.9.0',
			'lantern-1.9.0~rc1',
			'first-release',
		];
		const whole = { minLength: newestFirst.length, maxLength: newestFirst.length };
		fc.assert(
			fc.property(fc.shuffledSubarray(newestFirst, whole), (names) => {
				const tags = references(...names.map((name) => `refs/tags/${name}`));
				assert.deepEqual(inReadingOrder(tags, undefined).map(shortName), newestFirst);
			}),
			{ numRuns: 20, seed: seed() },
		);
	});
});
