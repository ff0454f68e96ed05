import type { IndexAnswer, IndexQuestion, IndexRequest, IndexTrouble, PlacedMail } from './indexAnswerer.ts';
import type { MailText, PlaceStamp } from './mailIndex.ts';

/** A mailbox on this machine, in any form. */
export interface MailSource {
	/** Brings the index up to the mailbox. */
	readonly refresh: (index: IndexOfMailbox, signal: AbortSignal) => Promise<void>;
	/** Mails as they travelled, in this order; `undefined` for one that the mailbox does not have any more. */
	readonly contents: (
		mails: readonly MailText[],
		signal: AbortSignal,
	) => AsyncGenerator<Uint8Array | undefined, void, void>;
}

/** Asks the thread of the indexes. */
export type AskIndex = (question: IndexQuestion, signal: AbortSignal) => Promise<IndexAnswer>;

/** A mailbox without a usable index or content. */
export class MailboxError extends Error {
	override readonly name = 'MailboxError';
	readonly trouble: IndexTrouble | 'noMailbox' | 'damaged';

	constructor(trouble: MailboxError['trouble'], options?: ErrorOptions) {
		super(`mailbox: ${trouble}`, options);
		this.trouble = trouble;
	}
}

/** One step has at most so many mails and bytes. Its time in the thread is the longest wait of a search. */
const mostMails = 128;
const mostBytes = 1_000_000;
/** A longer mail comes without its end. */
export const mostOfMail = 512 * 1024;

/** The index of one mailbox. Throws `MailboxError`. */
export class IndexOfMailbox {
	readonly #ask: AskIndex;
	readonly #file: string;
	readonly #onProgress: (mails: number) => void;
	#added: PlacedMail[] = [];
	#removed: string[] = [];
	#bytes = 0;
	#mails = 0;
	#life = '';

	/** `onProgress`: number of mails that this refresh added. */
	constructor(ask: AskIndex, file: string, onProgress: (mails: number) => void) {
		this.#ask = ask;
		this.#file = file;
		this.#onProgress = onProgress;
	}

	/** The first question of a refresh. Steps fail as `lost` if the index begins anew after it. */
	async reached(signal: AbortSignal): Promise<string | undefined> {
		const answer = await this.ask({ kind: 'reached' }, signal);
		this.#life = answer.kind === 'reached' ? answer.life : '';
		return answer.kind === 'reached' ? answer.reached : undefined;
	}

	/** Gathers mails, and stores them once there are enough. */
	async add(mail: PlacedMail, signal: AbortSignal): Promise<void> {
		this.#added.push(mail);
		this.#bytes += mail.bytes.byteLength;
		if (this.#added.length >= mostMails || this.#bytes >= mostBytes) {
			await this.store(undefined, signal);
		}
	}

	async remove(place: string, signal: AbortSignal): Promise<void> {
		this.#removed.push(place);
		if (this.#removed.length >= mostMails) {
			await this.store(undefined, signal);
		}
	}

	/** Stores all that was gathered. `reached`: where to go on behind it; without one, where it was before. */
	async store(reached: string | undefined, signal: AbortSignal): Promise<void> {
		const [added, removed] = [this.#added, this.#removed];
		this.#added = [];
		this.#removed = [];
		this.#bytes = 0;
		await this.ask({ kind: 'step', added, removed, reached, life: this.#life }, signal);
		this.#mails += added.length;
		this.#onProgress(this.#mails);
	}

	async clear(signal: AbortSignal): Promise<void> {
		await this.ask({ kind: 'clear' }, signal);
		await this.reached(signal);
	}

	async unknown(places: readonly PlaceStamp[], signal: AbortSignal): Promise<readonly PlaceStamp[]> {
		const answer = await this.ask({ kind: 'unknown', places }, signal);
		return answer.kind === 'places' ? answer.places : [];
	}

	/** All places, in slices. */
	async *places(signal: AbortSignal): AsyncGenerator<readonly PlaceStamp[], void, void> {
		for (let after = ''; ;) {
			const answer = await this.ask({ kind: 'places', after, most: 5000 }, signal);
			const places = answer.kind === 'places' ? answer.places : [];
			const last = places.at(-1);
			if (!last) {
				return;
			}
			yield places;
			after = last.place;
		}
	}

	async ask(question: IndexRequest, signal: AbortSignal): Promise<IndexAnswer> {
		const answer = await this.#ask({ ...question, file: this.#file }, signal);
		if (answer.kind === 'trouble') {
			throw new MailboxError(answer.trouble);
		}
		return answer;
	}
}
