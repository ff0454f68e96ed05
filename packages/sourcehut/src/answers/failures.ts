import { withoutSecrets } from '@forge-desk/base/withoutSecrets.ts';
import { ForgeError, type Problem } from '../port/forgeError.ts';
import { HttpFailure, type HttpAnswer } from '../http/httpClient.ts';
import { Misread } from './decoding.ts';

/** Converts failures of transport and decoding. Other errors, such as aborts, pass unchanged. */
export function forgeErrorOf(error: unknown): unknown {
	if (error instanceof Misread) {
		const where = error.at.replace(/^\./, '');
		return new ForgeError(
			{ kind: 'notUnderstood', where: where === '' ? 'the answer' : where, why: error.why },
			{ cause: error },
		);
	}
	if (!(error instanceof HttpFailure)) {
		return error;
	}
	const { failure, isUnsent } = error;
	const problem: Problem =
		failure.kind === 'truncated'
			? { kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' }
			: failure.kind === 'garbled'
				? { kind: 'notUnderstood', where: 'the answer', why: 'it is no proper HTTP' }
				: failure;
	return new ForgeError(problem, { cause: error, isUnsent });
}

/** Context of a response. */
interface Sent {
	readonly origin: string;
	readonly nowMs: number;
	/** The server may repeat it. Never show or log it from there. */
	readonly token?: string | undefined;
}

/** The problem of a status with one meaning in every protocol. */
export function problemOfStatus(answer: HttpAnswer, { origin, nowMs, token }: Sent): Problem | undefined {
	const { status, retryAfterMs } = answer;
	if (status >= 300 && status < 400) {
		return redirectOf(answer, origin, token);
	}
	if (status >= 500) {
		return { kind: 'serverError', status };
	}
	switch (status) {
		case 408:
		case 425:
			return { kind: 'serverError', status };
		case 407:
			return { kind: 'unreachable', reason: 'proxySignIn', host: new URL(origin).host };
		case 429:
			return { kind: 'rateLimited', untilMs: retryAfterMs === undefined ? undefined : nowMs + retryAfterMs };
		default:
			return undefined;
	}
}

/** The client follows no redirect, because it could leak the token. */
export function redirectOf({ location, status }: HttpAnswer, origin: string, token: string | undefined): Problem {
	const target = location === undefined ? null : URL.parse(location, origin);
	return target === null || target.host === ''
		? unexpected(status)
		: { kind: 'redirected', toHost: withoutToken(target.host, token) };
}

/** An unknown status. */
export function unexpected(status: number): Problem {
	return { kind: 'notUnderstood', where: 'the answer', why: `status ${status} was not expected` };
}

/** True for HTML. */
export function isWebPage({ contentType }: Pick<HttpAnswer, 'contentType'>): boolean {
	return /^\s*(?:text\/html|application\/xhtml)/i.test(contentType);
}

/** The problem of a web page in place of the answer of a service (docs/protocol.md#web-pages). */
export function webPageOf(origin: string): Problem {
	return { kind: 'unreachable', reason: 'webPage', host: new URL(origin).host };
}

const longestReason = 500;

const entities: ReadonlyMap<string, string> = new Map([
	['&lt;', '<'],
	['&gt;', '>'],
	['&quot;', '"'],
	['&#39;', "'"],
	['&#34;', '"'],
	['&nbsp;', ' '],
	['&amp;', '&'],
]);

/** Contact in a server message: `Support <support@forge.example>`. */
const mailAddress = /^<[^\s<>@"'=:]+@[^\s<>@"'=:]+>$/;

/** Strips the markup of a server's reason. The rest is plain text without the token. */
export function plainText(html: string, token: string | undefined): string {
	const bare = html
		.slice(0, 4 * longestReason)
		.replaceAll(/<[^<>]{0,200}>/g, (markup) => (mailAddress.test(markup) ? markup : ''))
		.replaceAll(/&(?:lt|gt|quot|amp|nbsp|#39|#34);/g, (entity) => entities.get(entity) ?? entity)
		.replaceAll(/\s+/g, ' ')
		.trim();
	return withoutToken(bare, token).slice(0, longestReason);
}

export function withoutToken(text: string, token: string | undefined): string {
	return withoutSecrets(text, token === undefined ? [] : [token], '');
}
