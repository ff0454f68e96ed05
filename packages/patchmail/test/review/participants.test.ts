import assert from 'node:assert/strict';
import { participants } from '../../src/review/participants.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { counts } from '../../../../test/support/counts.ts';
import { growthOf, mostGrowth } from '../../../../test/support/cpuTime.ts';
import { makeReading } from '../../../../test/support/makeSeries.ts';

function mail(id: number, parentId: number | undefined, name: string, replyTo: readonly string[] = []): SeriesMail {
	return {
		id,
		messageId: `<${id}@forge.test>`,
		parentId,
		createdMs: id,
		subject: '',
		account: undefined,
		reading: makeReading({
			from: [{ name, address: `${name}@forge.test` }],
			replyTo: replyTo.map((address) => ({ name, address })),
		}),
	};
}

const posting = '~alice/devel@lists.forge.test';
const cover = mail(1, undefined, 'alice');
const patches = [mail(2, 1, 'alice'), mail(3, 1, 'alice')];
const onCover = mail(4, 1, 'bob');
const onFirst = mail(5, 2, 'carol');
const below = mail(6, 5, 'dave', ['dave@home.test']);
const onSecond = mail(7, 3, 'eve');
const lost = mail(8, 99, 'frank');
const thread = [cover, ...patches, onCover, onFirst, below, onSecond, lost];
const series = { cover, patches: patches.map((each) => ({ mail: each })) };

function addresses(answered: SeriesMail): readonly string[] {
	return participants(answered, thread, series, posting).map(({ address }) => address);
}

suite('conversation participants', () => {
	const aboutFirst = ['bob@forge.test', 'carol@forge.test', 'dave@home.test'];

	test('include everyone who replied to the patch or the cover letter, but not to other patches', () => {
		assert.deepEqual(
			patches.map((each) => addresses(each)),
			[aboutFirst, ['bob@forge.test', 'eve@forge.test']],
		);
		assert.deepEqual(addresses(cover), ['bob@forge.test']);
	});

	test('of a reply belong to its patch', () => {
		assert.deepEqual(addresses(below), aboutFirst);
		assert.deepEqual(addresses(onCover), ['bob@forge.test']);
	});

	test('include the sender of a reply that redirects replies to the list', () => {
		const onList = mail(9, 2, 'grace', [posting]);
		assert.deepEqual(
			participants(onList, [...thread, onList], series, posting).map(({ address }) => address),
			[...aboutFirst, 'grace@forge.test'],
		);
	});

	test('take linear time for deep conversations', () => {
		const chain = (size: number): readonly SeriesMail[] =>
			Array.from({ length: size }, (_, at) => mail(at + 100, at === 0 ? 2 : at + 99, `bob${at}`));
		const find = (mails: readonly SeriesMail[]): void => {
			const found = participants(patches[0] ?? cover, [...thread, ...mails], series, posting);
			assert.equal(found.length, mails.length + 3);
		};
		const growth = growthOf(find, chain, counts({ least: 300, small: 1000, full: 10_000 }));
		assert.ok(growth <= mostGrowth, `twice as many take ${growth} times as long`);
	});

	test('end for a circular conversation', () => {
		const round = [mail(20, 21, 'bob'), mail(21, 20, 'carol')];
		const [first = cover] = patches;
		assert.deepEqual(
			participants(first, [...thread, ...round], series, posting).map(({ name }) => name),
			['bob', 'carol', 'dave'],
		);
	});
});
