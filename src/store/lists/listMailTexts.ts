import { LRUCache } from 'lru-cache';
import { abortReason, isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { MailReader } from 'patchmail/mail/mailReader.ts';
import type { MailReading } from 'patchmail/mail/readableMail.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { PatchMail, SeriesMail } from 'patchmail/series/seriesReading.ts';
import type { ListStore } from './listStore.ts';
import { keptSize, readingSize } from '../shared/readingSize.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import type { Email } from 'sourcehut/port/list.ts';

export interface ReadText {
	readonly mail: Email;
	readonly reading: MailReading;
}

/** A mail with its patch. */
export interface ReadPatch extends Pick<ReadText, 'reading'> {
	readonly subject: string;
	/** `undefined` for a mail without a patch. */
	readonly patch: PatchMail | undefined;
}

/** In characters of mails and parsed texts. */
const mostText = 64_000_000;
/** Fixed cost of a mail. */
const overhead = 1000;
/** Parallel requests of one call. */
const atATime = 4;

/** Texts of mails. Mails never change, so each one costs one request and one parse. */
export type MailTexts = ReturnType<typeof listMailTexts>;

export function listMailTexts(lists: ListStore, reader: MailReader, clock: Clock) {
	const kept = new LRUCache<number, ReadText>({
		maxSize: mostText,
		sizeCalculation: ({ mail, reading }) => keptSize(mail.envelope.length + readingSize(reading) + overhead, mostText),
	});
	const patches = new WeakMap<MailReading, { readonly patch: PatchMail | undefined }>();
	const reads = new SharedReads<ReadText>();
	const didRead = new Emitter<number>();
	const turn = turns(clock);

	async function readNow(id: number, evenIfLarge: boolean, signal: AbortSignal): Promise<ReadText> {
		const mail = await lists.mails.mail(id, signal);
		const first = await reader.readMail(mail.envelope, { evenIfLarge });
		signal.throwIfAborted();
		// A timeout after sleep or load, or a crashed reader, may succeed now. A large mail that was slow gets no retry.
		const reason = first.kind === 'raw' ? first.reason : undefined;
		const isWorthAnotherTry = reason === 'unreadable' || (reason === 'tooSlow' && !evenIfLarge);
		const reading = isWorthAnotherTry ? await reader.readMail(mail.envelope, { evenIfLarge }) : first;
		signal.throwIfAborted();
		const known = kept.get(id);
		// A late abandoned parse must not replace a whole one.
		if (known?.reading.kind === 'read' && reading.kind === 'raw') {
			return known;
		}
		const text = { mail, reading };
		kept.set(id, text);
		didRead.fire(id);
		return text;
	}

	function read(id: number, signal: AbortSignal): Promise<ReadText> {
		const known = kept.get(id);
		return known ? Promise.resolve(known) : reads.read(String(id), (shared) => readNow(id, false, shared), signal);
	}

	function readWhole(id: number, signal: AbortSignal): Promise<ReadText> {
		const known = kept.get(id);
		return known?.reading.kind === 'read'
			? Promise.resolve(known)
			: reads.read(`whole ${id}`, (shared) => readNow(id, true, shared), signal);
	}

	async function readPart(id: number, signal: AbortSignal): Promise<ReadText> {
		const text = await read(id, signal);
		return text.reading.kind === 'raw' && text.reading.reason === 'tooLarge' ? await readWhole(id, signal) : text;
	}

	function patchOf({ reading, subject }: Pick<SeriesMail, 'reading' | 'subject'>): PatchMail | undefined {
		const known = patches.get(reading) ?? { patch: patchMailOf(reading, subject) };
		patches.set(reading, known);
		return known.patch;
	}

	return {
		/** Without a request or parse. */
		known: (id: number) => kept.get(id),
		read,
		/**
		 * Reads mails, four at a time, and yields between. Skips refused and missing mails. Throws other failures after the
		 * rest.
		 */
		async readAll(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, ReadText>> {
			const found = new Map<number, ReadText>();
			const left = [...new Set(ids)];
			let failure: { readonly error: unknown } | undefined;

			const work = async (): Promise<void> => {
				for (let id = left.shift(); id !== undefined; id = left.shift()) {
					try {
						// While the forge does not answer, stored mails can still be read.
						if (!failure || kept.has(id) || (await lists.mails.anyHere(id)) !== undefined) {
							found.set(id, await read(id, signal));
						}
					} catch (error) {
						if (isAbort(error)) {
							throw error;
						}
						// Other mails may succeed after an error of a single one.
						const isOfMail = isForgeError(error) && ['notFound', 'notAllowed', 'tooLarge'].includes(error.problem.kind);
						failure ??= isOfMail ? undefined : { error };
					}
					await turn(signal);
				}
			};
			await Promise.all(Array.from({ length: Math.min(atATime, left.length) }, work));
			if (failure) {
				throw failure.error;
			}
			return found;
		},
		/** Parses a cover letter or patch of any size. */
		readPart,
		/** Parses a mail of any size. Replaces the known text. */
		readWhole,
		async attachment(id: number, index: number, signal: AbortSignal) {
			const { envelope } = await lists.mails.mail(id, signal);
			return await unlessAborted(reader.attachment(envelope, index), signal);
		},
		/** The patch in a mail, if any. Cached as long as the reading. */
		patchOf,
		/** The patch of a mail. Cached, since the editor requests each side of each file. */
		async readPatch(id: number, signal: AbortSignal): Promise<ReadPatch> {
			const { mail, reading } = await readPart(id, signal);
			return { subject: mail.subject, reading, patch: patchOf({ reading, subject: mail.subject }) };
		},
		/** Number of a mail after its parse. */
		onDidRead: didRead.event,
		dispose() {
			reads.abortAll();
			kept.clear();
			didRead.dispose();
		},
	};
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise<T>((resolve, reject) => {
		const leave = (): void => reject(abortReason(signal));
		if (signal.aborted) {
			leave();
			return;
		}
		signal.addEventListener('abort', leave, { once: true });
		answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
	});
}
