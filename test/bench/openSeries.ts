import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { mailWorker } from '../../src/machine/threads/mailWorker.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { envelopeOf } from '../support/envelopeOf.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../support/fakeLists.ts';
import { growingMails } from '../support/hostileMails.ts';
import { makeMail, makePatchset } from '../support/makeMail.ts';
import { makeUser } from '../support/makeTicket.ts';
import { mailStores } from '../support/mailStores.ts';
import { root } from '../harness/places.ts';
import { quietLog } from '../support/quietLog.ts';
import { blockFigure } from './figures.ts';
import { longestBlock } from './longestBlock.ts';
import { manyPatches } from './manyPatches.ts';
import type { Figure, Size } from './measurement.ts';
import { journalInMemory } from '../support/journalInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const hostileId = 9999;

/** `hostileLimitMs`: time limit of the mail thread for the hostile mail. */
const sizes = {
	full: { patches: 500, rounds: 3, hostileBytes: 10_000_000, hostileLimitMs: 2000 },
	smallest: { patches: 12, rounds: 1, hostileBytes: 500_000, hostileLimitMs: 5 },
} as const;

/**
 * Opens a series of many patches as its page does, from envelopes to the review, while a hostile mail is read whole. Then
 * idles for the same time in the same process. The figure is the difference of the best runs, without the host's own pauses.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { patches, rounds, hostileBytes, hostileLimitMs } = sizes[size];
	using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-open-'));
	const mails = seriesMails(folder.path, patches);
	const hostile = hostileMail(hostileBytes);
	const openings = new Array<Watched>();
	const idles = new Array<Watched>();
	for (let round = 0; round < rounds; round++) {
		const opening = await watched(() => openOnce(mails, hostile, hostileLimitMs));
		openings.push(opening);
		idles.push(await watched(() => pause(opening.tookMs)));
	}
	const { tookMs, longestMs, p99Ms } = calmest(openings);
	const idle = calmest(idles);
	const megabytes = (hostile.envelope.length / 1e6).toFixed(0);
	return [
		blockFigure(
			`Opening ${patches} patches and a hostile mail of ${megabytes} MB: longest block above an idle host's`,
			longestMs - idle.longestMs,
			`longest ${longestMs.toFixed(1)} and p99 ${p99Ms.toFixed(1)} ms in ${(tookMs / 1000).toFixed(1)} s; idle host ${idle.longestMs.toFixed(1)} and ${idle.p99Ms.toFixed(1)} ms; best of ${rounds} runs`,
		),
	];
}

interface Watched {
	readonly tookMs: number;
	/** The longest block of the event loop, and the 99th percentile. */
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

/** A large mail whose parts never end. */
function hostileMail(bytes: number): Email {
	const family = growingMails.find(({ name }) => name === 'lines that are nearly delimiters');
	const lines = (family?.make(bytes) ?? '').replaceAll('\n', '\r\n');
	// Flattens the string now; a rope would be flattened within the measured time.
	const envelope = Buffer.from(lines).toString();
	return makeMail({ id: hostileId, list: { name: devel.name, owner: makeUser('alice') }, envelope });
}

async function openOnce(mails: readonly Email[], hostile: Email, hostileLimitMs: number): Promise<void> {
	const { world, api } = fakeLists();
	world.mails.push(...mails, hostile);
	world.series.set(1, [...mails]);
	world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
	const { forge } = listConnection(api);
	const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() });
	const reader = mailWorker(
		{ programPath: join(root, 'dist/mailParser.js'), clock: systemClock, log: quietLog() },
		2000,
		hostileLimitMs,
	);
	try {
		const { texts, reviews } = mailStores({ lists, forge, reader, clock: systemClock });
		const whole = texts.readWhole(hostileId, never);
		const standing = await reviews.read({ list: devel, id: 1 }, never);
		const { reading } = await whole;
		if (standing.series.patches.length !== mails.length || reading.kind !== 'raw') {
			throw new Error('The series did not open, or the hostile mail did');
		}
	} finally {
		reader.dispose();
	}
}
