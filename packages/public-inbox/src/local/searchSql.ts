import type { SearchNode, TextPart } from './searchQuery.ts';

/** A condition on mails. `match`: for the table of texts, and `sql`: for the number of a mail. At least one is defined. */
export interface SqlSearch {
	readonly match: string | undefined;
	readonly sql: string | undefined;
	readonly values: readonly (string | number)[];
}

/** Numbers of mails begin with the second of their arrival, so that the newest mails are the highest numbers. */
export const numbersInSecond = 2 ** 18;

/** A search for the database. All words are quoted, so no text of a person becomes an instruction. */
export function sqlSearch(node: SearchNode): SqlSearch {
	const match = matchOf(node);
	if (match !== undefined) {
		return { match, sql: undefined, values: [] };
	}
	const values: (string | number)[] = [];
	if (node.kind !== 'all') {
		return { match: undefined, sql: sqlOf(node, values), values };
	}
	// The table of texts answers in order of time, so it leads wherever it can.
	const texts = node.nodes.flatMap((each) => matchOf(each) ?? []);
	const others = node.nodes.filter((each) => matchOf(each) === undefined);
	const sql = others.map((each) => sqlOf(each, values)).join(' AND ');
	return { match: texts.length === 0 ? undefined : texts.map((text) => `(${text})`).join(' AND '), sql, values };
}

const blobParts: ReadonlySet<TextPart> = new Set(['oldBlobs', 'newBlobs']);
const [shortestBlob, longestBlob] = [7, 64];

/** The condition in the language of the table of texts; `undefined` if it asks for more than texts. */
function matchOf(node: SearchNode): string | undefined {
	switch (node.kind) {
		case 'words':
			return `{${node.parts.join(' ')}} : (${node.parts.every((part) => blobParts.has(part)) ? blobs(node.text) : words(node)})`;
		case 'any': {
			const texts = node.nodes.map(matchOf);
			return texts.includes(undefined) ? undefined : texts.map((text) => `(${text})`).join(' OR ');
		}
		case 'all': {
			const wanted = node.nodes.filter(({ kind }) => kind !== 'not');
			const texts = wanted.map(matchOf);
			const unwanted = node.nodes.flatMap((each) => (each.kind === 'not' ? [matchOf(each.node)] : []));
			return texts.length === 0 || texts.includes(undefined) || unwanted.includes(undefined)
				? undefined
				: [texts, ...(unwanted.length === 0 ? [] : [unwanted])]
						.map((each, at) => each.map((text) => `(${text})`).join(at === 0 ? ' AND ' : ' OR '))
						// One exception for all of them: the database limits how deep a search is.
						.map((text) => `(${text})`)
						.join(' NOT ');
		}
		case 'not':
		case 'messageId':
		case 'time':
		case 'size':
			return undefined;
	}
}

function words({ text, isPrefix }: SearchNode & { readonly kind: 'words' }): string {
	return `"${text}"${isPrefix ? ' *' : ''}`;
}

/** Mails shorten ids, and so do people: either may be the beginning of the other. */
function blobs(text: string): string {
	const id = text.slice(0, longestBlob);
	const shorter = Array.from(
		{ length: Math.max(0, id.length - shortestBlob) },
		(_, at) => `"${id.slice(0, shortestBlob + at)}"`,
	);
	return [`"${id}"${id.length < shortestBlob ? '' : ' *'}`, ...shorter].join(' OR ');
}

function sqlOf(node: SearchNode, values: (string | number)[]): string {
	const match = matchOf(node);
	if (match !== undefined) {
		values.push(match);
		return `+rowid IN (SELECT rowid FROM texts WHERE texts MATCH ?)`;
	}
	switch (node.kind) {
		case 'not':
			return `NOT (${sqlOf(node.node, values)})`;
		case 'messageId':
			values.push(`<${node.text}${node.isPrefix ? '' : '>'}`, `<${node.text}${node.isPrefix ? '\u{10ffff}' : '>'}`);
			return '+rowid IN (SELECT num FROM mails WHERE messageId BETWEEN ? AND ?)';
		case 'time':
			if (node.of === 'received') {
				values.push(numberAt(node.fromMs), numberAt(node.toMs) + numbersInSecond - 1);
				return 'rowid BETWEEN ? AND ?';
			}
			values.push(node.fromMs, node.toMs);
			return '+rowid IN (SELECT num FROM mails WHERE sentMs BETWEEN ? AND ?)';
		case 'size':
			if (node.fromBytes === 0 && node.toBytes === Number.MAX_SAFE_INTEGER) {
				return '1';
			}
			values.push(node.fromBytes, node.toBytes);
			return '+rowid IN (SELECT num FROM mails WHERE size BETWEEN ? AND ?)';
		case 'all':
		case 'any':
			return node.nodes.map((each) => `(${sqlOf(each, values)})`).join(node.kind === 'all' ? ' AND ' : ' OR ');
		case 'words':
			return '0';
	}
}

/** The lowest number of a second. Dates before 1970 and beyond the year 2500 are mistakes. */
export function numberAt(ms: number): number {
	return Math.min(Math.max(0, Math.floor(ms / 1000)), 2 ** 34) * numbersInSecond;
}
