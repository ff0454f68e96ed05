import { isForgeError } from '../../forge/forgeError.ts';
import { mayBeDone } from '../../forge/mayHaveArrived.ts';

/** For how long something is sent and looked for. */
export interface SendingSignals {
	/** Of the person who asked for it. */
	readonly signal: AbortSignal;
	/** Goes on when that one gives up waiting: what was sent may have arrived. */
	readonly looking: AbortSignal;
}

/**
 * Sends something once. When its answer is lost, or is not waited for, `look` tells what became of it: where it answers
 * `undefined`, or fails, what ended the sending is thrown.
 */
export async function sentOnce<T>(
	send: (signal: AbortSignal) => Promise<T>,
	look: (looking: AbortSignal) => Promise<T | undefined>,
	{ signal, looking }: SendingSignals,
): Promise<T> {
	signal.throwIfAborted();
	try {
		return await send(signal);
	} catch (error) {
		if (looking.aborted || !mayBeDone(error, signal)) {
			throw error;
		}
		const found = await look(looking).catch(() => undefined);
		if (found === undefined) {
			throw error;
		}
		return found;
	}
}

/**
 * Makes something once. When its answer is lost, it is looked for by its name: names are unique, so what has it is the one.
 * Servers take some characters of a name for any other when they look it up (docs/protocol.md#tracker-look-up).
 */
export function madeOnce<T extends { readonly name: string }>(
	name: string,
	make: (signal: AbortSignal) => Promise<T>,
	read: (looking: AbortSignal) => Promise<T>,
	signals: SendingSignals,
): Promise<T> {
	const look = async (looking: AbortSignal): Promise<T | undefined> => {
		const found = await read(looking);
		return found.name === name ? found : undefined;
	};
	return sentOnce(make, look, signals);
}

/** For `look` after something was deleted: `true` when the forge has it no more. */
export async function isGone(isThere: () => Promise<boolean>): Promise<true | undefined> {
	try {
		return (await isThere()) ? undefined : true;
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'notFound') {
			return true;
		}
		throw error;
	}
}
