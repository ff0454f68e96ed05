import type { SearchPrefix } from '../read/inboxFacts.ts';
import { timeSpan } from './searchTime.ts';

/** Parts of a mail whose texts a search may name. */
export type TextPart =
	| 'subject'
	| 'from'
	| 'to'
	| 'cc'
	| 'unquoted'
	| 'quoted'
	| 'removed'
	| 'added'
	| 'context'
	| 'hunkHeads'
	| 'attachments'
	| 'lists'
	| 'paths'
	| 'oldBlobs'
	| 'newBlobs'
	| 'patchIds'
	| 'changeIds';

/** A search, parsed. */
export type SearchNode =
	| { readonly kind: 'all' | 'any'; readonly nodes: readonly SearchNode[] }
	| { readonly kind: 'not'; readonly node: SearchNode }
	/** Words that follow each other. `isPrefix`: the last one may be longer. */
	| { readonly kind: 'words'; readonly parts: readonly TextPart[]; readonly text: string; readonly isPrefix: boolean }
	/** A Message-ID without brackets. */
	| { readonly kind: 'messageId'; readonly text: string; readonly isPrefix: boolean }
	/** Both ends belong to it. */
	| { readonly kind: 'size'; readonly fromBytes: number; readonly toBytes: number }
	| { readonly kind: 'time'; readonly of: 'sent' | 'received'; readonly fromMs: number; readonly toMs: number };

/** Text outside of quotes. */
const ownParts: readonly TextPart[] = ['unquoted', 'removed', 'added', 'context', 'hunkHeads'];
const everyPart: readonly TextPart[] = ['subject', 'from', 'to', 'cc', ...ownParts, 'quoted'];

const partsOf: ReadonlyMap<string, readonly TextPart[]> = new Map<string, readonly TextPart[]>([
	['s', ['subject']],
	['f', ['from']],
	['t', ['to']],
	['c', ['cc']],
	['tc', ['to', 'cc']],
	['a', ['from', 'to', 'cc']],
	['b', [...ownParts, 'quoted']],
	['bs', ['subject', ...ownParts, 'quoted']],
	['nq', ownParts],
	['q', ['quoted']],
	['n', ['attachments']],
	['l', ['lists']],
	['dfn', ['paths']],
	['dfa', ['removed']],
	['dfb', ['added']],
	['dfctx', ['context']],
	['dfhh', ['hunkHeads']],
	['dfpre', ['oldBlobs']],
	['dfpost', ['newBlobs']],
	['dfblob', ['oldBlobs', 'newBlobs']],
	['patchid', ['patchIds']],
	['change-id', ['changeIds']],
]);

/** Prefixes that a search on this machine understands. It takes other ones for words, as archives do. */
export const localPrefixes: readonly SearchPrefix[] = [
	['s', 'subject'],
	['f', 'From'],
	['t', 'To'],
	['c', 'Cc'],
	['tc', 'To and Cc'],
	['a', 'From, To and Cc'],
	['b', 'body'],
	['bs', 'subject and body'],
	['nq', 'text outside of quotes'],
	['q', 'quoted text'],
	['n', 'name of an attachment'],
	['l', 'List-Id'],
	['dfn', 'name of a changed file'],
	['dfa', 'removed line'],
	['dfb', 'added line'],
	['dfctx', 'unchanged line of a diff'],
	['dfhh', 'function above a change'],
	['dfpre', 'id of a file before the change'],
	['dfpost', 'id of a file after the change'],
	['dfblob', 'id of a file before or after the change'],
	['patchid', 'id of a patch, by git patch-id --stable'],
	['change-id', 'change-id of a series'],
	['m', 'Message-ID'],
	['mid', 'Message-ID'],
	['d', 'date, as 20260501..20260510'],
	['dt', 'date and time, as 20260501120000..'],
	['rt', 'time of receipt, in seconds since 1970'],
	['z', 'size in bytes, as 1000..50000'],
].map(([name = '', text = '']) => ({ name, text }));

/** Nobody types more; a longer search would only keep the database busy. */
const mostTerms = 200;
/** The parser of the database fails with a deeper one. */
const mostDepth = 15;
const longestQuery = 8000;
/** A shorter beginning is that of half of all words, and reading their places takes a second. */
const shortestPrefix = 3;

type Token =
	| { readonly kind: ')' | 'AND' | 'OR' | 'NOT' }
	/** `prefix`: of `f:(one OR other)`. */
	| { readonly kind: '('; readonly prefix: string }
	| { readonly kind: 'term'; readonly prefix: string; readonly text: string; readonly isQuoted: boolean };

const tokenPattern = /((?:[a-z][a-z-]*:)?\(|\))|([-+](?=[^\s)+-]))|(?:([a-z][a-z-]*):)?"([^"]*)(?:"|$)|([^\s()"]+)/gi;

function tokensIn(query: string): readonly Token[] {
	const tokens: Token[] = [];
	for (const [whole, bracket, sign, prefix = '', quoted, bare = ''] of query
		.slice(0, longestQuery)
		.matchAll(tokenPattern)) {
		if (bracket === ')') {
			tokens.push({ kind: bracket });
		} else if (bracket !== undefined) {
			tokens.push({ kind: '(', prefix: bracket.slice(0, -2).toLowerCase() });
		} else if (sign !== undefined) {
			tokens.push(...(sign === '-' ? [{ kind: 'NOT' } as const] : []));
		} else if (quoted !== undefined) {
			tokens.push({ kind: 'term', prefix: prefix.toLowerCase(), text: quoted, isQuoted: true });
		} else if (whole === 'AND' || whole === 'OR' || whole === 'NOT') {
			tokens.push({ kind: whole });
		} else {
			const [, name = '', text = bare] = /^([a-z][a-z-]*):(.*)$/is.exec(bare) ?? [];
			tokens.push({ kind: 'term', prefix: name.toLowerCase(), text, isQuoted: false });
		}
	}
	return tokens.slice(0, 2 * mostTerms);
}

/**
 * Reads a search as public-inbox does: words must all be there, `OR` binds less than `AND`, and an open bracket or quote
 * ends with the text. `undefined`: the text holds no word. Never throws.
 */
export function parseQuery(query: string, nowMs: number): SearchNode | undefined {
	const tokens = tokensIn(query);
	let at = 0;

	/** `prefix`: of the group. */
	function either(depth: number, prefix: string): SearchNode | undefined {
		const nodes: SearchNode[] = [];
		for (;;) {
			const node = together(depth, prefix);
			nodes.push(...(node ? [node] : []));
			if (tokens[at]?.kind !== 'OR') {
				return joined('any', nodes);
			}
			at += 1;
		}
	}

	function together(depth: number, prefix: string): SearchNode | undefined {
		const nodes: SearchNode[] = [];
		for (;;) {
			const kind = tokens[at]?.kind;
			if (kind === undefined || kind === 'OR' || (kind === ')' && depth > 0)) {
				return joined('all', nodes);
			}
			// A closing bracket without an opening one means nothing.
			const node = kind === 'AND' || kind === ')' ? undefined : single(depth, prefix);
			at += kind === 'AND' || kind === ')' ? 1 : 0;
			nodes.push(...(node ? [node] : []));
		}
	}

	function single(depth: number, prefix: string): SearchNode | undefined {
		let isNegated = false;
		for (; tokens[at]?.kind === 'NOT'; at += 1) {
			isNegated = !isNegated;
		}
		const token = tokens[at];
		if (!token || token.kind === 'OR' || token.kind === 'AND' || token.kind === ')') {
			return undefined;
		}
		at += 1;
		let node: SearchNode | undefined;
		const named = 'prefix' in token && token.prefix !== '' ? token.prefix : prefix;
		if (token.kind === 'term') {
			node = termNode({ ...token, prefix: named }, nowMs);
		} else if (token.kind === '(' && depth < mostDepth) {
			node = either(depth + 1, named);
			at += tokens[at]?.kind === ')' ? 1 : 0;
		}
		return node && isNegated ? { kind: 'not', node } : node;
	}

	return either(0, '');
}

function joined(kind: 'all' | 'any', nodes: readonly SearchNode[]): SearchNode | undefined {
	return nodes.length > 1 ? { kind, nodes } : nodes[0];
}

function termNode(
	{ prefix, text, isQuoted }: Token & { readonly kind: 'term' },
	nowMs: number,
): SearchNode | undefined {
	if (prefix === 'm' || prefix === 'mid') {
		return idNode(text, isQuoted);
	}
	const span = prefix === 'd' || prefix === 'dt' || prefix === 'rt' ? timeSpan(prefix, text, nowMs) : undefined;
	if (span) {
		return { kind: 'time', of: prefix === 'rt' ? 'received' : 'sent', ...span };
	}
	const size = sizeNode(prefix, text);
	if (size) {
		return size;
	}
	if (text === '' && localPrefixes.some(({ name }) => name === prefix)) {
		return undefined;
	}
	const parts = partsOf.get(prefix);
	const isPrefix = !isQuoted && text.length > shortestPrefix && text.endsWith('*');
	const words = parts ? text : `${prefix} ${text}`;
	const found = words.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
	return found === '' ? undefined : { kind: 'words', parts: parts ?? everyPart, text: found, isPrefix };
}

function sizeNode(prefix: string, text: string): SearchNode | undefined {
	const [, from = '', to = ''] = /^z:(\d{0,15})\.\.(\d{0,15})$/.exec(`${prefix}:${text}`) ?? [];
	return from + to === ''
		? undefined
		: { kind: 'size', fromBytes: Number(from), toBytes: to === '' ? Number.MAX_SAFE_INTEGER : Number(to) };
}

function idNode(text: string, isQuoted: boolean): SearchNode | undefined {
	const bare = text.replace(/^<(.*?)>?$/s, '$1');
	const isPrefix = !isQuoted && bare.endsWith('*');
	return bare === '' ? undefined : { kind: 'messageId', text: isPrefix ? bare.slice(0, -1) : bare, isPrefix };
}
