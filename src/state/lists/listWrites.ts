import type { ListApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { ListRef, MailingList } from '../../forge/list.ts';
import { mayHaveArrived } from '../../forge/mayHaveArrived.ts';
import { isGone, sentOnce } from '../shared/sentOnce.ts';

/** Makes a list. When the answer is lost it is looked for: names are unique, so a list of this name is the one. */
export function makeList(
	api: Pick<ListApi, 'create' | 'list'>,
	ref: ListRef,
	wanted: Parameters<ListApi['create']>[0],
	signal: AbortSignal,
): Promise<MailingList> {
	return sentOnce(
		() => api.create(wanted, signal),
		async () => {
			const found = await api.list(ref, signal);
			return found.name === ref.name ? found : undefined;
		},
	);
}

/**
 * Deletes a list; `undefined` where the server has no way to do it. False where only the answer shows that. When the
 * answer is lost, a look tells whether it is gone.
 */
export function listRemoval(
	api: Pick<ListApi, 'remove' | 'list'>,
	removed: (ref: ListRef) => void,
): ((ref: ListRef, signal: AbortSignal) => Promise<boolean>) | undefined {
	const remove = api.remove?.bind(api);
	return remove && ((ref, signal) => removeOnce({ remove, api, removed }, ref, signal));
}

interface Removal {
	readonly remove: NonNullable<ListApi['remove']>;
	readonly api: Pick<ListApi, 'list'>;
	readonly removed: (ref: ListRef) => void;
}

async function removeOnce({ remove, api, removed }: Removal, ref: ListRef, signal: AbortSignal): Promise<boolean> {
	try {
		await remove(ref, signal);
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'notOffered') {
			return false;
		}
		const mayBeGone = isForgeError(error) && (mayHaveArrived(error) || error.problem.kind === 'notFound');
		const look = mayBeGone ? isGone(async () => Boolean(await api.list(ref, signal))) : undefined;
		if ((await look?.catch(() => undefined)) !== true) {
			throw error;
		}
	}
	removed(ref);
	return true;
}
