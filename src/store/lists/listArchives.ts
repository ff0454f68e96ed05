import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { listKey, type ArchivePiece, type ListRef } from 'sourcehut/port/list.ts';
import type { MailReader } from 'patchmail/mail/mailReader.ts';
import type { MailReading } from 'patchmail/mail/readableMail.ts';
import type { GroupedTexts } from '../shared/keptReadings.ts';
import { keptArchive, type WholeArchive } from './keptArchive.ts';

export interface ArchivedMail {
	/** Index in the archive, from 0; stable until the next download. */
	readonly place: number;
	/** Raw. */
	readonly envelope: string;
	readonly reading: MailReading;
}

export interface ArchiveWish {
	/** Age limit in days; `undefined` for all mails. */
	readonly sinceDays: number | undefined;
	/** Receives the number of downloaded bytes. */
	readonly progressed: (bytes: number) => void;
}

/** Size of recent mails, for an estimate. No known forge states the size of an archive. */
export interface ArchiveSample {
	readonly days: number;
	readonly bytes: number;
	/** Creation time of the list. */
	readonly createdMs: number;
}

/** Size limit; a search holds the whole archive in memory. */
export const largestArchiveBytes = 48 * 1024 * 1024;
const dayMs = 86_400_000;
type DaysToMeasure = readonly [number, ...number[]];
const sampleDays: DaysToMeasure = [30, 7, 2];
/** Memory cache time after the last use, for archives on disk. */
const heldMs = 600_000;

interface Held extends WholeArchive {
	readonly key: string;
}

/**
 * Downloaded list archives, for a complete search offline. The disk keeps them until sign-out, as far as there is room.
 */
export type ListArchives = ReturnType<typeof listArchives>;

/** `disk`: without it, archives end with the window. */
export function listArchives(
	api: Pick<ListApi, 'list'> & Required<Pick<ListApi, 'archive'>>,
	reader: MailReader,
	disk: GroupedTexts | undefined,
	clock: Clock,
) {
	const turn = turns(clock);
	let held: Held | undefined;
	let letGo: Disposable | undefined;

	function hold(archive: Held): Held {
		held = archive;
		letGo?.dispose();
		letGo = disk && clock.after(heldMs, () => (held = undefined));
		return archive;
	}

	async function known(list: ListRef): Promise<Held | undefined> {
		const key = listKey(list);
		if (held?.key === key) {
			return hold(held);
		}
		const kept = disk && (await keptArchive(disk, list).read());
		return kept && hold({ key, ...kept });
	}

	async function* pieces(
		list: ListRef,
		sinceDays: number | undefined,
		signal: AbortSignal,
	): AsyncGenerator<ArchivePiece, void, undefined> {
		for await (const piece of api.archive(list, { sinceDays, mostBytes: largestArchiveBytes }, signal)) {
			yield piece;
			await turn(signal);
		}
	}

	async function downloaded(
		list: ListRef,
		{ sinceDays, progressed }: ArchiveWish,
		signal: AbortSignal,
	): Promise<Pick<Held, 'envelopes'> & { readonly bytes: number }> {
		const envelopes: string[] = [];
		let bytes = 0;
		for await (const piece of pieces(list, sinceDays, signal)) {
			pushAll(envelopes, piece.mails);
			({ bytes } = piece);
			progressed(bytes);
		}
		return { envelopes, bytes };
	}

	/** Counts mails without keeping any. */
	async function measured(
		list: ListRef,
		[days, ...fewer]: DaysToMeasure,
		signal: AbortSignal,
	): Promise<Omit<ArchiveSample, 'createdMs'>> {
		let bytes = 0;
		try {
			for await (const piece of pieces(list, days, signal)) {
				({ bytes } = piece);
			}
			return { days, bytes };
		} catch (error) {
			const [next, ...others] = fewer;
			if (next === undefined || !isForgeError(error) || error.problem.kind !== 'tooLarge') {
				throw error;
			}
			return measured(list, [next, ...others], signal);
		}
	}

	const read = async (envelope: string, place: number): Promise<ArchivedMail> => ({
		place,
		envelope,
		reading: await reader.readMail(envelope, { evenIfLarge: false }),
	});

	return {
		/**
		 * Downloads recent mails for an estimate and drops them. Reduces the days for a busy list. Throws `tooLarge` if even
		 * two days are too many.
		 */
		async sample(list: ListRef, signal: AbortSignal): Promise<ArchiveSample> {
			const [{ createdMs }, sizes] = await Promise.all([api.list(list, signal), measured(list, sampleDays, signal)]);
			return { ...sizes, createdMs };
		},
		/** Never rejects. */
		async facts(list: ListRef) {
			const isHeld = held?.key === listKey(list);
			return isHeld ? held?.facts : disk && (await keptArchive(disk, list).facts());
		},
		/** Replaces the stored archive. Throws `tooLarge`. A failure changes nothing. */
		async download(list: ListRef, wish: ArchiveWish, signal: AbortSignal) {
			const readAtMs = clock.nowMs();
			const { envelopes, bytes } = await downloaded(list, wish, signal);
			const sinceMs = wish.sinceDays === undefined ? undefined : readAtMs - wish.sinceDays * dayMs;
			const facts = { readAtMs, sinceMs, bytes, mails: envelopes.length };
			const head = disk ? keptArchive(disk, list).replace(facts, envelopes) : { facts, parts: [] };
			return hold({ key: listKey(list), ...head, envelopes }).facts;
		},
		/** Appends new mails to the archive. A failure changes nothing. */
		async update(list: ListRef, signal: AbortSignal) {
			const before = await known(list);
			if (!before) {
				return undefined;
			}
			const readAtMs = clock.nowMs();
			// Clocks differ, and an extra day is cheap.
			const sinceDays = Math.ceil(Math.max(0, readAtMs - before.facts.readAtMs) / dayMs) + 1;
			const { envelopes } = await downloaded(list, { sinceDays, progressed: () => undefined }, signal);
			const there = new Set(before.envelopes);
			const added = envelopes.filter((each) => !there.has(each));
			const bytes = before.facts.bytes + added.reduce((sum, each) => sum + each.length, 0);
			const facts = { ...before.facts, readAtMs, bytes, mails: before.envelopes.length + added.length };
			const head = disk ? keptArchive(disk, list).add(before, facts, added) : { facts, parts: [] };
			return hold({ key: before.key, ...head, envelopes: [...before.envelopes, ...added] }).facts;
		},
		/** The mails, oldest first; `undefined` without a whole archive. Yields to other work. */
		async mails(list: ListRef, signal: AbortSignal): Promise<readonly ArchivedMail[] | undefined> {
			const archive = await known(list);
			const mails: ArchivedMail[] = [];
			for (const [place, envelope] of archive?.envelopes.entries() ?? []) {
				mails.push(await read(envelope, place));
				await turn(signal);
			}
			return archive && mails;
		},
		async mail(list: ListRef, place: number) {
			const envelope = (await known(list))?.envelopes[place];
			return envelope === undefined ? undefined : await read(envelope, place);
		},
		remove(list: ListRef) {
			if (held?.key === listKey(list)) {
				held = undefined;
			}
			if (disk) {
				keptArchive(disk, list).remove();
			}
		},
		dispose: () => letGo?.dispose(),
	};
}
