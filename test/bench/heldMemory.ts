import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtempDisposableSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreeItem } from 'vscode';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import type { ShowMoreSubject } from '../../src/editor/commands/subjects.ts';
import type { TreeNode } from '../../src/editor/trees/treeNode.ts';
import { mostRows } from '../../src/features/tickets/tree/treeContext.ts';
import type { TreeSource } from '../../src/editor/trees/treeSource.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { envelopeOf } from '../support/envelopeOf.ts';
import { fakeConnection, fakeConnections } from '../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../support/fakeForge.ts';
import { fakeLists, listConnection, type FakeLists } from '../support/fakeLists.ts';
import { listsParts } from '../support/fakeListsParts.ts';
import { ticketsParts } from '../support/fakeTicketsParts.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../support/makeMail.ts';
import { makeTicket, makeTracker, makeUser } from '../support/makeTicket.ts';
import { noPages } from '../support/ticketTreeWorld.ts';
import { usedMemory } from '../support/usedMemory.ts';
import { counted, mebibyte, mostFigure } from './figures.ts';
import { manyPatches } from './manyPatches.ts';
import type { Figure, Size } from './measurement.ts';

const never = new AbortController().signal;

const sizes = {
	full: { tickets: 10_000, patchsets: 200 },
	smallest: { tickets: 50, patchsets: 2 },
} as const;

/** Per patchset, in addition to a cover letter and as many replies. */
const patchesEach = 4;
const alpha = { owner: '~alice', name: 'alpha' };
const devel = { owner: '~alice', name: 'devel' };
/** Of tickets and patchsets together. */
const mostMebibytes = 100;

/** Memory of a big tracker with all its rows, and of read patchsets with rows for their patches and files. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, patchsets } = sizes[size];
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-memory-'));
	const folder = temporary.path;
	// Loads modules before anything is measured.
	await heldBy(() => openPatchsets(bigList(mailsIn(mkdtempSync(join(folder, 'one-')), 1)), 1));
	const ofTickets = await heldByTickets(tickets);
	const mails = mailsIn(folder, patchsets);
	const lists = bigList(mails);
	const ofPatchsets = await heldBy(() => openPatchsets(lists, patchsets));
	const length = mails.reduce((sum, { envelope }) => sum + envelope.length, 0) / 1e6;
	return [
		mostFigure(
			`Memory of ${counted(tickets)} tickets in rows and ${patchsets} open patchsets`,
			ofTickets + ofPatchsets,
			{ most: mostMebibytes, unit: ' MiB', digits: 1 },
			`${ofTickets.toFixed(1)} MiB for the tickets, ${ofPatchsets.toFixed(1)} MiB for the patchsets with ${counted(mails.length)} mails of ${length.toFixed(1)} MB`,
		),
	];
}

/** Memory of a tracker with this many tickets and a screenful of rows, in mebibytes. */
export async function heldByTickets(tickets: number): Promise<number> {
	await heldBy(() => openTickets(bigTracker(1)));
	const trackers = bigTracker(tickets);
	return await heldBy(() => openTickets(trackers));
}

/** Memory that the result of `open` holds, in mebibytes. */
async function heldBy(open: () => Promise<Opened>): Promise<number> {
	const before = await memoryAtRest();
	const opened = await open();
	const held = ((await memoryAtRest()) - before) / mebibyte;
	opened.dispose();
	return held;
}

/** The first collection leaves buffers for the second one. */
async function memoryAtRest(): Promise<number> {
	usedMemory();
	await nextTurn();
	return usedMemory();
}

/** Rows as the editor holds them, with their sources. */
interface Opened {
	readonly rows: readonly HeldRow[];
	dispose(): void;
}

interface HeldRow {
	readonly row: TreeNode;
	readonly item: TreeItem;
}

async function openTickets({ world, api }: FakeTrackers): Promise<Opened> {
	const { ticketTree } = await import('../../src/features/tickets/tree/ticketTree.ts');
	const connection = fakeConnection(copying(api));
	await connection.tickets.ownTrackers(never);
	await connection.tickets.readAllTickets(alpha, never);
	const tree = ticketTree(ticketsParts(fakeConnections(connection), noPages));
	const rows = await allRows(tree);
	assert.equal(countOf(rows, 'ticket'), Math.min(mostRows, world.tickets.get('~alice/alpha')?.length ?? 0));
	return { rows, dispose: () => tree.dispose() };
}

async function openPatchsets({ api }: FakeLists, patchsets: number): Promise<Opened> {
	const { listTree } = await import('../../src/features/lists/tree/listTree.ts');
	const { listFinder } = await import('../../src/features/lists/find/listFinder.ts');
	const connection = listConnection(copying(api));
	const parts = listsParts(fakeConnections(connection));
	await connection.lists.patchsets(devel).first(never);
	for (let id = 1; id <= patchsets; id += 1) {
		const { series } = await connection.reviews.read({ list: devel, id }, never);
		assert.equal(series.patches.length, patchesEach);
	}
	const finder = listFinder(parts.clock, () => undefined);
	const tree = listTree({ ...parts, finder });
	const rows = await allRows(tree);
	// The row of a patchset's comments is about that patchset, too.
	const ownRows = rows.filter(({ item }) => item.contextValue !== 'forge.comments');
	assert.equal(countOf(ownRows, 'patchset'), patchsets);
	assert.ok(countOf(rows, 'patchFile') >= patchsets * patchesEach, 'each patch has its files');
	return { rows, dispose: () => tree.dispose() };
}

/** Unfolds everything and runs every Show More. */
async function allRows(tree: TreeSource): Promise<readonly HeldRow[]> {
	const found: HeldRow[] = [];
	const unfold = async (read: () => Promise<readonly TreeNode[]>): Promise<void> => {
		let rows = await read();
		for (let more = moreBelow(rows); more && !isEarlier(rows[0]); more = moreBelow(rows)) {
			await more.run(never);
			rows = await read();
		}
		for (const row of rows) {
			found.push({ row, item: row.item });
			await unfold(async () => (await row.children?.(never)) ?? []);
		}
	};
	await unfold(() => tree.roots(never));
	return found;
}

function moreBelow(rows: readonly TreeNode[]): ShowMoreSubject | undefined {
	return rows.map(({ subject }) => subject).find(isShowMore);
}

/** True for the first row of a list with the most rows that it may show. */
function isEarlier(row: TreeNode | undefined): boolean {
	return row?.id.endsWith('/earlier') === true;
}

function isShowMore(subject: unknown): subject is ShowMoreSubject {
	return isKind(subject, 'showMore');
}

function countOf(rows: readonly HeldRow[], kind: string): number {
	return rows.filter(({ row: { subject } }) => isKind(subject, kind)).length;
}

function isKind(subject: unknown, kind: string): boolean {
	return typeof subject === 'object' && subject !== null && 'kind' in subject && subject.kind === kind;
}

/** The same area with copied answers, so that the store shares no memory with it. */
function copying<Api extends object>(api: Api): Api {
	return new Proxy(api, {
		get(target, name) {
			const member: unknown = Reflect.get(target, name);
			return typeof member === 'function'
				? (...args: readonly unknown[]): unknown => copied(Reflect.apply(member, target, args))
				: member;
		},
	});
}

function copied(answer: unknown): unknown {
	if (answer instanceof Promise) {
		return answer.then((value: unknown) => structuredClone(value));
	}
	return isPages(answer) ? copiedPages(answer) : answer;
}

async function* copiedPages(pages: AsyncIterable<unknown>): AsyncGenerator<unknown, void, undefined> {
	for await (const page of pages) {
		yield structuredClone(page);
	}
}

function isPages(answer: unknown): answer is AsyncIterable<unknown> {
	return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

function bigTracker(tickets: number): FakeTrackers {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker());
	fake.world.tickets.set(
		'~alice/alpha',
		Array.from({ length: tickets }, (_, at) => {
			const id = tickets - at;
			return makeTicket({
				id,
				title: `The ${id}th thing that somebody found and wrote down`,
				description: descriptionOf(id),
				status: id % 3 === 0 ? 'resolved' : 'reported',
				labels: id % 4 === 0 ? ['bug', `area ${id % 20}`] : [],
				assignees: id % 5 === 0 ? [makeUser('bob')] : [],
			});
		}),
	);
	return fake;
}

function descriptionOf(id: number): string {
	return Array.from({ length: 10 }, (_, at) => `Step ${at} of what led to number ${id}: the lamp goes out.`).join('\n');
}

function bigList(mails: readonly Email[]): FakeLists {
	const fake = fakeLists();
	const { world } = fake;
	world.lists.push(makeList());
	world.subscriptions.push(makeSubscription(makeList()));
	world.mails.push(...mails);
	const ids = [...new Set(mails.map(({ patchsetId = 0 }) => patchsetId))];
	world.pageSize = ids.length;
	world.patchsets.set(
		'~alice/devel',
		ids
			.toReversed()
			.map((id) => makePatchset({ id, subject: `Change ${id}`, messageId: `<m${firstMail(id)}@forge.test>` })),
	);
	for (const id of ids) {
		world.series.set(
			id,
			mails.filter(({ patchsetId, isPatch }) => patchsetId === id && isPatch),
		);
	}
	return fake;
}

/** A cover letter, the patches, and a reply to each. */
const mailsEach = 1 + 2 * patchesEach;

function firstMail(patchset: number): number {
	return (patchset - 1) * mailsEach + 1;
}

function mailsIn(folder: string, patchsets: number): readonly Email[] {
	const patches = manyPatches(folder, patchsets * patchesEach).mails;
	return Array.from({ length: patchsets }, (_, at) => {
		const some = patches.slice(at * patchesEach, (at + 1) * patchesEach);
		return mailsOf(at + 1, some.map(envelopeOf));
	}).flat();
}

function mailsOf(patchsetId: number, envelopes: readonly string[]): readonly Email[] {
	const cover = firstMail(patchsetId);
	const below = { patchsetId, threadId: cover };
	const named = (place: number): string => `[PATCH proj ${place}/${patchesEach}] Change ${patchsetId}, part ${place}`;
	return [
		makeMail({ id: cover, subject: named(0), patchsetId, text: 'What this is about.' }),
		...envelopes.map((envelope, at) =>
			makeMail({ ...below, id: cover + 1 + at, parentId: cover, subject: named(at + 1), envelope, isPatch: true }),
		),
		...envelopes.map((envelope, at) => {
			const text = envelope
				.slice(-1000)
				.split('\r\n')
				.map((line) => `> ${line}`)
				.join('\r\n');
			const subject = `Re: ${named(at + 1)}`;
			const id = cover + 1 + patchesEach + at;
			return makeMail({ ...below, id, parentId: cover + 1 + at, subject, text: `${text}\r\nWhy this?` });
		}),
	];
}
