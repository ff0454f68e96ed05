import { isAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ListApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { ListRef, MailingList } from '../../forge/list.ts';
import { mayBeDone } from '../../forge/mayHaveArrived.ts';
import type { ListNews } from '../../forge/news.ts';
import { isGone, madeOnce, type SendingSignals } from '../shared/sentOnce.ts';

/** The one way in which lists are changed. Each request is sent once, and looked for when its answer was lost. */
export interface ListWrites {
	/**
	 * Makes a list of one's own. Servers subscribe its owner (docs/protocol.md#subscriptions), so subscriptions are
	 * asked for again.
	 */
	create(list: Parameters<ListApi['create']>[0], signal: AbortSignal): Promise<MailingList>;
	/** Writes the description of one's own list anew. */
	describe(ref: ListRef, description: string, signal: AbortSignal): Promise<MailingList>;
	/** Deletes one's own list, and answers false where that shows that the server cannot; `undefined` where it is known before. */
	readonly remove: ((ref: ListRef, signal: AbortSignal) => Promise<boolean>) | undefined;
}

/** What changing lists needs. */
interface ListWriterParts {
	readonly api: Pick<ListApi, 'create' | 'list' | 'update' | 'remove'>;
	readonly ownRef: (name: string) => ListRef;
	readonly apply: (news: ListNews) => void;
	/** Asks for subscriptions again, where they are known. */
	readonly renewSubscriptions: (signal: AbortSignal) => Promise<void>;
}

/** Changes lists as `ListWrites` says. Disposing ends the looks for what was sent. */
export function listWriter(parts: ListWriterParts): ListWrites & Disposable {
	const { api, ownRef, apply, renewSubscriptions } = parts;
	const ending = new AbortController();
	const looking = ending.signal;

	async function remove(ref: ListRef, signal: AbortSignal): Promise<boolean> {
		const isDone = await removeList(api, ref, { signal, looking });
		if (isDone) {
			apply({ kind: 'listDeleted', list: ref });
		}
		return isDone;
	}

	return {
		async create(wanted, signal) {
			const list = await madeOnce(
				wanted.name,
				(sending) => api.create(wanted, sending),
				(afterwards) => api.list(ownRef(wanted.name), afterwards),
				{ signal, looking },
			);
			apply({ kind: 'listChanged', list });
			await renewSubscriptions(looking).catch((error: unknown) => {
				// The list is there, whether the rest could be learnt or not.
				if (!isForgeError(error) && !isAbort(error)) {
					throw error;
				}
			});
			return list;
		},
		async describe(ref, description, signal) {
			const list = await api.update(ref, description, signal);
			apply({ kind: 'listChanged', list });
			return list;
		},
		get remove() {
			return api.remove && remove;
		},
		dispose: () => ending.abort(),
	};
}

/** Deletes a list. False where the server cannot. When the answer is lost, a look tells whether it is gone. */
async function removeList(
	api: Pick<ListApi, 'remove' | 'list'>,
	ref: ListRef,
	{ signal, looking }: SendingSignals,
): Promise<boolean> {
	signal.throwIfAborted();
	try {
		await api.remove?.(ref, signal);
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'notOffered') {
			return false;
		}
		const mayBeGone = mayBeDone(error, signal) || (isForgeError(error) && error.problem.kind === 'notFound');
		const look = mayBeGone ? isGone(async () => Boolean(await api.list(ref, looking))) : undefined;
		if ((await look?.catch(() => undefined)) !== true) {
			throw error;
		}
	}
	return true;
}
