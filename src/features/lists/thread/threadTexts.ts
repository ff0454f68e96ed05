import { isAbort } from '../../../base/abort.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { MailTexts } from '../../../state/lists/listMailTexts.ts';

/** As many mails are asked for at a time. */
const atATime = 4;
/** When so many in a row fail that are no mail's own fault, the forge does not answer; then the rest is not asked for. */
const patience = 4;

/** What reading the mails of one page needs. */
export interface ThreadTextsParts {
	readonly texts: Pick<MailTexts, 'known' | 'read' | 'readWhole'>;
	readonly problems: Pick<Problems, 'explain' | 'log'>;
	/** A mail could not be read, or may be read again. */
	readonly changed: () => void;
	/** Lets others have their turn. */
	readonly pause: () => Promise<void>;
	/** Ends with the page. */
	readonly signal: AbortSignal;
}

/** Reads the texts of one conversation's mails; each that fails keeps its reason. */
export interface ThreadTexts {
	/** Reads what is not known, in this order; resolves when nothing is left. */
	read(ids: readonly number[]): Promise<void>;
	/** Why a mail could not be read, as a sentence. */
	failure(id: number): string | undefined;
	again(id: number): Promise<void>;
	readWhole(id: number): Promise<void>;
}

/** No mail is asked for that is known or under way, however often the conversation is told anew. */
export function threadTexts({ texts, problems, changed, pause, signal }: ThreadTextsParts): ThreadTexts {
	const failures = new Map<number, string>();
	const underWay = new Set<number>();
	let failed = 0;

	async function readOne(id: number, work: () => Promise<unknown>): Promise<void> {
		try {
			await work();
			failures.delete(id);
			failed = 0;
		} catch (error) {
			if (isAbort(error)) {
				return;
			}
			problems.log(error);
			failures.set(id, problems.explain(error).message);
			failed = isForgeError(error) && isOfOneMail(error.problem.kind) ? 0 : failed + 1;
		}
		changed();
	}

	async function workOff(queue: number[]): Promise<void> {
		for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
			const next = id;
			await readOne(next, () => texts.read(next, signal));
			underWay.delete(next);
			if (failed >= patience) {
				const reason = failures.get(next) ?? '';
				for (const each of queue.splice(0)) {
					failures.set(each, reason);
					underWay.delete(each);
				}
				changed();
			}
			await pause();
		}
	}

	async function read(ids: readonly number[]): Promise<void> {
		const queue = [...new Set(ids)].filter((id) => !texts.known(id) && !underWay.has(id));
		queue.forEach((id) => underWay.add(id));
		failed = 0;
		await Promise.all(Array.from({ length: Math.min(atATime, queue.length) }, () => workOff(queue)));
	}

	return {
		read,
		failure: (id) => failures.get(id),
		async again(id) {
			failures.delete(id);
			changed();
			await readOne(id, () => texts.read(id, signal));
			if (!failures.has(id)) {
				// What kept this one away may have kept others away, too.
				await read([...failures.keys()]);
			}
		},
		async readWhole(id) {
			await texts.readWhole(id, signal);
		},
	};
}

function isOfOneMail(kind: string): boolean {
	return kind === 'notFound' || kind === 'notAllowed' || kind === 'tooLarge';
}
