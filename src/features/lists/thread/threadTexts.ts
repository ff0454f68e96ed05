import { isAbort } from '../../../base/abort.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { MailTexts } from '../../../store/lists/listMailTexts.ts';

/** Concurrent requests. */
const atATime = 4;
/** After this many failures in a row that are no mail's own fault, stop: the forge is unreachable. */
const patience = 4;

/** Texts of a thread's mails; each failure keeps its reason. */
export type ThreadTexts = ReturnType<typeof threadTexts>;

/** Skips mails that are loaded or in flight, even if the thread's order changes. */
export function threadTexts(
	texts: MailTexts,
	problems: Problems,
	/** A mail failed to load, or a retry is possible. */
	changed: () => void,
	/** Lets others have their turn. */
	pause: () => Promise<void>,
	/** Ends with the page. */
	signal: AbortSignal,
) {
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
		/** Loads missing mails in this order; resolves at the end. */
		read,
		/** Error of a mail as a sentence. */
		failure: (id: number) => failures.get(id),
		async again(id: number) {
			failures.delete(id);
			changed();
			await readOne(id, () => texts.read(id, signal));
			if (!failures.has(id)) {
				// The same cause may have affected other mails.
				await read([...failures.keys()]);
			}
		},
		async readWhole(id: number) {
			await texts.readWhole(id, signal);
		},
	};
}

function isOfOneMail(kind: string): boolean {
	return kind === 'notFound' || kind === 'notAllowed' || kind === 'tooLarge';
}
