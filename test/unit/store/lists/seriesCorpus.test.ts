import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { isSameValue } from '../../../../src/base/isSameValue.ts';
import { isDoubtful, versionOf } from 'patchmail/series/versions.ts';
import { wanted } from '../../../support/contractForge.ts';
import { comparableRows, corpusText, expectedRows, type VersionRow } from '../../../support/corpusRows.ts';
import { firstOf, rowOf, rowsInMailbox } from '../../../support/mailboxRows.ts';
import { storesOverMails } from '../../../support/storesOverMails.ts';
import { bytesOf, type MadeMail } from '../../../support/madeThread.ts';
import { createRandom } from '../../../support/random.ts';
import { madeSeries, type MadeSeries } from '../../../support/seriesCorpus.ts';

const expectedText = readFileSync(join(import.meta.dirname, '../../../corpus/series/expected.txt'), 'utf8');
const expected = expectedRows(expectedText);
const hourMs = 60 * 60_000;

/** Mails of one hour in any order, also a reply before its parent. */
function shuffled(mails: readonly MadeMail[], seed: number): readonly MadeMail[] {
	const random = createRandom(seed);
	const left = [...mails];
	const arrived: MadeMail[] = [];
	while (left.length > 0) {
		const [next] = left;
		const ready = left.filter(({ sentMs }) => sentMs < (next?.sentMs ?? 0) + hourMs);
		const taken = ready[random.below(ready.length)];
		assert.ok(taken);
		left.splice(left.indexOf(taken), 1);
		arrived.push(taken);
	}
	return arrived;
}

/** The same through the sample forge and the stores. */
async function inStores(mails: readonly MadeMail[], meant: readonly string[]): Promise<readonly VersionRow[]> {
	let arrivedMs = 0;
	const arriving = mails.map((mail) => {
		arrivedMs = Math.max(arrivedMs + 1000, mail.sentMs);
		return { bytes: bytesOf(mail, 'series'), arrivedMs };
	});
	const { patchsets, reviews, ref, dispose } = await storesOverMails(arriving);
	await Promise.all(patchsets.map(({ id }) => reviews.read({ list: ref, id }, wanted())));
	// The last review may show versions of the others.
	const read = patchsets.flatMap(({ id }) => reviews.known({ list: ref, id }) ?? []);
	const newest = firstOf(read, ({ series }) => series)?.versions.findLast(({ link }) => !isDoubtful(link))?.patchset;
	dispose();
	const rows = read.map(({ patchset, mails: thread, ...facts }) =>
		rowOf(versionOf(patchset), { ...facts, thread }, patchset.id === newest?.id),
	);
	// The server keeps its own row of the mails that arrived first.
	const isOnlyOfServer = ({ patches, isNewest }: VersionRow, at: number): boolean =>
		!isNewest &&
		firstMailOfFormed(read[at]?.patchset.id ?? 0) === undefined &&
		(!meant.some((row) => row.split('; ')[0]?.endsWith(`: ${patches.join(' ')}`)) ||
			rows.some((other) => other.isNewest && isSameValue(other.patches, patches))) &&
		rows.some((other) => other.patches !== patches && other.patches.some((each) => patches.includes(each)));
	return rows.filter((row, at) => !isOnlyOfServer(row, at));
}

/** Each series with the mailbox functions of the package. */
function inMailbox(mails: readonly MadeMail[]): Promise<readonly VersionRow[]> {
	return rowsInMailbox(mails.map((mail) => bytesOf(mail, 'series')));
}

const orders: Readonly<Record<string, (mails: readonly MadeMail[], at: number) => readonly MadeMail[]>> = {
	'as sent': (mails) => mails,
	...Object.fromEntries(
		Array.from({ length: 3 }, (_, order) => [
			`in order ${order + 1}`,
			(mails: readonly MadeMail[], at: number) => shuffled(mails, at + order * 1009),
		]),
	),
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
					await compare(group, (mails, at, meant) => read(ordered(mails, at), meant));
				});
			}
		}
	}
});

async function compare(
	group: readonly MadeSeries[],
	read: (mails: readonly MadeMail[], at: number, meant: readonly string[]) => Promise<readonly VersionRow[]>,
): Promise<void> {
	const found = new Map<string, readonly string[]>();
	for (const [at, { name, mails }] of group.entries()) {
		const meant = expected.get(name) ?? [];
		found.set(name, comparableRows(await read(mails, at, meant), meant));
	}
	assert.deepEqual(found, new Map(group.map(({ name }) => [name, expected.get(name)])));
}
