import type { Clock } from '@forge-desk/base/clock.ts';
import { GatheredChunks } from '@forge-desk/base/gatheredChunks.ts';
import type { RepositoryApi } from '../port/forge.ts';
import { ForgeError, unfit } from '../port/forgeError.ts';
import { neededToken, newerToken, type TokenWish } from '../port/tokenFor.ts';
import { HttpFailure, type HttpAnswer, type HttpStream } from '../http/httpClient.ts';
import { forgeErrorOf, isWebPage } from './failures.ts';
import { originOf, type ContentArea } from '../port/instance.ts';
import type { ForgeLink } from './forgeLink.ts';

/** A file on a forge or in its storage. */
interface StreamedFile {
	readonly origin: string;
	readonly path: string;
	readonly limitBytes: number;
	/** `undefined`: send no token. */
	readonly token: string | undefined;
	/** Required permission. */
	readonly wish: TokenWish;
	/** True if the file may be HTML. */
	readonly mayBePage: boolean;
}

/** Minimum transfer rate. A slower server only holds the connection. */
const leastBytes = 16 * 1024;
const paceMs = 60_000;
/** Errors are short. */
const mostSaidBytes = 64 * 1024;

/** Permission for files in repositories. */
export const fileWish: TokenWish = { area: 'git', scope: 'data:read' };

/** A link with the protocol's error for a status other than success. */
export interface FileLink extends ForgeLink {
	readonly problemOf: (
		head: HttpAnswer,
		from: { readonly origin: string; readonly token: string | undefined; readonly area: ContentArea },
	) => ForgeError;
}

/** Chunks of a file. Throws `ForgeError` or the signal's reason. */
async function* streamedFile(
	link: FileLink,
	file: StreamedFile,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const stream = await opened(link, file, signal).catch(async (error: unknown) => {
		const { wish, token } = file;
		if (token === undefined) {
			throw error;
		}
		return await opened(link, { ...file, token: await newerToken(link, wish, token, error, signal) }, signal);
	});
	try {
		yield* atPace(stream.chunks, link.clock, file.origin);
	} catch (error) {
		throw forgeErrorOf(error);
	} finally {
		stream.dispose();
	}
}

/** The response, before its first byte. */
async function opened(
	{ http, problemOf, clock }: FileLink,
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

/** The text of a failed response, if it is short. The status alone is enough for an error. */
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
 * Aborts a slow download; the HTTP client only aborts a silent one. The reader's own time does not count.
 */
async function* atPace(
	chunks: AsyncGenerator<Uint8Array, void, undefined>,
	clock: Clock,
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

/** Streams a file of a service. An HTML response is its sign-in page. */
export async function* homeFile(
	link: FileLink,
	wish: TokenWish,
	path: string,
	limitBytes: number,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const origin = originOf(link.instance, wish.area);
	const checked = checkedPath(origin, path);
	const token = await neededToken(link, wish, signal);
	yield* streamedFile(link, { origin, path: checked, limitBytes, token, wish, mayBePage: false }, signal);
}

/**
 * Streams a release file (docs/protocol.md#references). The server names its full address, often in another storage. Only
 * the exact origin of the repository area gets the token, and other origins must use HTTPS.
 */
export function artifactStream(link: FileLink): RepositoryApi['artifact'] & {} {
	return async function* (_ref, artifact, signal) {
		const home = originOf(link.instance, 'git');
		const address = URL.parse(artifact.url);
		const mayBeAsked = address !== null && (address.origin === home || address.protocol === 'https:');
		if (!mayBeAsked || address.username !== '' || address.password !== '') {
			throw new ForgeError({
				kind: 'notUnderstood',
				where: 'artifacts.url',
				why: 'no file may lie at such an address',
			});
		}
		const { origin } = address;
		const path = checkedPath(origin, `${address.pathname}${address.search}`);
		const isHome = origin === home;
		const token = isHome ? await link.tokenFor(fileWish, signal) : undefined;
		// HTML is the file itself if its name says so, and otherwise a sign-in page.
		const mayBePage = /\.x?html?$/i.test(artifact.filename);
		const limitBytes = artifact.sizeBytes;
		yield* streamedFile(link, { origin, path, limitBytes, token, wish: fileWish, mayBePage }, signal);
	};
}

/**
 * Final check before a token leaves: the address must have this exact origin, and its path no `..` step.
 */
export function checkedPath(origin: string, path: string): string {
	const url = URL.parse(`${origin}${path}`);
	if (url === null || url.origin !== origin || `${url.pathname}${url.search}` !== path || url.username !== '') {
		throw unfit('path', 'nameInNoAddress');
	}
	return path;
}
