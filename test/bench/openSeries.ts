import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { mailWorker } from '../../src/app/mailWorker.ts';
import { systemClock } from '../../src/app/systemClock.ts';
import type { Email } from '../../src/forge/list.ts';
import { ListStore } from '../../src/state/listStore.ts';
import { envelopeOf } from '../support/envelopeOf.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../support/fakeLists.ts';
import { growingMails } from '../support/hostileMails.ts';
import { makeMail, makePatchset } from '../support/makeMail.ts';
import { makeUser } from '../support/makeTicket.ts';
import { mailStores } from '../support/mailStores.ts';
import { root } from '../harness/places.ts';
import { longestBlock } from './longestBlock.ts';
import { manyPatches } from './manyPatches.ts';
import { quietLog } from '../support/quietLog.ts';

/** What a host feels while a long series and a hostile mail are opened, in milliseconds. */
export interface OpeningSeries {
	readonly patches: number;
	readonly hostileBytes: number;
	readonly tookMs: number;
	/** The longest that the event loop stood still, and what 99 of 100 turns took at most. */
	readonly longestMs: number;
	readonly p99Ms: number;
	/** The same of a host that does nothing for as long. */
	readonly idleLongestMs: number;
	readonly idleP99Ms: number;
}

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const hostileId = 9999;
const rounds = 3;

/**
 * Opens a series of many patches as its page does, from envelopes to its standing, while somebody wants to read a hostile
 * mail of 10 MB whole; and waits for as long in the same process. Of
 * both the calmest of three runs counts.
 */
export async function openSeries(patches: number): Promise<OpeningSeries> {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-bench-open-'));
	try {
		const mails = seriesMails(folder, patches);
		const hostile = hostileMail();
		const openings = new Array<Watched>();
		const idles = new Array<Watched>();
		for (let round = 0; round < rounds; round++) {
			const opening = await watched(() => openOnce(mails, hostile));
			openings.push(opening);
			idles.push(await watched(() => pause(opening.tookMs)));
		}
		const idle = calmest(idles);
		const idleFigures = { idleLongestMs: idle.longestMs, idleP99Ms: idle.p99Ms };
		return { patches, hostileBytes: hostile.envelope.length, ...calmest(openings), ...idleFigures };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** By how much the longest standstill exceeds that of the idle host. */
export function excessOf({ longestMs, idleLongestMs }: OpeningSeries): number {
	return longestMs - idleLongestMs;
}

interface Watched {
	readonly tookMs: number;
	readonly longestMs: number;
	readonly p99Ms: number;
}

function calmest(all: readonly Watched[]): Watched {
	return all.reduce((best, each) => (each.longestMs < best.longestMs ? each : best));
}

async function watched(run: () => Promise<unknown>): Promise<Watched> {
	globalThis.gc?.();
	const delays = monitorEventLoopDelay({ resolution: 1 });
	const beganMs = performance.now();
	delays.enable();
	const longestMs = await longestBlock(run, 1);
	delays.disable();
	return { tookMs: performance.now() - beganMs, longestMs, p99Ms: delays.percentile(99) / 1e6 };
}

function seriesMails(folder: string, patches: number): readonly Email[] {
	const list = { name: devel.name, owner: makeUser('alice') };
	return manyPatches(folder, patches).mails.map((mail, at) => {
		const envelope = envelopeOf(mail);
		const others = at === 0 ? {} : { parentId: 1, threadId: 1 };
		const subject = `[PATCH ${at + 1}/${patches}] Change number ${at + 1}`;
		return makeMail({ id: at + 1, subject, list, envelope, isPatch: true, patchsetId: 1, ...others });
	});
}

/** Ten megabytes in which a parser finds ever more parts that never come. */
function hostileMail(): Email {
	const family = growingMails.find(({ name }) => name === 'lines that are nearly delimiters');
	const lines = (family?.make(10_000_000) ?? '').replaceAll('\n', '\r\n');
	// An answer is one piece of text; one that was put together here would be made so in the time that is taken.
	const envelope = Buffer.from(lines).toString();
	return makeMail({ id: hostileId, list: { name: devel.name, owner: makeUser('alice') }, envelope });
}

async function openOnce(mails: readonly Email[], hostile: Email): Promise<void> {
	const { world, api } = fakeLists();
	world.mails.push(...mails, hostile);
	world.series.set(1, [...mails]);
	world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
	const { forge } = listConnection(api);
	const lists = new ListStore({ api, me: '~alice', followed: keptNames() });
	const reader = mailWorker({
		programPath: join(root, 'dist/mailParser.cjs'),
		limitMs: 2000,
		wholeLimitMs: 2000,
		clock: systemClock,
		log: quietLog(),
	});
	try {
		const { texts, standings } = mailStores({ lists, forge, reader, clock: systemClock });
		const whole = texts.readWhole(hostileId, never);
		const standing = await standings.read({ list: devel, id: 1 }, never);
		const { reading } = await whole;
		if (standing.series.patches.length !== mails.length || reading.kind !== 'raw') {
			throw new Error('The series did not open, or the hostile mail did');
		}
	} finally {
		reader.dispose();
	}
}
