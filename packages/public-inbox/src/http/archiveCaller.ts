import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { isHtml, strangePage } from '../read/strangePage.ts';
import { ArchiveError } from './archiveError.ts';
import type { ArchiveResponse, ArchiveTransport } from './archiveTransport.ts';
import { DamagedBody, inflated } from 'patchmail/files/gunzip.ts';
import { gathered, withStart } from './boundedBody.ts';
import { HostTurns } from './hostTurns.ts';

/** An answer that a reader understands. */
export interface ArchiveAnswer {
	readonly status: number;
	/** Address after redirects. */
	readonly url: string;
	readonly contentType: string;
	/** Header Content-Disposition. */
	readonly fileName: string;
	/** Without the encoding of the transfer; a gzip file stays one. */
	readonly chunks: AsyncIterable<Uint8Array>;
}

/** One question to an archive. */
export interface ArchiveQuestion<T> {
	readonly method: 'GET' | 'POST';
	/** Below the site or inbox that mirrors may replace. */
	readonly url: string;
	/** A page of HTML is an answer. Otherwise it hides the answer, as a challenge does. */
	readonly isPage: boolean;
	/** Status codes below 500, beside 200, with a page that `read` understands. */
	readonly statuses?: readonly number[];
	/** Reads the answer, and its body up to a limit of its own. */
	readonly read: (answer: ArchiveAnswer) => Promise<T>;
}

const connectMs = 5000;
const silenceMs = 30_000;
/** A slower body ends after the longest silence: 64 kbit a second. */
const leastBytesPerMs = 8;
const mostRedirects = 3;
const mostRepetitions = 2;
/** A host without an answer is asked last for this long. */
const downMs = 60_000;
const pageBytes = 256 * 1024;
const longestRetryMs = 24 * 60 * 60_000;

/** Asks archives and their mirrors, politely. `mirrors`: addresses with the same paths, by the site or inbox that they copy; all end with a slash. */
export function archiveCaller(
	transport: ArchiveTransport,
	clock: Clock,
	mirrors: () => Readonly<Record<string, readonly string[]>>,
) {
	const hosts = new Map<string, HostTurns>();
	const downUntilMs = new Map<string, number>();

	function turnsOf(origin: string): HostTurns {
		const turns = hosts.get(origin) ?? new HostTurns(clock);
		hosts.set(origin, turns);
		return turns;
	}

	/** The address and those of its mirrors, hosts without a recent answer last. */
	function addressesOf(url: string): readonly string[] {
		const copied = Object.keys(mirrors())
			.filter((site) => url.startsWith(site))
			.toSorted((one, other) => other.length - one.length)[0];
		const copies = copied === undefined ? [] : (mirrors()[copied] ?? []);
		const all = [url, ...copies.map((copy) => `${copy}${url.slice(copied?.length)}`)];
		const troubleOf = (each: string): number => {
			const { origin } = new URL(each);
			const isDown = (downUntilMs.get(origin) ?? 0) > clock.nowMs();
			return isDown || hosts.get(origin)?.restsUntilMs !== undefined ? 1 : 0;
		};
		return all.toSorted((one, other) => troubleOf(one) - troubleOf(other));
	}

	/** Sends one request in the turn of its host. */
	async function attempt<T>(
		url: URL,
		question: ArchiveQuestion<T>,
		isOnly: boolean,
		signal: AbortSignal,
	): Promise<T | URL> {
		const { origin, host, pathname, search } = url;
		const turns = turnsOf(origin);
		return await turns.run(async () => {
			const restsUntilMs = turns.restsUntilMs;
			if (restsUntilMs !== undefined) {
				throw new ArchiveError({ kind: 'busy', retryAtMs: restsUntilMs }, host);
			}
			const listening = new Listening(clock, host, signal);
			let response: ArchiveResponse | undefined;
			try {
				const request = { method: question.method, origin, path: `${pathname}${search}`, connectMs };
				response = await transport(request, listening.signal);
				const { status, header } = response;
				const isBusy = status === 429 || status === 503;
				const retryAtMs = isBusy ? turns.rest(retryMs(header('retry-after'), clock.nowMs())) : turns.answered();
				if ([301, 302, 307, 308].includes(status)) {
					return redirected(url, header('location'), question.method);
				}
				const plain = listening.heard(response.chunks);
				const chunks = /^(?:x-)?gzip$/i.test(header('content-encoding').trim()) ? inflated(plain) : plain;
				if (retryAtMs !== undefined) {
					const isProof = await isChallenge(header('content-type'), chunks);
					throw new ArchiveError(isProof ? { kind: 'challenge' } : { kind: 'busy', retryAtMs }, host);
				}
				// The search of a partial mirror finds less than the archive.
				const statuses = isOfPart(header) && !isOnly ? [] : question.statuses;
				return await readAnswer(url, { ...question, statuses: statuses ?? [] }, response, chunks);
			} catch (error) {
				signal.throwIfAborted();
				if (listening.reason !== undefined) {
					throw listening.reason;
				}
				throw error instanceof DamagedBody ? new ArchiveError({ kind: 'damaged' }, host, { cause: error }) : error;
			} finally {
				listening.dispose();
				response?.dispose();
			}
		}, signal);
	}

	async function readAnswer<T>(
		url: URL,
		question: ArchiveQuestion<T> & { readonly statuses: readonly number[] },
		response: ArchiveResponse,
		chunks: AsyncIterable<Uint8Array>,
	): Promise<T> {
		const { start, all } = await withStart(chunks);
		const contentType = response.header('content-type');
		const fileName = response.header('content-disposition');
		const answer = { status: response.status, url: url.href, contentType, fileName };
		if (question.isPage && response.status === 200) {
			return await question.read({ ...answer, chunks: all });
		}
		const page = isHtml(contentType, start) ? (await gathered(all, pageBytes)).bytes : undefined;
		judge(url, response, question.statuses, page);
		return await question.read({ ...answer, chunks: page ? replayed(page) : all });
	}

	/** Throws unless the answer is for the reader. `page`: the body, if it is HTML. */
	function judge(
		{ host }: URL,
		{ status, header }: ArchiveResponse,
		statuses: readonly number[],
		page: Uint8Array | undefined,
	): void {
		const strange = page && strangePage(page);
		if (strange === 'challenge') {
			throw new ArchiveError({ kind: 'challenge' }, host);
		}
		if (page && statuses.includes(status) && strange === undefined) {
			return;
		}
		if (status === 404 || status === 410) {
			const isPartial = isOfPart(header);
			const upstream = isPartial ? header('x-archive-upstream') : '';
			throw new ArchiveError({ kind: 'missing', isPartial, upstream: upstream === '' ? undefined : upstream }, host);
		}
		if (status !== 200) {
			throw new ArchiveError({ kind: 'refused', status }, host);
		}
		if (page) {
			throw new ArchiveError({ kind: 'foreign' }, host);
		}
	}

	/** The same host, also by a safer scheme. */
	function redirected(from: URL, location: string, method: string): URL {
		const to = URL.parse(location, from);
		const isUpgrade = to?.protocol === 'https:' && from.protocol === 'http:' && to.port === '' && from.port === '';
		if (to && method === 'GET' && (to.origin === from.origin || (isUpgrade && to.hostname === from.hostname))) {
			return to;
		}
		throw new ArchiveError({ kind: 'redirected', to: to?.href ?? location }, from.host);
	}

	async function askOne<T>(
		url: string,
		question: ArchiveQuestion<T>,
		isOnly: boolean,
		signal: AbortSignal,
	): Promise<T> {
		let at = new URL(url);
		for (let redirects = 0, repetitions = 0; ;) {
			try {
				const answer = await attempt(at, question, isOnly, signal);
				if (!(answer instanceof URL)) {
					return answer;
				}
				redirects += 1;
				if (redirects > mostRedirects) {
					throw new ArchiveError({ kind: 'redirected', to: answer.href }, at.host);
				}
				at = answer;
			} catch (error) {
				const isShort = turnsOf(at.origin).restsUntilMs === undefined;
				const isBusy = error instanceof ArchiveError && error.problem.kind === 'busy';
				if (!isBusy || !isOnly || !isShort || repetitions >= mostRepetitions) {
					throw error;
				}
				repetitions += 1;
			}
		}
	}

	return {
		/** Rejects with `ArchiveError`, the transport's error, or the signal's reason. */
		async ask<T>(question: ArchiveQuestion<T>, signal: AbortSignal): Promise<T> {
			const addresses = addressesOf(question.url);
			const failures = new Map<string, unknown>();
			for (const address of addresses) {
				try {
					return await askOne(address, question, addresses.length === 1, signal);
				} catch (error) {
					signal.throwIfAborted();
					if (isOfHost(error)) {
						downUntilMs.set(new URL(address).origin, clock.nowMs() + downMs);
					} else if (!isMissing(error, address !== question.url)) {
						throw error;
					}
					failures.set(address, error);
				}
			}
			throw failures.get(question.url);
		},
	};
}

/** Another host may answer: the connection failed, or the server does. */
function isOfHost(error: unknown): boolean {
	if (!(error instanceof ArchiveError)) {
		return true;
	}
	const { problem } = error;
	switch (problem.kind) {
		case 'silent':
		case 'busy':
		case 'challenge':
		case 'damaged':
			return true;
		case 'refused':
			return problem.status >= 500;
		case 'foreign':
		case 'missing':
		case 'redirected':
		case 'badQuery':
		case 'tooLarge':
			return false;
	}
}

/** A part of the archive lacks the thing, or a late copy does. */
function isMissing(error: unknown, isCopy: boolean): boolean {
	return error instanceof ArchiveError && error.problem.kind === 'missing' && (isCopy || error.problem.isPartial);
}

/** Reads the page of an answer whose body may be damaged or never end. */
async function isChallenge(contentType: string, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
	try {
		const { start, all } = await withStart(chunks);
		return isHtml(contentType, start) && strangePage((await gathered(all, pageBytes)).bytes) === 'challenge';
	} catch {
		return false;
	}
}

/** The host has a part of the archive only. */
function isOfPart(header: ArchiveResponse['header']): boolean {
	return /^\s*partial\b/i.test(header('x-archive-coverage'));
}

/** `Retry-After` in seconds, or as a date. */
function retryMs(text: string, nowMs: number): number | undefined {
	const ms = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
	return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestRetryMs);
}

// eslint-disable-next-line typescript/require-await -- it yields what is there
async function* replayed(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
	yield bytes;
}

/** Ends a call that brings nothing for too long, or little. */
class Listening implements Disposable {
	readonly #own = new AbortController();
	readonly #clock: Clock;
	readonly #host: string;
	/** Waiting for the server since then. */
	#sinceMs: number;
	#waitedMs = 0;
	#bytes = 0;
	#timer: Disposable;
	readonly signal: AbortSignal;

	constructor(clock: Clock, host: string, signal: AbortSignal) {
		this.#clock = clock;
		this.#host = host;
		this.signal = AbortSignal.any([signal, this.#own.signal]);
		this.#sinceMs = clock.nowMs();
		this.#timer = this.#expect();
	}

	/** Why this call ended by its own limits. */
	get reason(): Error | undefined {
		const reason: unknown = this.#own.signal.reason;
		return reason instanceof Error ? reason : undefined;
	}

	async *heard(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
		for await (const chunk of chunks) {
			this.#bytes += chunk.byteLength;
			this.#waitedMs += this.#clock.nowMs() - this.#sinceMs;
			if (this.#waitedMs > silenceMs + this.#bytes / leastBytesPerMs) {
				this.#end();
				throw this.reason ?? new Error('The call ended');
			}
			// A slow reader is no slow server.
			this.#timer.dispose();
			yield chunk;
			this.#sinceMs = this.#clock.nowMs();
			this.#timer = this.#expect();
		}
		this.#timer.dispose();
	}

	#expect(): Disposable {
		return this.#clock.after(silenceMs, () => this.#end());
	}

	#end(): void {
		this.#own.abort(new ArchiveError({ kind: 'silent' }, this.#host));
	}

	dispose(): void {
		this.#timer.dispose();
	}
}
