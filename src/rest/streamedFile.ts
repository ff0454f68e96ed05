import type { Clock } from '../base/clock.ts';
import { ForgeError } from '../forge/forgeError.ts';
import { HttpFailure, type StreamRequest } from '../http/httpClient.ts';
import { isWebPage } from './answers.ts';
import type { CallerOptions } from './caller.ts';
import { forgeErrorOf, problemOf } from './problems.ts';

/** A file to be streamed from a forge or from where it lets files lie. */
export interface StreamedFile extends Pick<StreamRequest, 'origin' | 'path' | 'limitBytes'> {
	/** `undefined` where no account is to be known. */
	readonly token: string | undefined;
	/** True when the file itself may be a page for people. */
	readonly mayBePage: boolean;
}

/** The least that is to arrive while it is waited for: less is no file on its way but a line that is held. */
const leastBytes = 16 * 1024;
const paceMs = 60_000;

/** Bytes of a file as they arrive. Throws `ForgeError`, or the signal's reason. */
export async function* streamedFile(
	{ instance, http, clock }: Pick<CallerOptions, 'instance' | 'http' | 'clock'>,
	{ origin, path, limitBytes, token, mayBePage }: StreamedFile,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	try {
		const stream = await http.stream({
			origin,
			path,
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
			limitBytes,
			signal,
		});
		try {
			const { head } = stream;
			if (head.status < 200 || head.status >= 300) {
				const scopeNames = instance.scopeSpelling.names;
				throw problemOf(head, { area: 'git', origin, nowMs: clock.nowMs(), scopeNames, token });
			}
			if (isWebPage(head) && !mayBePage) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'the file', why: 'the server sent a web page instead' });
			}
			yield* atPace(stream.chunks, clock, origin);
		} finally {
			stream.dispose();
		}
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

/**
 * Ends what drips for ever: the client only ends what falls silent. Time that the reader takes for itself does not count.
 */
async function* atPace(
	chunks: AsyncGenerator<Uint8Array, void, undefined>,
	clock: Pick<Clock, 'nowMs'>,
	origin: string,
): AsyncGenerator<Uint8Array, void, undefined> {
	let waitedMs = 0;
	let bytes = 0;
	for (;;) {
		const beganMs = clock.nowMs();
		const next = await chunks.next();
		if (next.done) {
			return;
		}
		waitedMs += Math.max(0, clock.nowMs() - beganMs);
		bytes += next.value.byteLength;
		if (bytes >= leastBytes) {
			waitedMs = 0;
			bytes = 0;
		} else if (waitedMs >= paceMs) {
			throw new HttpFailure({ kind: 'unreachable', reason: 'timeout', host: new URL(origin).host });
		}
		yield next.value;
	}
}
