import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { postedSeries, readMailbox, versionsOf } from 'patchmail/series/postedSeries.ts';
import { versionOf } from 'patchmail/series/versions.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import { wanted } from '../../../support/contractForge.ts';
import { comparableRows, corpusText, expectedRows, type VersionRow } from '../../../support/corpusRows.ts';
import { storesOverMails } from '../../../support/storesOverMails.ts';
import { bytesOf, type MadeMail } from '../../../support/madeThread.ts';
import { createRandom } from '../../../support/random.ts';
import { madeSeries, type MadeSeries } from '../../../support/seriesCorpus.ts';

const expectedText = readFileSync(join(import.meta.dirname, '../../../corpus/series/expected.txt'), 'utf8');
const expected = expectedRows(expectedText);
const hourMs = 60 * 60_000;

/** Mails of one hour in any order, but a reply after its parent. */
function shuffled(mails: readonly MadeMail[], seed: number): readonly MadeMail[] {
	const random = createRandom(seed);
	const left = [...mails];
	const arrived: MadeMail[] = [];
	while (left.length > 0) {
		const [next] = left;
		const ready = left.filter(
			({ above, sentMs }) =>
				sentMs < (next?.sentMs ?? 0) + hourMs &&
				(above === undefined || above === 'lost' || arrived.some(({ name }) => name === above.name)),
		);
		const taken = ready[random.below(ready.length)];
		assert.ok(taken);
		left.splice(left.indexOf(taken), 1);
		arrived.push(taken);
	}
	return arrived;
}

function nameOf(messageId: string): string {
	return /\.(m\d+)@/.exec(messageId)?.[1] ?? messageId;
}

function rowOf(version: number, { cover, patches }: SeriesReading, isNewest: boolean): VersionRow {
	return {
		version,
		isNewest,
		cover: cover && nameOf(cover.messageId),
		patches: patches.map(({ mail }) => nameOf(mail.messageId)),
	};
}

/** The one that begins with the earliest mail; a stranger's patchset may be older. */
function firstOf<T>(all: readonly T[], seriesOf: (each: T) => SeriesReading): T | undefined {
	const firstMail = (each: T): number => {
		const { cover, patches } = seriesOf(each);
		const mails = [...(cover ? [cover] : []), ...patches.map(({ mail }) => mail)];
		return Math.min(...mails.map(({ messageId }) => Number(nameOf(messageId).slice(1))));
	};
	return all.toSorted((one, other) => firstMail(one) - firstMail(other))[0];
}

/** Each series with the mailbox functions of the package. */
async function inMailbox(mails: readonly MadeMail[]): Promise<readonly VersionRow[]> {
	const envelopes = mails.map(
		(mail) => `From mboxrd@z Thu Jan  1 00:00:00 1970\n${bytesOf(mail, 'series').toString()}\n`,
	);
	const all = postedSeries(await readMailbox(Buffer.from(envelopes.join('')), wanted()));
	const first = firstOf(all, ({ series }) => series);
	const newest = first && versionsOf(first, all).findLast(({ link }) => link !== 'claimed')?.patchset;
	return all.map((each) => rowOf(versionOf(each), each.series, each.id === newest?.id));
}

/** The same through the sample forge and the stores. */
async function inStores(mails: readonly MadeMail[]): Promise<readonly VersionRow[]> {
	let arrivedMs = 0;
	const arriving = mails.map((mail) => {
		arrivedMs = Math.max(arrivedMs + 1000, mail.sentMs);
		return { bytes: bytesOf(mail, 'series'), arrivedMs };
	});
	const { patchsets, reviews, ref, dispose } = await storesOverMails(arriving);
	const read = await Promise.all(patchsets.map(({ id }) => reviews.read({ list: ref, id }, wanted())));
	const newest = firstOf(read, ({ series }) => series)?.versions.findLast(({ link }) => link !== 'claimed')?.patchset;
	dispose();
	const rows = read.map(({ patchset, series }) => rowOf(versionOf(patchset), series, patchset.id === newest?.id));
	// The server keeps its own row of a part.
	const isPart = ({ patches, isNewest }: VersionRow, at: number): boolean =>
		!isNewest &&
		firstMailOfFormed(read[at]?.patchset.id ?? 0) === undefined &&
		rows.some(
			(other) => other.patches.length > patches.length && patches.every((each) => other.patches.includes(each)),
		);
	return rows.filter((row, at) => !isPart(row, at));
}

const orders: Readonly<Record<string, (mails: readonly MadeMail[], at: number) => readonly MadeMail[]>> = {
	'as sent': (mails) => mails,
	'in another order': (mails, at) => shuffled(mails, at),
};

suite('made series', () => {
	const all = madeSeries();

	test('have a row for each version that their senders meant', () => {
		assert.equal(corpusText(all), expectedText);
		assert.ok(all.length >= 150, `${all.length} series`);
	});

	for (const [reader, read] of Object.entries({ 'a mailbox': inMailbox, 'the stores': inStores })) {
		for (const [order, ordered] of Object.entries(orders)) {
			for (const [kind, group] of Map.groupBy(all, ({ name }) => name.replace(/ \d+$/, ''))) {
				test(`of ${reader}, ${order}: ${kind}`, async () => {
					await compare(group, (mails, at) => read(ordered(mails, at)));
				});
			}
		}
	}
});

async function compare(
	group: readonly MadeSeries[],
	read: (mails: readonly MadeMail[], at: number) => Promise<readonly VersionRow[]>,
): Promise<void> {
	const found = new Map<string, readonly string[]>();
	for (const [at, { name, mails }] of group.entries()) {
		found.set(name, comparableRows(await read(mails, at), expected.get(name) ?? []));
	}
	assert.deepEqual(found, new Map(group.map(({ name }) => [name, expected.get(name)])));
}
