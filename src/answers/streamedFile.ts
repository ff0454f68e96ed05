import type { Clock } from '../base/clock.ts';
import { GatheredChunks } from '../base/gatheredChunks.ts';
import type { RepositoryApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import type { ForgeInstance } from '../forge/instance.ts';
import type { Artifact } from '../forge/repository.ts';
import { neededToken, newerToken, type TokenFor, type TokenRejected, type TokenWish } from '../forge/tokenFor.ts';
import {
	HttpFailure,
	type HttpAnswer,
	type HttpClient,
	type HttpStream,
	type StreamRequest,
} from '../http/httpClient.ts';
import { checkedPath } from './checkedPath.ts';
import { forgeErrorOf } from './failures.ts';
import { isWebPage } from './webPage.ts';

/** A file to be streamed from a forge or from where it lets files lie. */
interface StreamedFile extends Pick<StreamRequest, 'origin' | 'path' | 'limitBytes'> {
	/** `undefined` where no account is to be known. */
	readonly token: string | undefined;
	/** What the token has to be good for. */
	readonly wish: TokenWish;
	/** True when the file itself may be a page for people. */
	readonly mayBePage: boolean;
}

/** A file of a service itself. */
export interface HomeFile extends Pick<StreamedFile, 'wish' | 'path' | 'limitBytes'> {}

/** The least that is to arrive while it is waited for: less is no file on its way but a line that is held. */
const leastBytes = 16 * 1024;
const paceMs = 60_000;
/** Errors are short. */
const mostSaidBytes = 64 * 1024;

/** What tokens of files in repositories have to be good for. */
export const fileWish: TokenWish = { area: 'git', scope: 'data:read' };

/** Who sent an answer that is no file, and what it was sent. */
export interface ProblemFrom extends Pick<StreamedFile, 'origin' | 'token'>, Pick<TokenWish, 'area'> {}

/** What streaming files of one forge for one account takes. */
export interface StreamOptions {
	readonly instance: Pick<ForgeInstance, 'areas'>;
	readonly tokenFor: TokenFor;
	readonly tokenRejected?: TokenRejected | undefined;
	readonly http: Pick<HttpClient, 'stream'>;
	readonly clock: Pick<Clock, 'nowMs'>;
	/** What an answer means whose status says that it is no file. */
	readonly problemOf: (head: HttpAnswer, from: ProblemFrom) => ForgeError;
}

/** Bytes of a file as they arrive. Throws `ForgeError`, or the signal's reason. */
async function* streamedFile(
	options: StreamOptions,
	file: StreamedFile,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const stream = await opened(options, file, signal).catch(async (error: unknown) => {
		if (file.token === undefined) {
			throw error;
		}
		const failed = { wish: file.wish, token: file.token, error };
		return await opened(options, { ...file, token: await newerToken(options, failed, signal) }, signal);
	});
	try {
		yield* atPace(stream.chunks, options.clock, file.origin);
	} catch (error) {
		throw forgeErrorOf(error);
	} finally {
		stream.dispose();
	}
}

/** The answer that holds the file, before the first of its bytes. */
async function opened(
	{ http, problemOf, clock }: StreamOptions,
	{ origin, path, limitBytes, token, wish, mayBePage }: StreamedFile,
	signal: AbortSignal,
): Promise<HttpStream> {
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
				const said = await beginningOf(atPace(stream.chunks, clock, origin), signal);
				throw problemOf({ ...head, body: said }, { origin, token, area: wish.area });
			}
			if (isWebPage(head) && !mayBePage) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'the file', why: 'the server sent a web page instead' });
			}
			return stream;
		} catch (error) {
			stream.dispose();
			throw error;
		}
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

/** What is said in place of a file, as far as it comes and is not much: the status alone says something too. */
async function beginningOf(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
	const read = new GatheredChunks();
	try {
		for await (const chunk of chunks) {
			read.add(chunk);
			if (read.byteLength >= mostSaidBytes) {
				break;
			}
		}
	} catch (error) {
		if (signal.aborted) {
			throw error;
		}
	}
	return read.takeAll();
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

/** A file of a service itself, in pieces. What comes as a page for people is no file but a sign-in. */
export async function* homeFile(
	options: StreamOptions,
	{ wish, path, limitBytes }: HomeFile,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const origin = options.instance.areas[wish.area];
	const checked = checkedPath(origin, path);
	const token = await neededToken(options, wish, signal);
	yield* streamedFile(options, { origin, path: checked, limitBytes, token, wish, mayBePage: false }, signal);
}

/**
 * Files of tags (docs/protocol.md#references). They lie at whole addresses that the server names, often at a storage of
 * its own: only the exact origin of the repository area gets the token, and others have to be encrypted.
 */
export function artifactStream(options: StreamOptions): RepositoryApi['artifact'] & {} {
	return async function* (_ref, artifact, signal) {
		const home = options.instance.areas.git;
		const { origin, path } = addressOf(artifact, home);
		const isHome = origin === home;
		const token = isHome ? await options.tokenFor(fileWish, signal) : undefined;
		// A page is a file like any other where the name says so, and a sign-in page where it does not.
		const mayBePage = /\.x?html?$/i.test(artifact.filename);
		const limitBytes = artifact.sizeBytes;
		yield* streamedFile(options, { origin, path, limitBytes, token, wish: fileWish, mayBePage }, signal);
	};
}

function addressOf({ url }: Artifact, home: string): { readonly origin: string; readonly path: string } {
	const address = URL.parse(url);
	const mayBeAsked = address !== null && (address.origin === home || address.protocol === 'https:');
	if (!mayBeAsked || address.username !== '' || address.password !== '') {
		throw new ForgeError({ kind: 'notUnderstood', where: 'artifacts.url', why: 'no file may lie at such an address' });
	}
	return { origin: address.origin, path: checkedPath(address.origin, `${address.pathname}${address.search}`) };
}
