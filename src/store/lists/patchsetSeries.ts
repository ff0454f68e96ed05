import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Email, ListRef, Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { wholeOf } from 'sourcehut/port/wholeOf.ts';
import { forServer } from './formedPatchsets.ts';
import type { KeptMails } from './keptMails.ts';
import type { SeriesReading } from './listChange.ts';
import type { ListMails } from './listMails.ts';
import type { MailSummary, Series } from './mailSummary.ts';

export interface PatchsetSeriesParts {
	readonly api: ListApi;
	readonly mails: ListMails;
	/** Disk cache; absent without persistence. */
	readonly disk: KeptMails | undefined;
	readonly patchset: (id: number) => Patchset | undefined;
	readonly arrived: (reading: SeriesReading) => void;
}

/** Cache of series. Mails never change, so each series costs one read. */
export class PatchsetSeries implements Disposable {
	readonly #list: ListRef;
	readonly #parts: PatchsetSeriesParts;
	readonly #known = new Map<number, Series>();
	readonly #reads = new SharedReads<Series>();

	constructor(list: ListRef, parts: PatchsetSeriesParts) {
		this.#list = list;
		this.#parts = parts;
	}

	/** Without a request. */
	known(id: number): Series | undefined {
		return this.#known.get(id);
	}

	/** Mails of all known series. */
	knownMails(): readonly MailSummary[] {
		return [...this.#known.values()].flatMap(({ cover, patches }) => (cover ? [cover, ...patches] : patches));
	}

	read(id: number, signal: AbortSignal): Promise<Series> {
		const known = this.#known.get(id);
		return known ? Promise.resolve(known) : this.#reads.read(String(id), (shared) => this.#readNow(id, shared), signal);
	}

	/** True if unknown before. */
	take(id: number, series: Series): boolean {
		const wasKnown = this.#known.has(id);
		this.#known.set(id, series);
		return !wasKnown;
	}

	dispose(): void {
		this.#reads.abortAll();
	}

	async #readNow(id: number, signal: AbortSignal): Promise<Series> {
		const ref = { list: this.#list, id };
		const kept = await this.#parts.disk?.series(ref);
		signal.throwIfAborted();
		const { series, isPart } = kept ? { series: kept, isPart: false } : await this.#ask(ref, signal);
		if (!kept && !isPart && this.#isWhole(series)) {
			this.#parts.disk?.keepSeries(ref, series);
		}
		this.#parts.arrived({ kind: 'seriesRead', ref, series });
		return series;
	}

	/**
	 * Reads all patches and finds the cover letter, which observed servers do not name
	 * (docs/protocol.md#patchset-fields).
	 */
	async #ask(ref: PatchsetRef, signal: AbortSignal): Promise<{ readonly series: Series; readonly isPart: boolean }> {
		const { api, mails, patchset } = this.#parts;
		const { items, completeness } = await wholeOf(api.patches(forServer(ref), signal));
		const patches = items.map((mail) => mails.take(mail));
		const named = patchset(ref.id)?.coverLetter;
		const cover = named ? mails.take(named) : await coverOf(mails, { patches, patchsetId: ref.id }, signal);
		return { series: { cover, patches }, isPart: completeness.kind === 'more' };
	}

	/** False if the account could not read a possible cover letter. */
	#isWhole({ cover, patches: [first] }: Series): boolean {
		if (!first || cover || first.parentId === undefined) {
			return first !== undefined;
		}
		return this.#parts.mails.known(first.parentId) !== undefined;
	}
}

/** The cover letter is the parent of the first patch, unless that belongs to an earlier version or another sender. */
async function coverOf(
	mails: ListMails,
	{ patches, patchsetId }: { readonly patches: readonly MailSummary[]; readonly patchsetId: number },
	signal: AbortSignal,
): Promise<MailSummary | undefined> {
	const [first] = patches;
	if (first?.parentId === undefined || patches.some(({ id }) => id === first.parentId)) {
		return undefined;
	}
	try {
		const answered = await mails.mail(first.parentId, signal);
		return isCoverOf(first, answered) || (answered.patchsetId === patchsetId && !answered.isPatch)
			? mails.takeBeside(answered, first)
			: undefined;
	} catch (error) {
		// A series without its cover letter is still useful.
		if (isForgeError(error) && (error.problem.kind === 'notFound' || error.problem.kind === 'notAllowed')) {
			return undefined;
		}
		throw error;
	}
}

function isCoverOf(patch: MailSummary, mail: Email): boolean {
	const place = patchSubject(patch.subject);
	const cover = patchSubject(mail.subject);
	return (
		cover?.index === 0 &&
		!cover.isReply &&
		cover.version === place?.version &&
		cover.count === place.count &&
		cover.prefix === place.prefix
	);
}
