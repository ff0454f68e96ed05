import type { ListApi } from '../../forge/forge.ts';
import { isForgeError, type Problem } from '../../forge/forgeError.ts';
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
 * Deletes a list; `undefined` where the server has no way to do it. False where only the answer shows that, because the
 * document of the API does not: a list that is still there tells that from one that is gone. When the answer is lost, a
 * look tells whether it is gone.
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
		if (!isForgeError(error) || !(mayHaveArrived(error) || hasNoSuchRoute(error.problem))) {
			throw error;
		}
		const look = isGone(async () => Boolean(await api.list(ref, signal)));
		const seen = await look.then(
			(gone) => (gone ? 'gone' : 'there'),
			() => 'unknown',
		);
		if (seen === 'unknown' || (seen === 'there' && !hasNoSuchRoute(error.problem))) {
			throw error;
		}
		if (seen === 'there') {
			return false;
		}
	}
	removed(ref);
	return true;
}

function hasNoSuchRoute(problem: Problem): boolean {
	return problem.kind === 'notFound' || problem.kind === 'notOffered';
}
