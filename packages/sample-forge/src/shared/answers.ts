import type { Answer, Call, Dialect } from './area.ts';
import { check } from './checks.ts';

const MAX_PAGES = 1000;

/** Answers cached for one revision of the store. */
export function createKeptPages() {
	const kept = new Map<string, Answer>();
	let keptRevision = -1;
	return {
		/** The cached answer for `key`, or a new one. */
		keep(revision: number, key: string, make: () => Answer) {
			if (revision !== keptRevision || kept.size > MAX_PAGES) {
				kept.clear();
				keptRevision = revision;
			}
			const answer = kept.get(key) ?? encoded(make());
			kept.set(key, answer);
			return answer;
		},
	};
}

/** As bytes, so that sending it again costs nothing. */
function encoded(answer: Answer): Answer {
	return typeof answer.body === 'string' ? { ...answer, body: Buffer.from(answer.body) } : answer;
}

/** One entry of an error body. */
export interface Problem {
	readonly field?: string;
	readonly reason: string;
}

/** Thrown by a handler to answer something else than planned. Changes made before stay made. */
export class Refusal extends Error {
	readonly answer: Answer;

	constructor(answer: Answer) {
		super(`Refused with ${answer.status}`);
		this.answer = answer;
	}
}

/** Thrown where observed servers crash: the connection breaks, or a proxy returns `answer`. */
export class ProcessEnds extends Error {
	readonly answer: Answer | undefined;

	constructor(why: string, answer?: Answer) {
		super(why);
		this.answer = answer;
	}
}

/** JSON as these servers write it: ASCII only, everything else as `\uXXXX`. */
export function asciiJson(value: unknown): string {
	return JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, (unit) => {
		return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}

/** A JSON answer, content type without charset (docs/protocol.md#answers). */
export function json(status: number, value: unknown): Answer {
	return { status, headers: { 'Content-Type': 'application/json' }, body: asciiJson(value) };
}

/** The answer to a DELETE that worked. */
export function noContent(): Answer {
	return { status: 204, headers: { 'Content-Type': 'application/json' }, body: '' };
}

/** Error body (docs/protocol.md#error-bodies), a general entry without `field`. */
export function problems(status: number, list: readonly Problem[]): Answer {
	return json(status, {
		errors: list.map(({ field, reason }) => (field === undefined ? { reason } : { field, reason })),
	});
}

/** One problem as an error to throw. */
export function invalid(reason: string, field?: string, status = 400): Refusal {
	return new Refusal(problems(status, [field === undefined ? { reason } : { field, reason }]));
}

/** 404 under /api. */
export function notFound(): Refusal {
	return invalid('404 not found', undefined, 404);
}

/** Refusal of a valid token: 401 in the field, 403 as JSON by the document. */
export function notAllowed(dialect: Dialect): Refusal {
	return dialect.htmlRefusals ? new Refusal(errorPage(401)) : invalid('403 forbidden', undefined, 403);
}

/** Refusal with a 403 page in the field. */
export function forbidden(dialect: Dialect): Refusal {
	return dialect.htmlRefusals ? new Refusal(errorPage(403)) : invalid('403 forbidden', undefined, 403);
}

/** A 500 page in the field; otherwise `instead`, the answer of a sound server (default 404). */
export function crash(dialect: Dialect, instead?: Refusal): Refusal {
	return dialect.crashes ? new Refusal(errorPage(500)) : (instead ?? notFound());
}

/** Any error page of the field, as the browser would see it. */
export function errorPage(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
	const words = ERROR_WORDS[status] ?? 'Error';
	const page = webPage(`${status} ${words}`, `<p>${words}. The sample forge says so on purpose.</p>`, status);
	return { ...page, headers: { ...page.headers, ...headers } };
}

/** The page for something that is missing, or that nobody may see. */
export function noPage(): Refusal {
	return new Refusal(errorPage(404));
}

const ERROR_WORDS: Readonly<Record<number, string>> = {
	400: 'Bad request',
	401: 'Unauthorized',
	403: 'Forbidden',
	404: 'Not found',
	405: 'Method not allowed',
	500: 'Internal server error',
};

/** Renders a web page. `bodyHtml` is trusted, the title is not. */
export function webPage(title: string, bodyHtml: string, status = 200): Answer {
	const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1d2228;background:#fff}
h1{font-size:1.5rem}pre{white-space:pre-wrap;background:#f2f4f6;padding:.75rem}button{font:inherit;padding:.4rem 1rem;margin-right:.5rem}
label{display:block;margin:.25rem 0}@media(prefers-color-scheme:dark){body{color:#e6e9ec;background:#16191d}pre{background:#22272d}a{color:#7db7ff}}</style>
</head><body><main><h1>${escapeHtml(title)}</h1>
${bodyHtml}
</main></body></html>
`;
	return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body };
}

/** A web page with a list of links. */
export function linksPage(title: string, links: readonly (readonly [path: string, text: string])[]): Answer {
	const rows = links.map(([path, text]) => `<li><a href="${escapeHtml(path)}">${escapeHtml(text)}</a></li>`);
	return webPage(title, `<ul>${rows.join('\n')}</ul>`);
}

/** Plain text, for raw views and the plumbing routes. */
export function plainText(status: number, text: string): Answer {
	return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text };
}

/** Plain words that call themselves a page, as the plumbing routes of the servers observed send them. */
export function wordsAsPage(status: number, text: string): Answer {
	return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: text };
}

/** A 302 to another page. */
export function redirect(location: string): Answer {
	return { status: 302, headers: { 'Content-Type': 'text/html; charset=utf-8', Location: location }, body: '' };
}

/** Text made harmless for an HTML page, attribute values included. */
export function escapeHtml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", '&#39;');
}

/** `YYYY-MM-DDTHH:MM:SS+00:00` (docs/protocol.md#timestamps). */
export function stamp(timeMs: number): string {
	return `${new Date(timeMs).toISOString().slice(0, 19)}+00:00`;
}

/** Rows of one list: their order is the order of the answer, ids descend. */
export interface Rows<T> {
	readonly rows: readonly T[];
	/** Compared with `start`. */
	readonly id: (row: T) => number;
	/** Source of `next`; equals `id` on servers without the paging defect. */
	readonly nextId?: (row: T) => number;
	readonly show: (row: T) => unknown;
}

const PAGE_SIZE = 50;

/**
 * The answer of a list route: an envelope of 50 from `?start=` on, or a bare array of everything
 * (docs/protocol.md#pages).
 */
export function list<T>(dialect: Dialect, call: Call, { rows, id, nextId = id, show }: Rows<T>): Answer {
	if (!dialect.envelopes) {
		return json(200, rows.map(show));
	}
	const start = startOf(dialect, call.query.get('start'));
	const from = start === undefined ? rows : rows.filter((row) => id(row) <= start);
	const following = from[PAGE_SIZE];
	return json(200, {
		next: following === undefined ? null : String(nextId(following)),
		results: from.slice(0, PAGE_SIZE).map(show),
		total: rows.length,
		results_per_page: PAGE_SIZE,
	});
}

function startOf(dialect: Dialect, text: string | null): number | undefined {
	if (text === null || text === '' || text === '-1') {
		return undefined;
	}
	check(/^-?\d+$/.test(text), () => crash(dialect, invalid('start should be an int', 'start')));
	return Number(text);
}
